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
// point, and then it happens to the rows that match by then, in order with other commands.
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
			b.Later(c).AddAll(many(), name16{2})
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
			c.Destroy(es[0]) // before all that, and so there are 99
			b.Later(c).SetAll(many(), name16{3})
			a.Later(c).SetEnabled(es[1], false)
			b.Later(c).Set(es[1], name16{5})
		})
		if b.Len() != 99 || sum() != 98*3+5 || a.Enabled(es[1]) || q.Len() != 98 {
			t.Errorf("handles %v: %d have it, with values of %d, %d are enabled", handles, b.Len(), sum(), q.Len())
		}
		ok(0, a.SetEnabled(es[1], true))
		frame(func(c *ecs.Commands) {
			b.Later(c).RemoveAll(many())
			b.Later(c).Add(es[9], name16{7})
		})
		if b.Len() != 1 || sum() != 7 {
			t.Errorf("handles %v: %d have it, with values of %d", handles, b.Len(), sum())
		}
		frame(func(c *ecs.Commands) {
			c.DestroyAll(many())
			a.Later(c).Add(c.Spawn(), hp{})
		})
		if w.Len() != 1 || a.Len() != 1 || w.Stats().Dropped != 0 {
			t.Errorf("handles %v: %d are left, %d commands dropped", handles, w.Len(), w.Stats().Dropped)
		}
	}
}

// Entities that a lock holds are passed over, and the command is listed with the first of
// them. Commands dropped by Drop are listed, too. Calls with Commands that are none are refused.
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
	a.Later(c).RemoveAll(ecs.Handles(es))
	err := w.SafePoint()
	if !errors.Is(err, ecs.ErrDropped) || !errors.Is(err, ecs.ErrLocked) || a.Len() != 1 || c.Len() != 0 {
		t.Errorf("%v; %d have it, %d commands wait", err, a.Len(), c.Len())
	}
	if d := ecs.DropsIn(w.Stats()); len(d) != 1 || d[0].Entity != es[2] || d[0].What != `remove "a" (all that match)` {
		t.Errorf("%v", d)
	}
	c.DestroyAll(ecs.Handles(es))
	a.Later(c).AddAll(ecs.QueryOf[struct{ B []name16 }](w), hp{})
	if n := c.Drop(); n != 2 || w.Len() != 5 {
		t.Errorf("%d are dropped, %d entities", n, w.Len())
	}
	if d := ecs.DropsIn(w.Stats()); len(d) != 3 || d[1].What != "destroy (all that match)" || d[2].What != `add "a" (all that match)` || d[1].Entity != 0 {
		t.Errorf("%v", d)
	}
	v := world(t, ecs.Options{})
	panics(t, "DestroyAll of a Commands that is nil", func() { new(ecs.Commands).DestroyAll(ecs.Handles(es)) })
	panics(t, "Later of component \"a\" is given the Commands of another world", func() { a.Later(v.Commands()).AddAll(ecs.Handles(es), hp{}) })
	panics(t, "SetAll is given a query of another world", func() {
		a.Later(c).SetAll(ecs.Select(v, ecs.Match{With: []ecs.AnyPool{ecs.Register[hp](v, "a")}}), hp{})
	})
	ok(0, w.Close())
	c.DestroyAll(ecs.Handles(es))
	if d := ecs.DropsIn(w.Stats()); len(d) != 4 || d[3].Err != ecs.ErrClosed {
		t.Errorf("%v", d)
	}
}

// If memory is refused for a change of many, it waits with all after it, and goes on where it
// was once there is memory.
func TestAllLaterWaits(t *testing.T) {
	for _, handles := range []bool{false, true} {
		w := world(t, ecs.Options{Memory: memmgr.Options{Arena: arena.Options{SmallPages: true}}})
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
		big.Later(c).AddAll(many, b8K{3})
		c.Destroy(es[0])
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
		b.Later(c).AddAll(q, name16{1})
		b.Later(c).RemoveAll(none)
		a.Later(c).SetAll(none, hp{})
		c.DestroyAll(q)
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
