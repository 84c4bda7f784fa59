package ecs_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

type saddle struct{ Weight float64 }

// The table of docs/design/locks.md, line by line.
func TestLockedEntities(t *testing.T) {
	type rows struct {
		Ents []ecs.Entity
		Pos  []Position
	}
	for _, group := range []bool{false, true} {
		w := world(t, ecs.Options{})
		position, velocity := ecs.Register[Position](w, "position"), ecs.Register[Velocity](w, "velocity")
		saddles, poison := ecs.Register[saddle](w, "saddle", ecs.Volatile), ecs.Register[Poison](w, "poison", ecs.Thin)
		if group {
			ecs.GroupMade[body](w, "body")
		}
		bodies := ecs.SpawnerOf[body](w)
		e, free := ok(bodies.Spawn(body{})), ok(bodies.Spawn(body{}))
		for _, x := range []ecs.Entity{free, e} {
			saddles.Add(x, saddle{1})
		}
		mounted := w.NewLock("mounted", position, saddles)
		want := func(what string, err error, component string) {
			t.Helper()
			locked, is := errors.AsType[store.LockedError](err)
			if !is || !errors.Is(err, ecs.ErrLocked) || locked != (store.LockedError{Entity: e, Lock: "mounted", Holder: "rider", Component: component}) {
				t.Errorf("group %v: %s: %v", group, what, err)
			}
		}
		none := func(what string, err error) {
			t.Helper()
			if err != nil {
				t.Errorf("group %v: %s: %v", group, what, err)
			}
		}
		none("Hold", mounted.Hold(e, "rider"))

		want("Destroy", w.Destroy(e), "")
		want("Remove", position.Remove(e), "position")
		want("Remove of a volatile one", saddles.Remove(e), "saddle")
		none("Add", poison.Add(e, Poison{3}))
		none("Remove of what it does not keep", velocity.Remove(e))
		none("Set", position.Set(e, Position{5, 6}))
		if poison.Remove(e) != nil || *position.Get(e) != (Position{5, 6}) || poison.Remove(e) != ecs.ErrAbsent {
			t.Error("a locked entity is not what was written")
		}
		n, err := saddles.RemoveAll(ecs.Handles{e, free, e})
		if want("RemoveBatch", err, "saddle"); n != 1 || saddles.Has(free) {
			t.Errorf("RemoveBatch: %d, %v", n, saddles.Has(free))
		}
		saddles.Add(free, saddle{2})
		if want("Pool.Clear", saddles.Clear(), "saddle"); saddles.Len() != 1 || !saddles.Has(e) {
			t.Errorf("Pool.Clear left %d", saddles.Len())
		}
		if n := ok(w.DestroyAll(ecs.Handles{free, e})); n != 1 || !w.Alive(e) || w.Alive(free) {
			t.Errorf("DestroyBatch: %d", n)
		}
		free = ok(bodies.Spawn(body{}))
		q := ecs.QueryOf[struct{ P []Position }](w)
		n, err = position.RemoveAll(q)
		if want("RemoveAll", err, "position"); n != 1 || position.Has(free) || !position.Has(e) {
			t.Errorf("RemoveAll: %d", n)
		}
		if n := ok(w.DestroyAll(q)); n != 0 || !w.Alive(e) {
			t.Errorf("DestroyAll: %d", n)
		}
		c, dropped := w.Commands(), w.Stats().Dropped
		c.Destroy(e)
		saddles.Later(c).Remove(e)
		velocity.Later(c).Add(e, Velocity{})
		if none("SafePoint", w.SafePoint()); w.Stats().Dropped != dropped+2 || !velocity.Has(e) {
			t.Errorf("commands: %d dropped, velocity %v", w.Stats().Dropped-dropped, velocity.Has(e))
		}

		// The hold of a command's entity, in a system, counts before the command.
		c.Destroy(e)
		marked := ecs.QueryOf[rows](w)
		none("Release", mounted.Release(e, "rider"))
		for b := range marked.All() {
			none("Hold while a query iterates", mounted.Hold(b.Ents[0], "rider"))
		}
		if none("SafePoint", w.SafePoint()); !w.Alive(e) {
			t.Error("a command destroyed what was held when it was applied")
		}

		ok(0, w.Check())
		if w.Reset(); w.Alive(e) || len(slices.Collect(w.Locks())) != 0 || mounted.Release(e, "rider") != ecs.ErrStale {
			t.Error("Clear left a lock")
		}
		for range 3 {
			if x := ok(bodies.Spawn(body{})); slices.Collect(w.Locks(x)) != nil || position.Remove(x) != nil || w.Destroy(x) != nil {
				t.Errorf("%v is locked, and new", x)
			}
		}
		x := ok(bodies.Spawn(body{}))
		none("Hold", mounted.Hold(x, "rider"))
	} // Close, with an entity that is held
}

