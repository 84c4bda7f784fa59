package ecs_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// newShared makes a world for TestModelShared with some of these systems and groups.
func newShared(t *testing.T, name string, o ecs.Options, seed uint64) *sharedModel {
	w := ecs.New(o)
	m := &sharedModel{t: t, w: w, r: rand.New(rand.NewPCG(seed, 77)), stops: rand.New(rand.NewPCG(seed, 78)), name: fmt.Sprintf("%s, seed %d", name, seed), has: map[ecs.Entity]*[shCols]*shVal{}, off: map[ecs.Entity]bool{}}
	shCol[shM](m, 0)
	shCol[shB](m, 1)
	shCol[shP](m, 2)
	shCol[shF](m, 3)
	shCol[shV](m, 4, ecs.Volatile)
	shCol[shT](m, 5, ecs.Thin)
	shCol[shU](m, 6)
	for j := range 3 {
		if m.r.IntN(4) > 0 {
			m.declare(j)
		}
	}
	const M, B, P, F, V, T, U = 0, 1, 2, 3, 4, 5, 6
	systems := []func(){
		shSys[struct {
			M []shM
			X []uint32 `ashlar:"p.X"`
			E []ecs.Entity
		}](m, "s1", shSpec{}),
		shSys[struct {
			M ecs.Write[shM]
			Y []uint32 `ashlar:"p.Y"`
			X []uint32 `ashlar:"p.X"`
			E []ecs.Entity
		}](m, "s2", shSpec{}),
		shSys[struct {
			B []shB
			X []uint32 `ashlar:"p.X"`
			Y []uint32 `ashlar:"f.Y"`
			E []ecs.Entity
		}](m, "s3", shSpec{}),
		shSys[struct {
			B []shB
			P ecs.Write[shP]
			E []ecs.Entity
		}](m, "s4", shSpec{}),
		shSys[struct {
			M []shM
			P ecs.WriteStrided[uint32] `ashlar:"p.X"`
			E []ecs.Entity
		}](m, "s5", shSpec{}),
		shSys[struct {
			M []shM
			F ecs.Strided[shF]
			V ecs.Strided[uint32] `ashlar:"v.X"`
			E []ecs.Entity
		}](m, "s6", shSpec{}),
		shSys[struct {
			M []shM
			V ecs.Maybe[shV]
			H ecs.Has `ashlar:"v"`
			P []shP
			E []ecs.Entity
		}](m, "s7", shSpec{}),
		shSys[struct {
			M []shM
			T []shT
			E []ecs.Entity
			_ ecs.Without[shU]
		}](m, "s8", shSpec{without: []int{U}}),
		shSys[struct {
			B []shB
			U []shU
			F ecs.Write[shF]
			E []ecs.Entity
		}](m, "s9", shSpec{}),
		shSys[struct {
			F []shF
			P []shP
			E []ecs.Entity
		}](m, "s10", shSpec{}),
		shSys[struct {
			M []shM
			P []shP
			E []ecs.Entity
			_ ecs.Changed[shP]
		}](m, "s11", shSpec{changed: 1 + P}),
		shSys[struct {
			M []shM
			X []uint32 `ashlar:"p.X"`
			E []ecs.Entity
			_ ecs.ChangedRows[shM]
		}](m, "s12", shSpec{changed: 1 + M, byRow: true}),
		shSys[struct {
			F []shF
			V []shV
			E []ecs.Entity
			_ ecs.Without[shT]
		}](m, "s13", shSpec{without: []int{T}}),
		shSys[struct {
			F ecs.Write[shF]
			E []ecs.Entity
			_ ecs.Without[shV]
		}](m, "s14", shSpec{without: []int{V}}),
		shSys[struct {
			M *shM
			P ecs.WriteOne[shP]
			V ecs.MaybeOne[shV]
			E ecs.Entity
		}](m, "s15", shSpec{}),
		shSys[struct {
			M []shM
			P ecs.Maybe[uint32] `ashlar:"p.Y"`
			X ecs.Maybe[uint32] `ashlar:"p.X"`
			E []ecs.Entity
			_ ecs.Or[shV, shT]
		}](m, "s16", shSpec{any: [][]int{{V, T}}}),
		shSys[struct {
			B ecs.Write[shB]
			Y ecs.Write[uint32] `ashlar:"p.Y"`
			U ecs.Maybe[shU]
			E []ecs.Entity
		}](m, "s17", shSpec{}),
		shSys[struct {
			M []shM
			P []shP
			E []ecs.Entity
			_ ecs.Changed[shM]
		}](m, "s18", shSpec{changed: 1 + M}),
		shSys[struct {
			F ecs.Write[shF]
			E []ecs.Entity
			_ ecs.Without[shV]
			_ ecs.ChangedRows[shF]
		}](m, "s19", shSpec{without: []int{V}, changed: 1 + F, byRow: true}),
		shSys[struct {
			P []shP
			M ecs.Strided[uint32] `ashlar:"m.Y"`
			B []uint32            `ashlar:"b.X"`
			E []ecs.Entity
		}](m, "s20", shSpec{}),
		shSys[struct {
			P ecs.WriteStrided[shP]
			M ecs.WriteStrided[uint32] `ashlar:"m.Y"`
			U []uint32                 `ashlar:"u.X"`
			E []ecs.Entity
		}](m, "s21", shSpec{}),
		shSys[struct {
			F ecs.Write[uint32] `ashlar:"f.X"`
			V []uint32          `ashlar:"v.Y"`
			E []ecs.Entity
			_ ecs.With[shB]
		}](m, "s22", shSpec{with: []int{B}}),
		shSys[struct {
			M []shM
			P ecs.Maybe[shP]
			X []shB
			E []ecs.Entity
		}](m, "s23", shSpec{}),
		shSys[struct {
			V ecs.Write[shV]
			E []ecs.Entity
		}](m, "s24", shSpec{}),
	}
	m.nested[0] = shQuery[struct {
		M []shM
		X []uint32 `ashlar:"p.X"`
		E []ecs.Entity
	}](m, "n0", shSpec{}, true)
	m.nested[1] = shQuery[struct {
		B []shB
		Y ecs.Write[uint32] `ashlar:"p.Y"`
		E []ecs.Entity
	}](m, "n1", shSpec{}, false)
	m.nested[2] = shQuery[struct {
		F []shF
		V []shV
		E []ecs.Entity
	}](m, "n2", shSpec{}, true)
	m.nested[3] = shQuery[struct {
		F ecs.Write[shF]
		E []ecs.Entity
		_ ecs.Without[shV]
	}](m, "n3", shSpec{without: []int{V}}, false)
	some := m.r.Perm(len(systems))[:4+m.r.IntN(len(systems)-4)]
	for k, i := range some {
		systems[i]()
		if m.r.IntN(5) == 0 {
			ecs.System(m.w, fmt.Sprint("change", k), func(*struct{}) { m.change(6) }, ecs.When(func() bool {
				m.begin(nil)
				return true
			}))
		}
	}
	for range 900 + m.r.IntN(900) {
		m.spawn()
	}
	return m
}
