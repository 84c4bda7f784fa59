package ecs_test

import "github.com/ashlar-go/ashlar/ecs"

// kinds are systems by their kind. Each is added with a name and options.
func (m *medley) kinds() []func(name string, o ...ecs.SystemOption) {
	w := m.w
	salt := m.r.Uint64()
	return append(append(m.reaching(), m.copying()...), []func(name string, o ...ecs.SystemOption){
		func(name string, o ...ecs.SystemOption) {
			ecs.System(w, name, func(c *struct {
				A    ecs.Write[c0]
				B    []c1
				E    []ecs.Entity
				Rand ecs.Random
				Tmp  ecs.Local[[]uint64]
			}) {
				tmp := (*c.Tmp.Get())[:0]
				for i, e := range c.E {
					d := c.Rand.Of(e)
					tmp = append(tmp, d.Uint64())
					c.A[i].V = mixed(c.A[i].V^tmp[i], c.B[i].V)
				}
				*c.Tmp.Get() = tmp
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) {
			ecs.System(w, name, func(c *struct {
				B ecs.Write[c1]
				A []c0
			}) {
				for i := range c.B {
					c.B[i].V = mixed(c.B[i].V+salt, c.A[i].V)
					m.strike(c.B[i].V)
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) {
			ecs.System(w, name, func(c *struct {
				C    ecs.Write[c2]
				D    []c3
				Near ecs.Look[c0]
			}) {
				for i := range c.C {
					if v := c.Near.Get(ecs.Entity(c.D[i].Of)); v != nil {
						c.C[i].V = mixed(c.C[i].V, v.V)
					}
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) {
			ecs.System(w, name, func(c *struct {
				A   ecs.Write[c0]
				D   []c3
				E   []ecs.Entity
				Was ecs.Prior[c0]
				Far ecs.Prior[c4]
				H   ecs.Prior[borne]
			}) {
				was, far, h := c.Was.Rows(c.E), c.Far.Rows(c.E), c.H.Rows(c.E)
				for i := range c.A {
					c.A[i].V = mixed(c.A[i].V+far[i].V, h[i].V+was[i].V)
					of := ecs.Entity(c.D[i].Of)
					if v := c.Was.Get(of); v != nil {
						c.A[i].V = mixed(c.A[i].V, v.V)
					}
					if v := c.Far.Get(of); v != nil {
						c.A[i].V += v.V
					}
					if v := c.H.Get(of); v != nil {
						c.A[i].V ^= v.V
					}
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) {
			ecs.System(w, name, func(c *struct {
				A   []c0
				Sum ecs.WriteRes[total]
			}) {
				for i := range c.A {
					c.Sum.Mut().V = c.Sum.Mut().V*31 + c.A[i].V // by the order of rows
					m.strike(c.A[i].V)
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) {
			ecs.System(w, name, func(c *struct {
				B   []c1
				E   []ecs.Entity
				Out ecs.WriteEvents[blow]
			}) {
				for i, e := range c.E {
					if c.B[i].V%5 == 0 {
						c.Out.Write(blow{e, c.B[i].V})
					}
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) {
			ecs.System(w, name, func(c *struct {
				In  ecs.Events[blow]
				Sum ecs.WriteRes[other]
			}) {
				for list := range c.In.All() {
					for _, b := range list {
						c.Sum.Mut().V = c.Sum.Mut().V*31 + mixed(b.V, uint64(b.E))
					}
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) {
			ecs.System(w, name, func(c *struct {
				D    ecs.Write[c3]
				In   ecs.Events[blow]
				Tick ecs.Res[other]
			}) {
				n := c.Tick.Get().V
				for list := range c.In.All() {
					n += uint64(len(list))
				}
				for i := range c.D {
					c.D[i].V = mixed(c.D[i].V, n)
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) {
			ecs.System(w, name, func(c *struct {
				B  []c1
				E  []ecs.Entity
				Do *ecs.Commands
				P4 ecs.Later[c4]
			}) {
				for i, e := range c.E {
					switch v := c.B[i].V; v % 64 {
					case 0:
						c.Do.Destroy(e)
					case 1, 2:
						m.grains.Later(c.Do).Spawn(grain{c0{v}, c1{v >> 3}, c2{V: 3}, c3{Of: uint64(e)}})
					case 3:
						m.lates.Later(c.Do).Spawn(late{c0{v}, c1{v >> 5}, c4{v}})
					case 4, 5, 6, 7:
						c.P4.Put(e, c4{v})
					case 8, 9, 10:
						c.P4.Remove(e)
					}
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) {
			ecs.System(w, name, func(c *struct {
				B     []c1
				E     []ecs.Entity
				Lates ecs.LaterSpawner[late]
			}) {
				for i, e := range c.E {
					switch v := c.B[i].V; v % 128 {
					case 11:
						c.Lates.Spawn(late{c0{v}, c1{v >> 4}, c4{v}})
					case 12, 13:
						c.Lates.Put(e, late{c0{v}, c1{v >> 6}, c4{v}})
					}
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) {
			ecs.System(w, name, func(c *struct {
				B    []c1
				E    []ecs.Entity
				Four ecs.Later[c4]
				End  ecs.AtEnd
			}) {
				for i, e := range c.E {
					switch v := c.B[i].V; v % 32 {
					case 7:
						m.lates.Later(c.End.Do()).Spawn(late{c0{v}, c1{v >> 4}, c4{v}})
					case 8:
						c.End.Do().Destroy(e)
					case 1, 2, 3:
						c.Four.Put(e, c4{v})
					case 4, 5:
						c.Four.Remove(e)
					case 6:
						c.Four.SetEnabled(e, v%64 == 6)
					}
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) {
			ecs.System(w, name, func(c *struct {
				_  ecs.Changed[c2]
				C  []c2
				D  ecs.Write[c3]
				In ecs.Arrived[c4]
			}) {
				n := uint64(c.In.Len())
				for i := range c.D {
					c.D[i].V += mixed(c.C[i].V, n)
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) {
			ecs.System(w, name, func(c *struct {
				B    ecs.Write[c1]
				Four ecs.MaybeWrite[c4]
				Has  ecs.Has `ashlar:"c4"`
			}) {
				for i := range c.B {
					if c.Has.Has(i) {
						c.Four[i].V = mixed(c.Four[i].V, c.B[i].V)
						m.strike(c.Four[i].V)
					} else {
						c.B[i].V++
					}
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) {
			ecs.System(w, name, func(c *struct {
				C ecs.WriteOne[c2]
				A *c0
				E ecs.Entity
			}) {
				c.C.V += mixed(c.A.V, uint64(c.E))
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) {
			ecs.System(w, name, func(c *struct {
				D ecs.Write[c3]
				H []borne
			}) {
				for i := range c.D {
					c.D[i].V ^= c.H[i].V
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) {
			ecs.System(w, name, func(c *struct{ H ecs.Write[borne] }) {
				for i := range c.H {
					c.H[i].V = mixed(c.H[i].V, salt)
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) {
			ecs.System(w, name, func(c *struct {
				H ecs.Write[borne]
				A []c0
			}) {
				for i := range c.H {
					c.H[i].V += c.A[i].V // written where another table has it
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) {
			ecs.System(w, name, func(c *struct {
				T ecs.Res[total]
				O ecs.WriteRes[other]
				E ecs.WriteEvents[blow]
			}) {
				c.O.Mut().V += c.T.Get().V
				c.E.Write(blow{V: c.O.Get().V})
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) {
			type far struct {
				C []c2
				D []c3
				_ ecs.Without[c4]
			}
			type one struct {
				D    *c3
				Four *c4
			}
			ecs.System(w, name, func(c *struct {
				A   ecs.Write[c0]
				E   []ecs.Entity
				Far *ecs.Query[far]
				One *ecs.Query[one]
			}) {
				n, sum := uint64(c.Far.Len()), uint64(c.Far.Sum(func(c *far, i int) float64 { return float64(c.C[i].V >> 40) }))
				for c := range c.Far.All() {
					for i := range c.C {
						sum = sum*31 + c.C[i].V ^ c.D[i].V
					}
				}
				for i := range c.A {
					if v, is := c.One.Get(c.E[i]); is {
						sum += v.D.V ^ v.Four.V
					}
					c.A[i].V = mixed(c.A[i].V+n, sum)
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) {
			ecs.System(w, name, func(c *struct {
				Sum ecs.WriteRes[other]
				Far *ecs.Query[struct{ A []c0 }]
			}) {
				for q := range c.Far.All() {
					c.Sum.Mut().V = c.Sum.Mut().V*31 + q.A[0].V + uint64(len(q.A))*0
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) {
			ecs.System(w, name, func(c *struct {
				_    ecs.Changed[c4]
				Four []c4
				Sum  ecs.WriteRes[other]
			}) {
				for i := range c.Four {
					c.Sum.Mut().V = c.Sum.Mut().V*31 + c.Four[i].V
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) {
			type news struct {
				C *c2
				_ ecs.Changed[c2]
			}
			type rows struct {
				Four *c4
				_    ecs.ChangedRows[c4]
			}
			type born struct {
				C []c2
				D ecs.Write[c3]
				_ ecs.Added[c2]
			}
			ecs.System(w, name, func(c *struct {
				Sum  ecs.WriteRes[other]
				News *ecs.Query[news]
				Rows *ecs.Query[rows]
				Born *ecs.Query[born]
			}) {
				sum, fresh := c.Sum.Mut().V, c.News.Len()+c.Rows.Len()*5+c.Born.Len()*7
				for q := range c.News.All() {
					if sum = mixed(sum, q.C.V); sum%64 == 0 {
						break // all stays new
					}
				}
				for q := range c.Rows.All() {
					sum = mixed(sum, q.Four.V)
					for range c.Rows.All() { // sees the same ones
						fresh++
					}
				}
				for range c.Rows.All() {
					fresh += 11
				}
				for q := range c.Born.All() {
					for i := range q.D {
						q.D[i].V += q.C[i].V
					}
				}
				c.Sum.Mut().V = mixed(sum, uint64(fresh))
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) {
			ecs.System(w, name, func(c *struct {
				Four *ecs.Pool[c4]
				Held *ecs.Pool[borne]
				Sum  ecs.Res[total]
			}) {
				for i := range uint64(20) {
					e := m.es[(c.Sum.Get().V+i*7)%uint64(len(m.es))]
					if v := c.Four.Mut(e); v != nil {
						v.V += i
					}
					if v := c.Held.Mut(e); v != nil {
						v.V ^= c.Sum.Get().V
					}
				}
			}, o...)
		},
		func(name string, o ...ecs.SystemOption) {
			ecs.System(w, name, func(c *struct {
				A  []c0
				E  []ecs.Entity
				P4 *ecs.Pool[c4]
			}) {
				for i, e := range c.E {
					if v := c.P4.Mut(e); v != nil {
						v.V += c.A[i].V
					}
				}
			}, o...)
		},
	}...)
}