// An index that was held and released is used again without a lock, whoever has it then.
func TestLocksOnRecycledIndexes(t *testing.T) {
	w := world(t, ecs.Options{})
	position := ecs.Register[Position](w, "position")
	l := w.NewLock("saved")
	old := ok(w.Spawn())
	l.Hold(old, "disk")
	l.Release(old, "disk")
	ok(0, w.Destroy(old))
	e := ok(w.Spawn())
	if e.Index() != old.Index() {
		t.Fatalf("%v does not have the index of %v", e, old)
	}
	position.Add(e, Position{})
	if err := l.Hold(old, "disk"); err != ecs.ErrStale || slices.Collect(w.Locks(e)) != nil || slices.Collect(w.Locks(old)) != nil {
		t.Errorf("%v, %v, %v", err, slices.Collect(w.Locks(e)), slices.Collect(w.Locks(old)))
	}
	l.Hold(e, "disk")
	if err := l.Release(old, "disk"); err != ecs.ErrStale || len(slices.Collect(w.Locks(e))) != 1 || slices.Collect(w.Locks(old)) != nil {
		t.Errorf("%v, %v", err, slices.Collect(w.Locks(e)))
	}
	if err := position.Remove(e); !errors.Is(err, ecs.ErrLocked) {
		t.Error(err)
	}
}

// A lock of pools that are not the world's would keep nothing.
func TestNewLockRefuses(t *testing.T) {
	w, other := world(t, ecs.Options{}), world(t, ecs.Options{})
	p := ecs.Register[Position](other, "position")
	panics(t, `pool "position" of another world`, func() { w.NewLock("l", p) })
	panics(t, "nil or the zero value: pools come from ecs.Register", func() { w.NewLock("l", new(ecs.Pool[Position])) })
	panics(t, "nil or the zero value", func() { w.NewLock("l", nil) })
	panics(t, "made by World.NewLock", func() { new(ecs.Lock).Hold(1, "a") })
	panics(t, "Release of 1v", func() {
		e := ok(w.Spawn())
		w.NewLock("l").Release(e, "a")
	})
}

// A contract holds its entity on request: the components that its schema requires stay, and
// others do not.
func TestHeldByContracts(t *testing.T) {
	w := world(t, ecs.Options{})
	positions, velocities := ecs.Register[Position](w, "position"), ecs.Register[Velocity](w, "velocity")
	poisons, saddles := ecs.Register[Poison](w, "poison"), ecs.Register[saddle](w, "saddle")
	type parts struct {
		Pos    *Position
		Poison ecs.MaybeOne[Poison]
		_      ecs.With[Velocity]
	}
	s := ecs.SchemaOf[parts](w)
	e := ok(s.Spawn())
	fine(poisons.Add(e, Poison{}))
	fine(saddles.Add(e, saddle{}))
	c := ok(s.Bind(e))
	again := ok(ecs.SchemaOf[parts](w).Bind(e)) // of the same type, and so of the same schema
	fine(s.Hold(&c, "script"))
	fine(s.Hold(&again, "script"))
	fine(s.Hold(&again, "editor"))
	for what, err := range map[string]error{"position": positions.Remove(e), "velocity": velocities.Remove(e), "": w.Destroy(e)} {
		if locked, is := errors.AsType[store.LockedError](err); !is || locked != (store.LockedError{Entity: e, Lock: ecs.SchemaName(&s.AnySchema), Holder: "script", Component: what}) {
			t.Errorf("%q: %v", what, err)
		}
	}
	fine(poisons.Remove(e))
	fine(saddles.Remove(e))
	if list := slices.Collect(w.Locks(e)); len(list) != 2 || list[0].Count != 2 || !slices.Equal(list[0].Components, []string{"position", "velocity"}) {
		t.Errorf("it is held: %+v", list)
	}
	fine(s.Release(&again, "script"))
	fine(s.Release(&c, "editor"))
	if !errors.Is(w.Destroy(e), ecs.ErrLocked) {
		t.Error("it is held once, and goes")
	}
	fine(s.Release(&c, "script"))
	panics(t, "does not hold", func() { s.Release(&c, "script") })
	fine(velocities.Remove(e))
	if err := s.Hold(&c, "script"); !errors.Is(err, ecs.ErrAbsent) {
		t.Errorf("a contract that does not hold is held: %v", err)
	}
	fine(w.Destroy(e))
	for _, err := range []error{s.Hold(&c, "script"), s.Release(&c, "script"), s.Hold(nil, "script")} {
		if err != ecs.ErrStale {
			t.Errorf("an entity that is gone: %v", err)
		}
	}
	if list := ecs.SchemaOfPools(w, positions); ecs.SchemaName(list) != "position" {
		t.Error(list)
	}
}
