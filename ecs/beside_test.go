package ecs_test

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Components, resources and events of the programs that are made up at random.
type (
	c0    struct{ V uint64 }
	c1    struct{ V uint64 }
	c2    struct{ V uint64 }
	c3    struct{ V, Of uint64 }
	c4    struct{ V uint64 }
	borne struct{ V uint64 } // of a group with rows of its own
	total struct{ V uint64 }
	other struct{ V uint64 }
	blow  struct {
		E ecs.Entity
		V uint64
	}
	grain struct {
		A c0
		B c1
		C c2
		D c3
	}
	late struct {
		A c0
		B c1
		E c4
	}
)

// medley is a program of systems at random: most are Parallel, and use components, resources, events, random numbers,
// commands and each other's values in all ways that a struct may ask for.
type medley struct {
	w                *ecs.World
	r                *rand.Rand
	p0               *ecs.Pool[c0]
	p4               *ecs.Pool[c4]
	p3               *ecs.Pool[c3]
	held             *ecs.Pool[borne]
	grains           *ecs.Spawner[grain]
	lates            *ecs.Spawner[late]
	blows            ecs.WriteEvents[blow]
	es               []ecs.Entity // of the beginning
	total            *total
	other            *other
	panicky, quieter uint64 // a row with a number of this rest panics, in frames of that rest; 0: none does
	names            []string
}

var errMedley = errors.New("medley")

// strike panics for some values.
func (m *medley) strike(v uint64) {
	if m.panicky > 0 && m.w.Frame()%m.quieter == 1 && v%m.panicky == 7 {
		panic(fmt.Errorf("%w: %d", errMedley, v))
	}
}

// kinds are systems by their kind. Each is added with a name and options.
func (m *medley) kinds() []func(name string, o ...ecs.SystemOption) {
	w := m.w
	salt := m.r.Uint64()
	return []func(name string, o ...ecs.SystemOption){
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
				Was ecs.Prior[c0]
				Far ecs.Prior[c4]
				H   ecs.Prior[borne]
			}) {
				for i := range c.A {
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
						m.grains.Later(c.Do).Spawn(grain{c0{v}, c1{v >> 3}, c2{3}, c3{Of: uint64(e)}})
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
				A   []c0
				Far *ecs.Query[struct{ C ecs.Write[c2] }]
			}) {
				for q := range c.Far.All() {
					for i := range q.C {
						q.C[i].V += c.A[0].V
					}
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
	}
}

// newMedley makes the program of a seed, with so many things.
func newMedley(t testing.TB, seed uint64, o ecs.Options, things int) *medley {
	m := &medley{}
	o.FixedStep = m.step()
	w := ecs.New(o)
	*m = medley{w: w, r: rand.New(rand.NewPCG(seed, 5))}
	m.p0, m.p3, m.p4 = ecs.Register[c0](w, "c0"), nil, nil
	ecs.Register[c1](w, "c1")
	ecs.Register[c2](w, "c2")
	m.p3, m.p4 = ecs.Register[c3](w, "c3"), ecs.Register[c4](w, "c4")
	m.held = ecs.Register[borne](w, "held")
	ecs.Apart(ecs.GroupOf[struct{ H borne }](w, "helds", m.held))
	m.grains, m.lates = ecs.SpawnerOf[grain](w), ecs.SpawnerOf[late](w)
	m.blows = ecs.EventsOf[blow](w, ecs.EventOptions{Most: 2000})
	m.total, m.other = ecs.Provide(w, total{}), ecs.Provide(w, other{})
	var es []ecs.Entity
	for i := range things {
		x := mixed(uint64(i), seed)
		of := uint64(0)
		if i > 0 {
			of = uint64(es[x%uint64(i)])
		}
		e := ok(m.grains.Spawn(grain{c0{x}, c1{x >> 7}, c2{x >> 9}, c3{x >> 11, of}}))
		if es = append(es, e); x%3 == 0 {
			ok(0, m.p4.Add(e, c4{x}))
		}
	}
	m.es = es
	for _, i := range m.r.Perm(len(es)) {
		if i%4 > 0 {
			ok(0, m.held.Add(es[i], borne{uint64(i)}))
		}
	}
	kinds := m.kinds()
	for i := range 12 + m.r.IntN(14) {
		k := m.r.IntN(len(kinds))
		name := fmt.Sprintf("s%d-%d", i, k)
		var options []ecs.SystemOption
		if m.r.IntN(12) > 0 {
			options = append(options, ecs.Parallel())
		}
		switch m.r.IntN(12) {
		case 0:
			options = append(options, ecs.When(func() bool { return m.total.V%3 > 0 }))
		case 1:
			options = append(options, ecs.InPhase(ecs.Fixed))
		case 2:
			options = append(options, ecs.InPhase(ecs.Startup))
		}
		kinds[k](name, options...)
		m.names = append(m.names, name)
	}
	if err := w.Err(); err != nil {
		t.Fatal(err)
	}
	return m
}

