package ecs_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// After a peak: a million entities in twenty groups, spawned in turns. Nine in
// ten die at random; then frames go by.

type (
	place struct{ X, Y uint64 }
	speed struct{ X, Y uint64 }
	mover struct {
		Place place `ashlar:"place0"`
		Speed speed `ashlar:"speed0"`
	}
	moving struct {
		Place ecs.Write[place] `ashlar:"place0"`
		Speed []speed          `ashlar:"speed0"`
	}
)

const moverBytes = 8 + 16 + 16 // a row with its entity

// crowd is a world of groups of movers, each swept by a system of its own.
type crowd struct {
	w      *ecs.World
	groups []*ecs.Group[mover]
	places []*ecs.Pool[place]
	speeds []*ecs.Pool[speed]
	sum    uint64 // of the values that systems saw in the last frame
}

func newCrowd(t *testing.T, o ecs.Options, groups int) *crowd {
	t.Helper()
	c := &crowd{w: world(t, o)}
	for i := range groups {
		c.places = append(c.places, ecs.Register[place](c.w, fmt.Sprint("place", i)))
		c.speeds = append(c.speeds, ecs.Register[speed](c.w, fmt.Sprint("speed", i)))
		c.groups = append(c.groups, ecs.GroupOf[mover](c.w, fmt.Sprint("group", i), c.places[i], c.speeds[i]))
		addSystem(t, c.w, fmt.Sprint("move", i), func(m *moving) {
			at, by, sum := m.Place, m.Speed[:len(m.Place)], c.sum
			for i := range at {
				at[i].X += by[i].X
				at[i].Y = at[i].Y*31 + by[i].Y
				sum = sum*33 + at[i].Y
			}
			c.sum = sum
		}, ecs.OnlyIn(c.groups[i]))
	}
	return c
}

func (c *crowd) frame(t *testing.T) uint64 {
	t.Helper()
	c.sum = 0
	if err := c.w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c.sum
}

// massacre spawns total movers in turns of 5,000 and has nine in ten of them die.
func (c *crowd) massacre(t *testing.T, total int) {
	t.Helper()
	r := rand.New(rand.NewPCG(11, 12))
	var es []ecs.Entity
	values := make([]mover, 5000)
	for len(es) < total {
		for i := range values {
			values[i] = mover{place{r.Uint64(), r.Uint64()}, speed{r.Uint64(), 1}}
		}
		batch := make([]ecs.Entity, len(values))
		if err := c.groups[r.IntN(len(c.groups))].SpawnN(batch, values); err != nil {
			t.Fatal(err)
		}
		es = append(es, batch...)
	}
	for range 5 {
		c.frame(t)
	}
	r.Shuffle(len(es), func(i, j int) { es[i], es[j] = es[j], es[i] })
	if n := ok(c.w.DestroyAll(ecs.Handles(es[:total*9/10]))); n != total*9/10 || c.w.Len() != total/10 {
		t.Fatalf("%d died, %d are left", n, c.w.Len())
	}
}

