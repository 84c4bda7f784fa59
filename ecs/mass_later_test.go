package ecs_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// A change of all that match is queued within a system: nothing happens before the next safe
// point, and then it happens to what matches by then, in order with other commands.
func TestAllLater(t *testing.T) {
	for _, handles := range []bool{false, true} {
		w := world(t, ecs.Options{})
		a, b := ecs.Register[hp](w, "a"), ecs.Register[name16](w, "b")
		var es []ecs.Entity
		for i := range 100 {
			e := ok(w.Spawn())
			ok(0, a.Add(e, hp{int32(i)}))
			if i < 30 {
				ok(0, b.Add(e, name16{1}))
			}
			es = append(es, e)
		}
		q := ecs.QueryOf[struct{ A []hp }](w)
		list := slices.Clone(es)
		many := func() ecs.AnyQuery {
			if handles {
				return ecs.Handles(list)
			}
			return q
		}
		var do func(c *ecs.Commands)
		ecs.System(w, "asks", func(c *struct {
			A   []hp
			Cmd *ecs.Commands
		}) {
			if do != nil {
				do(c.Cmd)
				do = nil
			}
		})
		later := func(n int, err error) {
			t.Helper()
			if n != 0 || err != nil {
				t.Errorf("handles %v: a queued call returns %d, %v", handles, n, err)
			}
		}
		sum := func() (n int) {
			for _, v := range b.All() {
				n += int(v[0])
			}
			return n
		}
		frame := func(f func(c *ecs.Commands)) {
			t.Helper()
			do = f
			if ok(0, w.Run(t.Context())); do != nil {
				t.Fatal("the system did not run")
			}
			ok(0, w.Check())
		}
		frame(func(c *ecs.Commands) {
			later(b.AddAll(many(), name16{2}, c))
			clear(list) // a copy is kept
			if b.Len() != 30 || c.Len() != 1 {
				t.Errorf("%d have it already, %d commands", b.Len(), c.Len())
			}
		})
		copy(list, es)
		if b.Len() != 100 || sum() != 30+140 {
			t.Errorf("handles %v: %d have it, with values of %d", handles, b.Len(), sum())
		}
		frame(func(c *ecs.Commands) {
			w.Destroy(es[0], c) // before all that, and so there are 99
			later(b.SetAll(many(), name16{3}, c))
			later(a.SetEnabledAll(many(), false, c))
			b.Set(es[1], name16{5}, c)
		})
		if b.Len() != 99 || sum() != 98*3+5 || a.Enabled(es[1]) || q.Len() != 0 {
			t.Errorf("handles %v: %d have it, with values of %d, %d are enabled", handles, b.Len(), sum(), q.Len())
		}
		ok(a.SetEnabledAll(ecs.Handles(es), true))
		frame(func(c *ecs.Commands) { later(w.SetEnabledAll(many(), false, c)) })
		if w.Enabled(es[1]) || q.Len() != 0 {
			t.Error("entities are enabled")
		}
		ok(w.SetEnabledAll(ecs.Handles(es), true))
		frame(func(c *ecs.Commands) {
			later(b.RemoveAll(many(), c))
			b.Add(es[9], name16{7}, c)
		})
		if b.Len() != 1 || sum() != 7 {
			t.Errorf("handles %v: %d have it, with values of %d", handles, b.Len(), sum())
		}
		frame(func(c *ecs.Commands) {
			later(w.DestroyAll(many(), c))
			a.Add(ok(w.Spawn(c)), hp{}, c)
		})
		if w.Len() != 1 || a.Len() != 1 || w.Stats().Dropped != 0 {
			t.Errorf("handles %v: %d are left, %d commands dropped", handles, w.Len(), w.Stats().Dropped)
		}
	}
}

