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
	c0 struct{ V uint64 }
	c1 struct{ V uint64 }
	c2 struct {
		V uint64
		_ [30]uint64 // so that things have several chunks
	}
	c3    struct{ V, Of uint64 }
	c4    struct{ V uint64 }
	borne struct { // of a group with rows of its own
		V uint64
		_ [30]uint64 // likewise
	}
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
	helds            ecs.AnyGroup
	torn             *ecs.Split[torn]
	grains           *ecs.Spawner[grain]
	lates            *ecs.Spawner[late]
	blows            ecs.WriteEvents[blow]
	es               []ecs.Entity // of the beginning
	total            *total
	other            *other
	panicky, quieter uint64 // a row with a number of this rest panics, in frames of that rest; 0: none does
	names            []string
	removes          bool // systems of reaching remove components
}

var errMedley = errors.New("medley")

// strike panics for some values.
func (m *medley) strike(v uint64) {
	if m.panicky > 0 && m.w.Frame()%m.quieter == 1 && v%m.panicky == 7 {
		panic(fmt.Errorf("%w: %d", errMedley, v))
	}
}

// newMedley makes the program of a seed, with so many things.
func newMedley(t testing.TB, seed uint64, o ecs.Options, things int) *medley {
	m := newThings(seed, o, things)
	m.removes = true
	kinds := m.kinds()
	for i := range 12 + m.r.IntN(14) {
		m.addSystem(i, kinds, m.r.IntN(12) > 0)
	}
	if err := m.w.Err(); err != nil {
		t.Fatal(err)
	}
	return m
}

// newThings makes one without systems.
func newThings(seed uint64, o ecs.Options, things int) *medley {
	m := &medley{}
	o.FixedStep = m.step()
	w := ecs.New(o)
	*m = medley{w: w, r: rand.New(rand.NewPCG(seed, 5))}
	m.p0, m.p3, m.p4 = ecs.Register[c0](w, "c0"), nil, nil
	ecs.Register[c1](w, "c1")
	ecs.Register[c2](w, "c2")
	m.p3, m.p4 = ecs.Register[c3](w, "c3"), ecs.Register[c4](w, "c4")
	m.held = ecs.Register[borne](w, "held")
	helds := ecs.GroupOf[struct{ H borne }](w, "helds", m.held)
	ecs.Apart(helds)
	m.helds, m.torn = helds, ecs.RegisterSplit[torn](w, "torn")
	m.grains, m.lates = ecs.SpawnerOf[grain](w), ecs.SpawnerOf[late](w)
	m.blows = ecs.EventsOf[blow](w, 2000)
	m.total, m.other = ecs.Provide(w, total{}), ecs.Provide(w, other{})
	var es []ecs.Entity
	for i := range things {
		x := mixed(uint64(i), seed)
		of := uint64(0)
		if i > 0 {
			of = uint64(es[x%uint64(i)])
		}
		e := ok(m.grains.Spawn(grain{c0{x}, c1{x >> 7}, c2{V: x >> 9}, c3{x >> 11, of}}))
		if es = append(es, e); x%3 == 0 {
			ok(0, m.p4.Add(e, c4{x}))
		}
		if x%5 > 0 {
			ok(0, m.torn.Add(e, torn{x >> 2, x >> 4}))
		}
	}
	m.es = es
	for _, i := range m.r.Perm(len(es)) {
		if i%4 > 0 {
			ok(0, m.held.Add(es[i], borne{V: uint64(i)}))
		}
	}
	return m
}

// addSystem adds a system of one of the kinds.
func (m *medley) addSystem(i int, kinds []func(name string, o ...ecs.SystemOption), promise bool) {
	k := m.r.IntN(len(kinds))
	name := fmt.Sprintf("s%d-%d", i, k)
	var options []ecs.SystemOption
	if promise {
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
		case 3: // many die at once, some that nothing has seen
			if m.w.Stats().Abandoned == "" {
				short := make([]ecs.Entity, 900)
				log(m.grains.SpawnN(short, make([]grain, 1)))
				from := len(m.es) / (2 + r.IntN(8))
				log(m.w.DestroyAll(ecs.Handles(append(short, m.es[from:]...))))
				m.es = m.es[:from]
			}
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
		whole, has := m.torn.Load(e)
		log(e, whole, has)
	}
	log(ecs.EventsIn(m.w), m.w.Stats().Dropped)
	n := m.w.Len()
	if err := errors.Join(m.w.Check(), m.w.Close()); err != nil {
		t.Error(err)
	}
	return h.Sum64(), fmt.Sprint(m.names, " entities ", n)
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

// machine is caches of a processor.
type machine struct {
	l1, l2  uint64
	sharing int
}

func (m machine) of(o memmgr.Options) memmgr.Options { return o.WithCaches(m.l1, m.l2, m.sharing) }

// machines are as this one is, with tiny caches that few workers share, and with huge ones.
var machines = []machine{{}, {1 << 10, 8 << 10, 2}, {1 << 20, 64 << 20, 256}}

// TestBeside: values, handles, order of rows, events, draws and the state behind a panic are the same for any number of
// workers and for caches of any size, for programs at random.
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
					on := machines[n%uint64(len(machines))]
					o.Workers, o.Shuffle, o.Memory = 0, 0, on.of(o.Memory)
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
						t.Errorf("seed %d, %d workers, shuffled by %d, %+v: digest %x, with 1 %x: %s", seed, o.Workers, o.Shuffle, on, got, want, what)
					}
				}
			}
		})
	}
}