// run runs frames, with panics, cancelled contexts and pauses, and returns all that can be seen afterwards.
func (m *medley) run(t testing.TB, frames int) (digest uint64, what string) {
	h := fnv.New64a()
	log := func(x ...any) { fmt.Fprintln(h, x...) }
	r := rand.New(rand.NewPCG(9, 9))
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for frame := range frames {
		switch name := m.names[r.IntN(len(m.names))]; r.IntN(6) {
		case 0:
			log(m.w.Pause(name))
		case 1:
			log(m.w.Resume(name))
		case 2:
			log(m.w.Run(cancelled))
		}
		run := func() (err error) {
			defer func() {
				if v := recover(); v != nil {
					fault, is := v.(error)
					if !is || !errors.Is(fault, errMedley) {
						panic(v)
					}
					for inner := errors.Unwrap(fault); inner != nil && strings.Contains(fault.Error(), "stack"); inner = errors.Unwrap(fault) {
						fault = inner
					}
					log("panic", fault)
				}
			}()
			return m.w.RunFor(context.Background(), 3*m.step())
		}
		if err := run(); err != nil {
			log(err)
		}
		if s := m.w.Stats(); s.Abandoned != "" {
			if log(s.Abandoned); frame%2 == 0 {
				for m.w.Stats().Abandoned != "" {
					func() {
						defer func() { log(recover() != nil) }()
						log(m.w.Continue(context.Background()))
					}()
				}
			}
		}
		log(frame, m.total.V, m.other.V, m.w.Len())
	}
	for e, v := range m.p0.All() {
		log(e, *v, m.p3.Get(e), m.p4.Get(e), m.held.Get(e))
	}
	for e, v := range m.p4.All() {
		log(e, *v)
	}
	for e, v := range m.held.All() {
		log(e, *v)
	}
	for e := range m.w.All() {
		log(e)
	}
	s := m.w.Stats()
	log(s.Events, s.Dropped)
	if err := errors.Join(m.w.Check(), m.w.Close()); err != nil {
		t.Error(err)
	}
	return h.Sum64(), fmt.Sprint(m.names, " entities ", s.Entities)
}

// A system that breaks its promise has other results in some legal order, and one that keeps it has the same.
func TestShuffle(t *testing.T) {
	play := func(seed uint64, promise bool) (sum uint64) {
		w := ecs.New(ecs.WithPieces(ecs.Options{Shuffle: seed, Workers: 1}, 64))
		p0 := ecs.Register[c0](w, "c0")
		ecs.Register[c1](w, "c1")
		sp := ecs.SpawnerOf[struct {
			A c0
			B c1
		}](w)
		for i := range 8000 {
			ok(sp.Spawn(struct {
				A c0
				B c1
			}{c0{uint64(i)}, c1{uint64(i * i)}}))
		}
		captured := uint64(1)
		ecs.System(w, "breaks", func(c *struct{ A ecs.Write[c0] }) {
			for i := range c.A {
				if c.A[i].V = c.A[i].V*3 + 1; !promise {
					captured = captured*31 + c.A[i].V
				}
			}
		}, ecs.Parallel())
		ecs.System(w, "beside", func(c *struct{ B ecs.Write[c1] }) {
			for i := range c.B {
				if c.B[i].V++; !promise {
					captured = captured*7 + c.B[i].V
				}
			}
		}, ecs.Parallel())
		for range 3 {
			ok(0, w.Run(t.Context()))
		}
		for _, v := range p0.All() {
			sum = sum*31 + v.V
		}
		ok(0, w.Close())
		return sum ^ captured
	}
	for _, promise := range []bool{false, true} {
		others := 0
		for seed := range uint64(5) {
			if play(seed+1, promise) != play(0, promise) {
				others++
			}
			if play(seed+1, promise) != play(seed+1, promise) {
				t.Error("a seed has several orders")
			}
		}
		if promise && others > 0 || !promise && others == 0 {
			t.Errorf("promise kept: %v, and %d of 5 seeds have other results", promise, others)
		}
	}
}

// TestBeside: values, handles, order of rows, events, draws and the state behind a panic are the same for any number of
// workers, for programs at random.
func TestBeside(t *testing.T) {
	seeds, frames, things, shuffles := uint64(24), 10, 900, uint64(15)
	if testing.Short() {
		seeds, frames, things, shuffles = 6, 6, 500, 3
	}
	if race.Enabled {
		seeds, frames, shuffles = 3, 5, 1
	}
	for name, o := range map[string]ecs.Options{
		"pieces": ecs.WithPieces(ecs.Options{FIFO: true}, 64),
		"heap":   ecs.WithPieces(ecs.Options{Memory: memmgr.Options{Arena: arena.Options{Backend: arena.Heap}}, Views: ecs.Views{Always: true}}, 1),
		"stress": ecs.WithPieces(ecs.Options{Memory: memmgr.Options{Stress: true}, Record: true, TimeEvery: 2}, 100),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range seeds {
				var want uint64
				for n := range uint64(len(crews)) + shuffles {
					o.Workers, o.Shuffle = 0, 0
					if n < uint64(len(crews)) {
						o.Workers = crews[n]
					} else {
						o.Shuffle = n
					}
					m := newMedley(t, seed, o, things)
					if seed%2 == 1 {
						m.panicky, m.quieter = 41, 3
					}
					got, what := m.run(t, frames)
					if want == 0 {
						want = got
					}
					if got != want {
						t.Errorf("seed %d, %d workers, shuffled by %d: digest %x, with 1 %x: %s", seed, o.Workers, o.Shuffle, got, want, what)
					}
				}
			}
		})
	}
}

// step is the length of a fixed step.
func (m *medley) step() time.Duration { return 10 * time.Millisecond }