// fresh is a new world of the same entities in the same order, which nobody ever left.
func (c *crowd) fresh(t *testing.T) *crowd {
	t.Helper()
	f := newCrowd(t, ecs.Options{Adapt: memmgr.AdaptOptions{Off: true}}, len(c.groups))
	for i, g := range c.groups {
		var values []mover
		for _, e := range g.Members(nil) {
			values = append(values, mover{*c.places[i].Get(e), *c.speeds[i].Get(e)})
		}
		if err := f.groups[i].SpawnN(make([]ecs.Entity, len(values)), values); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// residents is how much is accounted as resident, at most, of chunks, and of arrays: slots and records.
func residents(t *testing.T, w *ecs.World) (chunks, arrays uint64) {
	t.Helper()
	chunks = w.Manager().Arena().DirtyBy(arena.PurposeChunks)
	return chunks, w.Manager().Stats().Arena.Dirty - chunks
}

// touched is how many bytes slots may keep resident after Purge: 8 B an index of each page of indexes in
// which an entity has the component. A page is the unit in which arrays are given back. On
// the heap it is 8 B for each index up to the last, in pages of arena.PageLen.
func (c *crowd) touched() (bytes uint64) {
	const page = 64 << 10
	for _, g := range c.groups {
		last, es := uint32(1<<31), membersByIndex(g)
		if n := len(es); n > 0 && c.w.Manager().Arena().Backend() == arena.Heap {
			bytes += 2 * 8 * arena.PageLen * uint64(es[n-1].Index()/arena.PageLen+1)
			continue
		}
		for _, e := range es {
			if p := e.Index() * 8 / page; p != last {
				last = p
				bytes += 2 * page // two components
			}
		}
	}
	return bytes
}

// When adapting has settled, chunks keep little more than the payload, slots as much as the
// pages of indexes in use need, and frames cost as much as in a fresh world: also where memory goes back by whole regions alone.
func TestSettlesAfterMassacre(t *testing.T) {
	t.Parallel()
	const frames = 1200
	const tick = 10 * time.Microsecond // a look at the clock, and so a move
	const budget = 200 * time.Microsecond
	for _, tt := range []struct {
		run     string
		backend arena.Backend
		total   int
	}{
		{"mapped", arena.Auto, 1_000_000},
		{"on the heap", arena.Heap, 300_000}, // groups too short for stripes: their regions don't go back by parts there
	} {
		run, total := tt.run, tt.total
		if testing.Short() {
			total = 300_000
		}
		if race.Enabled || runtime.GOARCH == "wasm" { // where all is on the Go heap
			total = 100_000
		}
		start := time.Now()
		clock := ticking(tick)
		c := newCrowd(t, ecs.Options{
			Memory: memmgr.Options{Arena: arena.Options{Backend: tt.backend}},
			Record: true, TimeEvery: never,
			Adapt: memmgr.AdaptOptions{Budget: memmgr.Budget{Time: budget}, Decay: 100 * time.Millisecond, Clock: clock.tick},
		}, 20)
		c.massacre(t, total)
		for range frames {
			c.frame(t)
			clock.now = clock.now.Add(time.Millisecond)
		}
		st := *c.w.Manager().Stats().Adapting
		payload := c.w.Manager().Stats().Payload
		chunks, arrays := residents(t, c.w)
		t.Logf("%s: %d moves of %d KiB, %d regions emptied, %v on moves and purges by the test's clock; %v in all",
			run, st.Moves, st.Bytes>>10, st.Emptied, st.Time, time.Since(start).Round(time.Millisecond))
		t.Logf("payload %d KiB, chunks resident %d KiB, arrays apart: %d KiB", payload>>10, chunks>>10, arrays>>10)
		if payload != uint64(c.w.Len())*moverBytes || chunks > payload*115/100+4<<20 {
			t.Errorf("%s: %d bytes of chunks are resident for %d of payload", run, chunks, payload)
		}
		if st.Longest > budget+tick {
			t.Errorf("%s: a safe point took %v, more than its budget and a move", run, st.Longest)
		}
		if st.Waiting != 0 || st.Refused != 0 || st.GivenUp != 0 {
			t.Errorf("%s: not settled: %+v", run, st)
		}
		c.shrinks(t)
		f := c.fresh(t)
		for range 3 {
			if got, want := c.frame(t), f.frame(t); got != want {
				t.Fatalf("%s: a frame came to %x, and to %x in a fresh world of the same entities", run, got, want)
			}
		}
		if err := c.w.Check(); err != nil {
			t.Fatal(err)
		}
	}
}

// shrinks has the arrays give back unused memory, and measures the rest.
func (c *crowd) shrinks(t *testing.T) {
	t.Helper()
	_, before := residents(t, c.w)
	freed, err := c.w.Purge()
	if err != nil {
		t.Fatal(err)
	}
	_, after := residents(t, c.w)
	a := c.w.Manager().Arena()
	records := a.DirtyBy(arena.PurposeEntities)
	slots := after - min(after, records)
	t.Logf("Purge gave %d KiB back: slots %d KiB resident of %d KiB accounted, which may be %d KiB; records %d KiB; arrays before %d KiB",
		freed>>10, slots>>10, a.DirtyBy(arena.PurposeSlots)>>10, c.touched()>>10, records>>10, before>>10)
	if slots > c.touched() {
		t.Errorf("after Purge, slots keep %d bytes resident, more than the %d of the pages of indexes that are in use", slots, c.touched())
	}
}