// Systems that do not conflict do run at the same time: each of two waits for the other one.
func TestBesideMeet(t *testing.T) {
	w := world(t, ecs.WithPieces(ecs.Options{Workers: 2}, 64))
	ecs.Register[c0](w, "c0")
	ecs.Register[c1](w, "c1")
	ok(0, ecs.SpawnerOf[struct {
		A c0
		B c1
	}](w).SpawnN(make([]ecs.Entity, 20), make([]struct {
		A c0
		B c1
	}, 1)))
	a, b := make(chan bool, 1), make(chan bool, 1)
	meet := func(here, there chan bool) {
		here <- true
		select {
		case <-there:
		case <-time.After(20 * time.Second):
			t.Error("the other system does not begin")
		}
	}
	ecs.System(w, "a", func(c *struct{ A ecs.Write[c0] }) { meet(a, b) }, ecs.Parallel())
	ecs.System(w, "b", func(c *struct{ B ecs.Write[c1] }) { meet(b, a) }, ecs.Parallel())
	ok(0, w.Run(t.Context()))
}

// A value that is written by handle, or by a query, counts as written by its system, which runs beside others: a system before it
// in the leg finds it in the next frame, and one behind it in this frame and no more. So do systems that ask row by row.
func TestBesideWritesByHandle(t *testing.T) {
	for shuffle := range uint64(24) {
		byRow := shuffle%2 == 1
		w := world(t, ecs.WithPieces(ecs.Options{Workers: 1, Shuffle: shuffle}, 64))
		p := ecs.Register[c0](w, "c0")
		ecs.Register[c1](w, "c1")
		e := ok(ecs.SpawnerOf[struct {
			A c0
			B c1
		}](w).Spawn(struct {
			A c0
			B c1
		}{}))
		counts := [2]int{}
		ecs.System(w, "first", func(c *struct{ B ecs.Write[c1] }) {}, ecs.Parallel())
		reader := func(k int) {
			if name := fmt.Sprint("reader", k); byRow {
				ecs.System(w, name, func(c *struct {
					A []c0
					_ ecs.ChangedRows[c0]
				}) {
					counts[k]++
				}, ecs.Parallel())
			} else {
				ecs.System(w, name, func(c *struct {
					A []c0
					_ ecs.Changed[c0]
				}) {
					counts[k]++
				}, ecs.Parallel())
			}
		}
		reader(0)
		switch shuffle / 2 % 3 {
		case 0:
			ecs.System(w, "writes", func(c *struct{ A *ecs.Pool[c0] }) {
				if w.Frame()%3 == 1 {
					c.A.Mut(e).V++
				}
			}, ecs.Parallel())
		case 1:
			ecs.System(w, "writes", func(c *struct {
				One *ecs.Query[struct{ A ecs.WriteOne[c0] }]
			}) {
				if w.Frame()%3 == 1 {
					v, _ := c.One.Get(e)
					v.A.V++
				}
			}, ecs.Parallel())
		case 2:
			ecs.System(w, "writes", func(c *struct {
				Far *ecs.Query[struct{ A ecs.Write[c0] }]
			}) {
				if w.Frame()%3 == 1 {
					for q := range c.Far.All() {
						q.A[0].V++
					}
				}
			}, ecs.Parallel())
		}
		reader(1)
		for range 10 { // it is written in frames 1, 4 and 7
			ok(0, w.Run(t.Context()))
		}
		if counts != [2]int{4, 4} || p.Get(e).V != 3 {
			t.Errorf("shuffled by %d: seen %v times before and behind, and written %d times", shuffle, counts, p.Get(e).V)
		}
	}
}

// step is the length of a fixed step.
func (m *medley) step() time.Duration { return 10 * time.Millisecond }
