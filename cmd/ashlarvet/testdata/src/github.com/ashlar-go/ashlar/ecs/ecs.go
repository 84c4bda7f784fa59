// Package ecs has the names of the real one that the analyzers know.
package ecs

import "iter"

type (
	World        struct{}
	Entity       uint64
	Commands     struct{}
	SystemOption struct{}

	Write[T any]       []T
	Maybe[T any]       []T
	WriteOne[T any]    *T
	Strided[T any]     struct{ v *T }
	Look[T any]        struct{ p *Pool[T] }
	Local[T any]       struct{ v *T }
	Res[T any]         struct{ v *T }
	WriteRes[T any]    struct{ v *T }
	Events[T any]      struct{ v *T }
	WriteEvents[T any] struct{ v *T }
	Arrived[T any]     struct{ v *T }
	Later[T any]       struct{ p *Pool[T] }
	Pool[T any]        struct{ v *T }
	Query[S any]       struct{ v *S }
)

func System[S any](w *World, name string, fn func(*S), options ...SystemOption) {}
func Observe[S any](w *World, name string, fn func(*S))                         {}
func Parallel() SystemOption                                                    { return SystemOption{} }
func InSet(names ...string) SystemOption                                        { return SystemOption{} }
func QueryOf[S any](w *World) *Query[S]                                         { return nil }
func EventsOf[T any](w *World, most ...int) WriteEvents[T]                      { return WriteEvents[T]{} }
func Pairs[A, B, S any](q *Query[S], f func(*A, *B))                            {}

func (s Strided[T]) At(i int) *T                          { return s.v }
func (s Strided[T]) Len() int                             { return 0 }
func (l Look[T]) Get(e Entity) *T                         { return l.p.v }
func (l Local[T]) Get() *T                                { return l.v }
func (r Res[T]) Get() *T                                  { return r.v }
func (r WriteRes[T]) Mut() *T                             { return r.v }
func (e Events[T]) All() iter.Seq[[]T]                    { return nil }
func (e WriteEvents[T]) Write(v T)                        {}
func (a Arrived[T]) All() iter.Seq2[[]Entity, []T]        { return nil }
func (p *Pool[T]) Get(e Entity) *T                        { return p.v }
func (p *Pool[T]) Mut(e Entity) *T                        { return p.v }
func (p *Pool[T]) Later(do *Commands) Later[T]            { return Later[T]{} }
func (l Later[T]) Add(e Entity, v T)                      {}
func (q *Query[S]) All() iter.Seq[*S]                     { return nil }
func (q *Query[S]) DestroyWhere(f func(c *S, i int) bool) {}
func (c *Commands) Destroy(e Entity)                      {}

type Prior[T any] struct{ v *T }

func (p Prior[T]) Get(e Entity) *T              { return p.v }
func (q *Query[S]) Get(e Entity) (s S, ok bool) { return s, ok }
