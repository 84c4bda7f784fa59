package ecs_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// panicky is a world with two tables of entities, all of which have "here", and an observer that panics
// at the next call if armed is true.
type panicky struct {
	w      *ecs.World
	h      *ecs.Pool[here]
	b      *ecs.Pool[hp]
	es     []ecs.Entity
	armed  bool
	told   []ecs.Entity
	system func(do *ecs.Commands)
}

// panickyWorld makes one. The observer is of entities that die, lose "here" or leave a group of it.
func panickyWorld(t *testing.T, of string) *panicky {
	x := &panicky{w: world(t, ecs.Options{})}
	x.h, x.b = ecs.Register[here](x.w, "here"), ecs.Register[hp](x.w, "hp")
	hear := func(es []ecs.Entity) {
		x.told = append(x.told, es...)
		if x.armed {
			x.armed = false
			panic("oh")
		}
	}
	type pawn struct{ H here }
	switch of {
	case "entities":
		ecs.Observe(x.w, "bad", func(c *struct{ Out ecs.Left[ecs.Entity] }) {
			for es := range c.Out.All() {
				hear(es)
			}
		})
	case "a component":
		ecs.Observe(x.w, "bad", func(c *struct{ Out ecs.Left[here] }) {
			for es := range c.Out.All() {
				hear(es)
			}
		})
	case "a group":
		ecs.GroupMade[pawn](x.w, "pawns")
		ecs.Observe(x.w, "bad", func(c *struct{ Out ecs.Left[pawn] }) {
			for es := range c.Out.All() {
				hear(es)
			}
		})
	}
	for i := range 10 {
		e := ok(x.w.Spawn())
		ok(0, x.h.Add(e, here{}))
		if i%2 > 0 {
			ok(0, x.b.Add(e, hp{}))
		}
		x.es = append(x.es, e)
	}
	ecs.System(x.w, "asks", func(c *struct{ Do *ecs.Commands }) {
		if f := x.system; f != nil {
			x.system = nil
			f(c.Do)
		}
	})
	return x
}

// alive counts the entities that are alive.
func (x *panicky) alive() (n int) {
	for _, e := range x.es {
		if x.w.Alive(e) {
			n++
		}
	}
	return n
}

// Entities of which an observer was told that they go are gone, also if the observer has panicked. Each is told once, and
// commands behind that one wait.
func TestPanicAtDestroy(t *testing.T) {
	for _, of := range []string{"entities", "a component", "a group"} {
		for name, destroy := range map[string]func(x *panicky, do *ecs.Commands){
			"Destroy of each": func(x *panicky, do *ecs.Commands) {
				for _, e := range x.es {
					do.Destroy(e)
				}
			},
			"World.Destroy": nil,
		} {
			x := panickyWorld(t, of)
			if destroy == nil {
				_, _ = x.w.DestroyAll(ecs.Handles(x.es[1:]))
				x.armed = true
				panics(t, "oh", func() { _ = x.w.Destroy(x.es[0]) })
			} else {
				late := ok(x.w.Spawn())
				x.system = func(do *ecs.Commands) {
					destroy(x, do)
					x.b.Later(do).Add(late, hp{7})
				}
				x.armed = true
				panics(t, "oh", func() { ok(0, x.w.Run(t.Context())) })
				if n := x.w.Stats().Waiting; n != 1 || x.b.Has(late) {
					t.Errorf("%s, %s: %d commands wait, added %v", name, of, n, x.b.Has(late))
				}
				for x.w.Stats().Waiting > 0 {
					_ = x.w.Run(t.Context())
				}
				if !x.b.Has(late) {
					t.Errorf("%s, %s: the command behind it is lost", name, of)
				}
			}
			slices.Sort(x.told)
			if s := x.w.Stats(); x.alive() > 0 || s.Dropped > 0 || !slices.Equal(x.told, x.es) {
				t.Errorf("%s, %s: %d are alive, %d dropped, told %v of %v", name, of, x.alive(), s.Dropped, x.told, x.es)
			}
		}
	}
}

