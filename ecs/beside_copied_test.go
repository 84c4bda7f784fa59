package ecs_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// torn is a value of which each field is a component.
type torn struct{ X, Y uint64 }

// copying are systems that write what they reach in several ways, of which one passes copies: of a field of a component, or of
// a whole split value. A pointer's write shows in a copy from the next call of its pool on, so each turn begins with one.
func (m *medley) copying() []func(name string, o ...ecs.SystemOption) {
	w := m.w
	return []func(name string, o ...ecs.SystemOption){
		func(name string, o ...ecs.SystemOption) { // a field beside handles
			ecs.System(w, name, func(c *struct {
				V  ecs.Write[uint64] `ashlar:"c3.V"`
				Of []uint64          `ashlar:"c3.Of"`
				D  *ecs.Pool[c3]
			}) {
				for i := range c.V {
					if v := c.D.Get(ecs.Entity(c.Of[i])); v != nil {
						c.V[i] = mixed(c.V[i], v.V)
					}
					if v := c.D.Mut(ecs.Entity(c.Of[i])); v != nil {
						v.V += c.V[i]
						m.strike(v.V)
					}
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) { // the same of filtered rows, by a query of single entities
			type one struct{ D ecs.WriteOne[c3] }
			ecs.System(w, name, func(c *struct {
				V   ecs.Write[uint64] `ashlar:"c3.V"`
				Of  []uint64          `ashlar:"c3.Of"`
				_   ecs.With[borne]
				_   ecs.Without[c4]
				One *ecs.Query[one]
			}) {
				for i := range c.V {
					if v, is := c.One.Get(ecs.Entity(c.Of[i])); is {
						v.D.V = mixed(v.D.V, c.V[i])
					}
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) { // a field of a query within itself, and of rows that lie elsewhere
			ecs.System(w, name, func(c *struct {
				T   ecs.Res[total]
				Far *ecs.Query[struct {
					V ecs.Write[uint64] `ashlar:"c2.V"`
					H ecs.Write[uint64] `ashlar:"held.V"`
					D []c3
				}]
				Near ecs.Look[borne]
			}) {
				for q := range c.Far.All() {
					for i := range q.V {
						if q.V[i] = mixed(q.V[i]+c.T.Get().V, q.D[i].V); q.V[i]%128 == 0 {
							for q := range c.Far.All() {
								for i := range q.V {
									q.V[i]++
									q.H[i] ^= q.V[i]
								}
							}
						}
						if v := c.Near.Get(ecs.Entity(q.D[i].Of)); v != nil {
							q.H[i] += v.V
						}
					}
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) { // fields where they lie, and whole values by a query
			ecs.System(w, name, func(c *struct {
				V   ecs.WriteStrided[uint64] `ashlar:"c2.V"`
				E   []ecs.Entity
				Far *ecs.Query[struct {
					C ecs.Write[c2]
					_ ecs.With[borne]
				}]
			}) {
				for i := range c.E {
					if *c.V.At(i) += uint64(c.E[i]); c.E[i].Index()%200 == 3 {
						for q := range c.Far.All() {
							for k := range q.C {
								q.C[k].V = mixed(q.C[k].V, *c.V.At(i))
							}
						}
					}
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) { // the whole of a split value, and its fields
			type one struct {
				X *uint64              `ashlar:"torn.X"`
				Y ecs.WriteOne[uint64] `ashlar:"torn.Y"`
			}
			ecs.System(w, name, func(c *struct {
				S   ecs.Write[torn]
				D   []c3
				X   ecs.Look[uint64] `ashlar:"torn.X"`
				One *ecs.Query[one]
			}) {
				for i := range c.S {
					of := ecs.Entity(c.D[i].Of)
					if v := c.X.Get(of); v != nil {
						c.S[i].X = mixed(c.S[i].X, *v)
					}
					if v, is := c.One.Get(of); is {
						*v.Y += c.S[i].X
						m.strike(*v.Y)
					}
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) { // values that lie elsewhere, which views may keep
			ecs.System(w, name, func(c *struct {
				H   ecs.Write[borne]
				C   []c2
				V   []uint64 `ashlar:"c2.V"`
				Far *ecs.Pool[c2]
			}) {
				for i := range c.H {
					if of := m.es[c.C[i].V%uint64(len(m.es))]; c.Far.Has(of) {
						_ = c.Far.Set(of, c2{V: c.C[i].V + 1})
					}
					c.H[i].V = mixed(c.H[i].V, c.C[i].V+c.V[i]*3)
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) { // beside copies, values that others reach where they lie
			ecs.System(w, name, func(c *struct {
				V   ecs.Write[uint64] `ashlar:"c3.V"`
				E   []ecs.Entity
				D   *ecs.Pool[c3]
				H   *ecs.Pool[borne]
				Far *ecs.Query[struct {
					D []c3
					H []borne
					_ ecs.With[c4] // so that H lies elsewhere
				}]
			}) {
				for i, e := range c.E {
					if c.V[i]++; e.Index()%200 == 3 {
						for q := range c.Far.All() {
							for k := range q.H {
								if v := c.H.Mut(m.es[q.D[k].V%uint64(len(m.es))]); v != nil {
									v.V = mixed(v.V, q.H[k].V+q.D[k].V)
								}
							}
						}
					}
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) { // rows of a group, by a query and by handle
			ecs.System(w, name, func(c *struct {
				H    ecs.Write[borne]
				E    []ecs.Entity
				Near ecs.Look[borne]
				Far  *ecs.Query[struct {
					H ecs.Write[borne]
					_ ecs.With[c4]
				}]
			}) {
				for i := range c.H {
					if v := c.Near.Get(m.es[c.H[i].V%uint64(len(m.es))]); v != nil {
						c.H[i].V = mixed(c.H[i].V, v.V)
					}
					if c.E[i].Index()%200 == 3 {
						for q := range c.Far.All() {
							for k := range q.H {
								q.H[k].V += c.H[i].V
							}
						}
					}
				}
			}, append(o, ecs.OnlyIn(m.helds))...)
		},
		func(name string, o ...ecs.SystemOption) { // rows of a group, and a field of them in copies
			ecs.System(w, name, func(c *struct {
				H   ecs.Write[borne]
				E   []ecs.Entity
				Far *ecs.Query[struct {
					V ecs.Write[uint64] `ashlar:"held.V"`
					D []c3
				}]
			}) {
				for i := range c.H {
					if c.H[i].V++; c.E[i].Index()%200 == 5 {
						for q := range c.Far.All() {
							for k := range q.V {
								q.V[k] = mixed(q.V[k], c.H[i].V+q.D[k].V)
							}
						}
					}
				}
			}, append(o, ecs.OnlyIn(m.helds))...)
		},
	}
}

// A group's component stands for another of its type where a system has ecs.OnlyIn. Values that are written there beside others
// count as written by that system, also if some rows are disabled: a system before it finds them in the next frame.
func TestBesideOnlyInStands(t *testing.T) {
	w := world(t, ecs.WithPieces(ecs.Options{Workers: 1, Shuffle: 3}, 64))
	ecs.Register[c0](w, "a")
	b := ecs.Register[c0](w, "b")
	g := ecs.Apart(ecs.GroupOf[struct{ B c0 }](w, "g", b))
	for i := range 100 {
		e := ok(w.Spawn())
		ok(0, b.Add(e, c0{}))
		if i%7 == 0 {
			ok(0, w.SetEnabled(e, false))
		}
	}
	seen := ecs.Provide(w, 0)
	ecs.System(w, "reads", func(c *struct {
		B   []c0            `ashlar:"b"`
		_   ecs.Changed[c0] `ashlar:"b"`
		Sum ecs.WriteRes[int]
	}) {
		*c.Sum.Mut() += len(c.B)
	}, ecs.Parallel())
	ecs.System(w, "writes", func(c *struct {
		A    ecs.Write[c0] `ashlar:"a"`
		Near ecs.Look[c0]  `ashlar:"b"`
	}) {
		for i := range c.A {
			c.A[i].V++
		}
	}, ecs.Parallel(), ecs.OnlyIn(g))
	for range 4 {
		ok(0, w.Run(t.Context()))
	}
	if want := 4 * 85; *seen != want {
		t.Errorf("%d rows are new in 4 frames, want %d", *seen, want)
	}
}
