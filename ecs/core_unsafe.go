package ecs

import "unsafe"

// The common parts of queries and spawners are like that of pools: see Pool.core.

func (q *Query[S]) core() *query     { return (*query)(unsafe.Pointer(q)) }
func (s *Spawner[S]) core() *spawner { return (*spawner)(unsafe.Pointer(s)) }

var _ [0]byte = [unsafe.Offsetof(Query[int]{}.query) + unsafe.Offsetof(Spawner[int]{}.spawner)]byte{}