// So are entities of other calls that destroy many.
func TestPanicAtDestroyOfMany(t *testing.T) {
	for name, destroy := range map[string]func(x *panicky){
		"a query": func(x *panicky) { _, _ = x.w.DestroyAll(ecs.QueryOf[struct{ B []hp }](x.w)) },
		"Reset":   func(x *panicky) { x.w.Reset() },
		"rows that a function chooses": func(x *panicky) {
			_, _ = ecs.QueryOf[struct{ B []hp }](x.w).DestroyWhere(func(*struct{ B []hp }, int) bool { return true })
		},
	} {
		x := panickyWorld(t, "entities")
		x.armed = true
		panics(t, "oh", func() { destroy(x) })
		if n := x.b.Len(); n > 0 || x.armed {
			t.Errorf("%s: %d are alive", name, n)
		}
	}
}

// A Put and a Spawn of several components are made in whole if an observer of the first one panics.
func TestPanicAtPut(t *testing.T) {
	w := world(t, ecs.Options{})
	h, b := ecs.Register[here](w, "here"), ecs.Register[hp](w, "hp")
	sp := ecs.SpawnerOf[struct {
		H here
		B hp
	}](w)
	armed := false
	ecs.Observe(w, "bad", func(c *struct {
		In  ecs.Arrived[here]
		Set ecs.Arrived[ecs.Set[here]]
		Any ecs.Arrived[ecs.Entity]
	}) {
		if armed {
			armed = false
			panic("oh")
		}
	})
	v := struct {
		H here
		B hp
	}{B: hp{5}}
	plain, tagged := ok(w.Spawn()), ok(w.Spawn())
	ok(0, h.Add(tagged, here{}))
	for name, ask := range map[string]func() ecs.Entity{
		"Put":          func() ecs.Entity { sp.Later(w.Commands()).Put(plain, v); return plain },
		"Put in parts": func() ecs.Entity { sp.Later(w.Commands()).Put(tagged, v); return tagged },
		"Spawn":        func() ecs.Entity { return sp.Later(w.Commands()).Spawn(v) },
	} {
		e := ask()
		armed = true
		panics(t, "oh", func() { ok(0, w.SafePoint()) })
		if s := w.Stats(); !h.Has(e) || b.Get(e) == nil || b.Get(e).V != 5 || s.Dropped+uint64(s.Waiting) > 0 {
			t.Errorf("%s: here %v, hp %v, %d dropped, %d wait", name, h.Has(e), b.Get(e), s.Dropped, s.Waiting)
		}
	}
}

// Commands of an observer that stand behind one at which another observer panics are dropped, and listed.
func TestPanicAtAnswer(t *testing.T) {
	w := world(t, ecs.Options{})
	h, b := ecs.Register[here](w, "here"), ecs.Register[hp](w, "hp")
	ecs.Observe(w, "answers", func(c *struct {
		In ecs.Arrived[here]
		Do ecs.Later[hp]
	}) {
		for es := range c.In.All() {
			for i := range 3 {
				c.Do.Put(es[0], hp{int32(i)})
			}
		}
	})
	ecs.Observe(w, "bad", func(c *struct{ In ecs.Arrived[hp] }) { panic("oh") })
	e := ok(w.Spawn())
	panics(t, "oh", func() { _ = h.Add(e, here{}) })
	s := w.Stats()
	if !h.Has(e) || b.Get(e) == nil || b.Get(e).V != 0 || s.Dropped != 2 || !strings.Contains(fmt.Sprint(s.Drops), "an observer has panicked at a command before it") {
		t.Errorf("hp %v, %d dropped: %v", b.Get(e), s.Dropped, s.Drops)
	}
	if err := w.SafePoint(); err == nil || !strings.Contains(err.Error(), "an observer has panicked") {
		t.Error(err)
	}
}

