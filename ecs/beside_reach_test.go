package ecs_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
)

// All ways by which a call reaches a component see each other's writes: results are as without the promise. So they are
// for systems that ask which values were written. None of them moves rows: without the promise, later systems would see it.
func TestReach(t *testing.T) {
	t.Parallel()
	seeds := uint64(30)
	if race.Enabled {
		seeds = 4
	}
	for seed := range seeds {
		var want uint64
		for n, o := range []ecs.Options{{}, {Workers: 1}, {Workers: 2}, {Shuffle: 1}, {Shuffle: 2}} {
			o.Memory.Stress = seed%2 == 1 // and calls that write what they only read are found
			o.Views.Always = seed%4 > 1
			m := newThings(seed, ecs.WithPieces(o, 64), 900)
			kinds := append(append(m.reaching(), m.copying()...), m.changed()...)
			for i := range 12 {
				m.addSystem(i, kinds, n > 0)
			}
			ok(0, m.w.Err())
			got, what := m.run(t, 6)
			if n == 0 {
				want = got
			}
			if got != want {
				t.Errorf("seed %d, %d workers, shuffled by %d: digest %x, and %x without the promise: %s", seed, o.Workers, o.Shuffle, got, want, what)
			}
		}
	}
}

// changed are systems that ask which values were written.
func (m *medley) changed() []func(name string, o ...ecs.SystemOption) {
	w := m.w
	return []func(name string, o ...ecs.SystemOption){
		func(name string, o ...ecs.SystemOption) {
			ecs.System(w, name, func(c *struct {
				A   []c0
				_   ecs.Changed[c0]
				Sum ecs.WriteRes[total]
			}) {
				for i := range c.A {
					c.Sum.Mut().V = c.Sum.Mut().V*31 + c.A[i].V
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) {
			ecs.System(w, name, func(c *struct {
				C   []c2
				_   ecs.Changed[c2]
				Sum ecs.WriteRes[total]
			}) {
				for i := range c.C {
					c.Sum.Mut().V = c.Sum.Mut().V*31 + c.C[i].V
				}
			}, o...)
		},
	}
}

// reaching are systems that reach components in several ways, and write them in one or more: by columns, by queries of
// their own, by handle.
func (m *medley) reaching() []func(name string, o ...ecs.SystemOption) {
	w := m.w
	return []func(name string, o ...ecs.SystemOption){
		func(name string, o ...ecs.SystemOption) { // a query within itself, of rows that are tested
			ecs.System(w, name, func(c *struct {
				T   ecs.Res[total]
				Far *ecs.Query[struct {
					C ecs.Write[c2]
					D []c3
					_ ecs.With[borne]
				}]
			}) {
				for q := range c.Far.All() {
					for i := range q.C {
						if q.C[i].V = mixed(q.C[i].V+c.T.Get().V, q.D[i].V); q.C[i].V%128 == 0 {
							for q := range c.Far.All() {
								for i := range q.C {
									q.C[i].V++
								}
							}
						}
					}
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) { // queries that write and read a column of the struct
			type one struct {
				A    ecs.WriteOne[c0]
				Four ecs.MaybeOne[c4]
			}
			type some struct {
				A []c0
				_ ecs.With[borne]
			}
			ecs.System(w, name, func(c *struct {
				A    ecs.Write[c0]
				D    []c3
				_    ecs.With[borne]
				One  *ecs.Query[one]
				Some *ecs.Query[some]
			}) {
				for i := range c.A {
					if v, is := c.One.Get(ecs.Entity(c.D[i].Of)); is {
						if v.A.V += c.A[i].V; v.Four != nil {
							c.A[i].V += v.Four.V
						}
						c.A[i].V = mixed(c.A[i].V, v.A.V)
						m.strike(v.A.V)
					}
					if c.A[i].V%128 == 0 {
						for q := range c.Some.All() {
							for k := range q.A {
								c.A[i].V = c.A[i].V*3 + q.A[k].V
							}
						}
					}
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) { // handles beside columns
			ecs.System(w, name, func(c *struct {
				A    ecs.Write[c0]
				C    []c2
				D    []c3
				_    ecs.With[borne]
				Near ecs.Look[c0]
				Far  *ecs.Pool[c2]
			}) {
				for i := range c.A {
					of := ecs.Entity(c.D[i].Of)
					if v := c.Near.Get(of); v != nil {
						c.A[i].V = mixed(c.A[i].V, v.V+c.C[i].V)
					}
					if v := c.Far.Mut(of); v != nil {
						v.V += c.A[i].V
					}
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) { // values of another table, that some lack
			ecs.System(w, name, func(c *struct {
				D   []c3
				H   ecs.MaybeWrite[borne]
				Has ecs.Has `ashlar:"held"`
				One *ecs.Query[struct{ H ecs.WriteOne[borne] }]
			}) {
				for i := range c.D {
					if v, is := c.One.Get(ecs.Entity(c.D[i].Of)); is {
						v.H.V = mixed(v.H.V, c.D[i].V)
					}
					if c.Has.Has(i) {
						c.H[i].V ^= c.D[i].V
					}
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) { // numbers of rows, and a resource and commands of a query
			ecs.System(w, name, func(c *struct {
				Four ecs.Write[c4]
				E    []ecs.Entity
				Rows ecs.Rows
				_    ecs.With[borne]
				Far  *ecs.Query[struct {
					E    []ecs.Entity
					Four ecs.Write[c4]
					Sum  ecs.WriteRes[other]
					P4   ecs.Later[c4]
					_    ecs.With[borne]
				}]
			}) {
				for _, i := range c.Rows {
					if c.Four[i].V++; c.E[i].Index()%200 == 3 {
						for q := range c.Far.All() {
							for k := range q.Four {
								q.Four[k].V = mixed(q.Four[k].V, c.Four[i].V)
								if q.Sum.Mut().V += q.Four[k].V; m.removes && q.Four[k].V%64 == 0 {
									q.P4.Remove(q.E[k])
								}
							}
						}
					}
				}
			}, o...)
		},
	}
}