// Entities that a lock holds are passed over, and the command is listed with the first of
// them. What is cleared is listed, too. Calls with Commands that are none are refused.
func TestAllLaterDropped(t *testing.T) {
	w := world(t, ecs.Options{StrictCommands: true})
	a := ecs.Register[hp](w, "a")
	ecs.Register[name16](w, "b")
	var es []ecs.Entity
	for range 5 {
		es = append(es, ok(w.Spawn()))
		ok(0, a.Add(es[len(es)-1], hp{}))
	}
	ok(0, w.NewLock("keep").Hold(es[2], "test"))
	c := w.Commands()
	ok(a.RemoveAll(ecs.Handles(es), c))
	err := w.SafePoint()
	if !errors.Is(err, ecs.ErrDropped) || !errors.Is(err, ecs.ErrLocked) || a.Len() != 1 || c.Len() != 0 {
		t.Errorf("%v; %d have it, %d commands wait", err, a.Len(), c.Len())
	}
	if d := w.Stats().Drops; len(d) != 1 || d[0].Entity != es[2] || d[0].What != `remove "a" (all that match)` {
		t.Errorf("%v", d)
	}
	ok(w.DestroyAll(ecs.Handles(es), c))
	ok(a.AddAll(ecs.QueryOf[struct{ B []name16 }](w), hp{}, c))
	if n := c.Clear(); n != 2 || w.Len() != 5 {
		t.Errorf("%d are cleared, %d entities", n, w.Len())
	}
	if d := w.Stats().Drops; len(d) != 3 || d[1].What != "destroy (all that match)" || d[2].What != `add "a" (all that match)` || d[1].Entity != 0 {
		t.Errorf("%v", d)
	}
	v := world(t, ecs.Options{})
	panics(t, "DestroyAll is given a Commands that is nil", func() { w.DestroyAll(ecs.Handles(es), nil) })
	panics(t, "AddAll is given the Commands of another world", func() { a.AddAll(ecs.Handles(es), hp{}, v.Commands()) })
	panics(t, "SetAll is given a query of another world", func() { a.SetAll(v.Select(ecs.Match{With: []ecs.AnyPool{ecs.Register[hp](v, "a")}}), hp{}, c) })
	ok(0, w.Close())
	if _, err := w.DestroyAll(ecs.Handles(es), c); !errors.Is(err, ecs.ErrClosed) {
		t.Error(err)
	}
}

// If memory is refused for a change of many, it waits with all after it, and goes on where it
// was once there is memory.
func TestAllLaterWaits(t *testing.T) {
	for _, handles := range []bool{false, true} {
		w := world(t, ecs.Options{Memory: memmgr.Options{NoHugePages: true}})
		a, big := ecs.Register[hp](w, "a"), ecs.Register[b8K](w, "big")
		es := make([]ecs.Entity, 600)
		for i := range es {
			es[i] = ok(w.Spawn())
			ok(0, a.Add(es[i], hp{}))
		}
		var many ecs.AnyQuery = ecs.QueryOf[struct {
			A []hp
			_ ecs.Without[b8K]
		}](w)
		if handles {
			many = ecs.Handles(es)
		}
		memory, c := w.Manager().Arena(), w.Commands()
		memory.SetLimit(memory.Stats().Committed + arena.RegionBytes)
		ok(big.AddAll(many, b8K{3}, c))
		w.Destroy(es[0], c)
		for range 2 {
			if err := w.SafePoint(); !errors.Is(err, arena.ErrLimit) || c.Len() != 2 || big.Len() == 600 || !w.Alive(es[0]) {
				t.Fatalf("%v; %d commands wait, %d are done", err, c.Len(), big.Len())
			}
		}
		memory.SetLimit(0)
		if ok(0, w.SafePoint()); c.Len() != 0 || big.Len() != 599 || big.Get(es[599])[0] != 3 || w.Alive(es[0]) {
			t.Errorf("%d commands wait, %d are done", c.Len(), big.Len())
		}
		ok(0, w.Check())
	}
}

// A queued change of many allocates nothing once the queue has grown.
func TestAllLaterAllocs(t *testing.T) {
	w := world(t, ecs.Options{})
	a, b := ecs.Register[hp](w, "a"), ecs.Register[name16](w, "b")
	q := ecs.QueryOf[struct{ A []hp }](w)
	var none ecs.AnyQuery = ecs.Handles(make([]ecs.Entity, 100)) // null handles
	c := w.Commands()
	ask := func() {
		ok(b.AddAll(q, name16{1}, c))
		ok(b.RemoveAll(none, c))
		ok(a.SetEnabledAll(none, false, c))
		ok(w.DestroyAll(q, c))
	}
	for range 20 {
		ask()
	}
	ok(0, w.SafePoint())
	// Race builds inline less, so that lists of arguments are allocated there.
	if n := testing.AllocsPerRun(10, ask); n != 0 && !race.Enabled || c.Len() != 44 {
		t.Errorf("%v allocations, %d commands", n, c.Len())
	}
}