// Systems learn of all that a change does, whichever observer of it has panicked.
func TestPanicLosesNoNews(t *testing.T) {
	type pawn struct {
		H here
		B hp
	}
	changes := map[string]func(w *ecs.World, sp *ecs.Spawner[pawn], e ecs.Entity){
		"Spawn": func(w *ecs.World, sp *ecs.Spawner[pawn], e ecs.Entity) { _, _ = sp.Spawn(pawn{}) },
		"Put":   func(w *ecs.World, sp *ecs.Spawner[pawn], e ecs.Entity) { _ = sp.Put(e, pawn{}) },
		"DestroyAll": func(w *ecs.World, sp *ecs.Spawner[pawn], e ecs.Entity) {
			_, _ = w.DestroyAll(ecs.Handles([]ecs.Entity{e}))
		},
		"Destroy":    func(w *ecs.World, sp *ecs.Spawner[pawn], e ecs.Entity) { _ = w.Destroy(e) },
		"SetEnabled": func(w *ecs.World, sp *ecs.Spawner[pawn], e ecs.Entity) { _ = w.SetEnabled(e, false) },
		"commands": func(w *ecs.World, sp *ecs.Spawner[pawn], e ecs.Entity) {
			sp.Later(w.Commands()).Put(e, pawn{})
			_ = w.SafePoint()
		},
	}
	for name, change := range changes {
		news := func(panics func(of string) bool) (list string, panicked bool) {
			w := world(t, ecs.Options{})
			ecs.Register[here](w, "here")
			ecs.Register[hp](w, "hp")
			ecs.GroupMade[pawn](w, "pawns")
			sp := ecs.SpawnerOf[pawn](w)
			oh := func(of string, n int) {
				if n > 0 && panics != nil && panics(of) {
					panics = nil
					panic("oh")
				}
			}
			ecs.System(w, "news", func(c *struct {
				Born  ecs.Arrived[ecs.Entity]
				Dead  ecs.Left[ecs.Entity]
				H     ecs.Arrived[here]
				NoH   ecs.Left[here]
				B     ecs.Arrived[hp]
				NoB   ecs.Left[hp]
				In    ecs.Arrived[pawn]
				Out   ecs.Left[pawn]
				OldH  ecs.Left[ecs.Set[here]]
				NewH  ecs.Arrived[ecs.Set[here]]
				OldB  ecs.Left[ecs.Set[hp]]
				NewB  ecs.Arrived[ecs.Set[hp]]
				Sleep ecs.Arrived[ecs.Disabled[ecs.Entity]]
			}) {
				list = fmt.Sprint(c.Born.Len(), c.Dead.Len(), c.H.Len(), c.NoH.Len(), c.B.Len(), c.NoB.Len(), c.In.Len(), c.Out.Len(), c.OldH.Len(), c.NewH.Len(), c.OldB.Len(), c.NewB.Len(), c.Sleep.Len())
			})
			e := ok(sp.Spawn(pawn{}))
			ok(0, w.Run(t.Context()))
			ecs.Observe(w, "bad", func(c *struct {
				Born ecs.Arrived[ecs.Entity]
				Dead ecs.Left[ecs.Entity]
				H    ecs.Arrived[here]
				NoH  ecs.Left[here]
				OldH ecs.Left[ecs.Set[here]]
				NewH ecs.Arrived[ecs.Set[here]]
				Out  ecs.Left[pawn]
			}) {
				oh("Born", c.Born.Len())
				oh("Dead", c.Dead.Len())
				oh("H", c.H.Len())
				oh("NoH", c.NoH.Len())
				oh("OldH", c.OldH.Len())
				oh("NewH", c.NewH.Len())
				oh("Out", c.Out.Len())
			})
			func() {
				defer func() { panicked = recover() != nil }()
				change(w, sp, e)
			}()
			for w.Stats().Waiting > 0 {
				_ = w.SafePoint()
			}
			ok(0, w.Run(t.Context()))
			ok(0, w.Check())
			return list, panicked
		}
		want, _ := news(nil)
		for _, of := range []string{"Born", "Dead", "H", "NoH", "OldH", "NewH", "Out"} {
			if got, panicked := news(func(x string) bool { return x == of }); panicked && got != want {
				t.Errorf("%s, the observer panics at %s: a system has learned of %s, want %s", name, of, got, want)
			}
		}
	}
}

// A split value is set in whole if an observer of one of its fields panics.
func TestPanicAtSetOfSplit(t *testing.T) {
	w := world(t, ecs.Options{})
	poses := ecs.RegisterSplit[pose](w, "pose")
	e := ok(w.Spawn())
	ok(0, poses.Add(e, pose{}))
	armed := true
	ecs.Observe(w, "bad", func(c *struct {
		Set ecs.Arrived[ecs.Set[vec3]] `ashlar:"pose.At"`
	}) {
		if armed {
			armed = false
			panic("oh")
		}
	})
	ok(0, w.Err())
	v := pose{At: vec3{1, 2, 3}, Mode: 4, Turn: [2]uint64{5, 6}}
	panics(t, "oh", func() { _ = poses.Set(e, v) })
	if got, _ := poses.Load(e); got != v {
		t.Errorf("%v, want %v", got, v)
	}
}
