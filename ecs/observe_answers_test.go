package ecs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// Commands of an observer are made before the call returns that it hears, whichever side of a change it hears alone, and
// whoever hears it beside.
func TestObserverAnswersAtOnce(t *testing.T) {
	for name, x := range map[string]struct {
		observe func(w *ecs.World)
		change  func(n *ecs.Pool[there], e ecs.Entity) error
	}{
		"Add": {func(w *ecs.World) {
			ecs.Observe(w, "o", func(c *struct {
				In ecs.Arrived[there]
				H  ecs.Later[here]
			}) {
				for es, vs := range c.In.All() {
					c.H.Add(es[0], here{X: vs[0].N})
				}
			})
		}, func(n *ecs.Pool[there], e ecs.Entity) error { return n.Add(e, there{7}) }},
		"Remove": {func(w *ecs.World) {
			ecs.Observe(w, "o", func(c *struct {
				Out ecs.Left[there]
				H   ecs.Later[here]
			}) {
				for es, vs := range c.Out.All() {
					c.H.Add(es[0], here{X: vs[0].N})
				}
			})
		}, func(n *ecs.Pool[there], e ecs.Entity) error { ok(0, n.Add(e, there{7})); return n.Remove(e) }},
		"Set, the new value": {func(w *ecs.World) {
			ecs.Observe(w, "o", func(c *struct {
				New ecs.Arrived[ecs.Set[there]]
				H   ecs.Later[here]
			}) {
				for es, vs := range c.New.All() {
					c.H.Add(es[0], here{X: vs[0].Value.N})
				}
			})
		}, func(n *ecs.Pool[there], e ecs.Entity) error { ok(0, n.Add(e, there{1})); return n.Set(e, there{7}) }},
		"Set, the old value": {func(w *ecs.World) {
			ecs.Observe(w, "o", func(c *struct {
				Old ecs.Left[ecs.Set[there]]
				H   ecs.Later[here]
			}) {
				for es, vs := range c.Old.All() {
					c.H.Add(es[0], here{X: vs[0].Value.N})
				}
			})
		}, func(n *ecs.Pool[there], e ecs.Entity) error { ok(0, n.Add(e, there{7})); return n.Set(e, there{1}) }},
	} {
		for _, beside := range []string{"", "before", "behind"} {
			w := world(t, ecs.Options{})
			h, n := ecs.Register[here](w, "here"), ecs.Register[there](w, "there")
			deaf := func(when string) {
				if beside == when {
					ecs.Observe(w, when, func(c *struct {
						In  ecs.Arrived[there]
						Out ecs.Left[there]
					}) {
					})
				}
			}
			deaf("before")
			x.observe(w)
			deaf("behind")
			m := ecs.Register[unseenMark](w, "mark")
			for i := range 3 { // the second one goes along an edge that is known, to a table that has rows
				e := ok(w.Spawn())
				ok(0, m.Add(e, unseenMark{}))
				ok(0, x.change(n, e))
				if v := h.Get(e); v == nil || v.X != 7 {
					t.Fatalf("%s, another observer %q, entity %d: the answer is %v", name, beside, i, v)
				}
				ok(0, h.Remove(e))
				ok(0, w.Check())
			}
		}
	}
}

// A split component that is set is told before the call returns, when all its fields are set.
func TestSplitSetIsToldAtOnce(t *testing.T) {
	w := world(t, ecs.Options{})
	s := ecs.RegisterSplit[twofold](w, "twofold")
	var log []string
	ecs.Observe(w, "o", func(c *struct {
		New ecs.Arrived[ecs.Set[uint64]] `ashlar:"twofold.A"`
		B   ecs.Look[uint64]             `ashlar:"twofold.B"`
	}) {
		for es, vs := range c.New.All() {
			log = append(log, fmt.Sprint(vs[0].Value, *c.B.Get(es[0])))
		}
	})
	e := ok(w.Spawn())
	ok(0, s.Add(e, twofold{1, 2}))
	ok(0, s.Set(e, twofold{3, 4}))
	if got := strings.Join(log, ", "); got != "3 4" {
		t.Errorf("told of %q", got)
	}
}

// A call that adds several components is told when all is done, also to an observer of one that is alone.
func TestPutIsToldAsAWhole(t *testing.T) {
	w := world(t, ecs.Options{})
	ecs.Register[here](w, "here")
	ecs.Register[there](w, "there")
	heard := 0
	ecs.Observe(w, "o", func(c *struct {
		In ecs.Arrived[here]
		N  ecs.Look[there]
	}) {
		for es := range c.In.All() {
			if heard++; heard%2 == 1 && c.N.Get(es[0]) == nil {
				t.Errorf("%v have it, and the rest is to come", es)
			}
		}
	})
	m := ecs.Register[unseenMark](w, "mark")
	for range 3 { // the second one goes along edges that are known, to tables that have rows
		e := ok(w.Spawn())
		ok(0, m.Add(e, unseenMark{}))
		ok(0, ecs.SpawnerOf[couple](w).Put(e, couple{here{X: 2}, there{3}}))
		ok(0, ecs.SpawnerOf[struct {
			unseenMark
			here
		}](w).SpawnN(make([]ecs.Entity, 1), []struct {
			unseenMark
			here
		}{{}}))
	}
	if heard != 6 {
		t.Errorf("heard %d times", heard)
	}
}

// An observer of values that were set panics as an entity is destroyed: others hear of its end all the same.
func TestSetIsToldBeforeAnEnd(t *testing.T) {
	w := world(t, ecs.Options{})
	h := ecs.Register[here](w, "here")
	e := ok(w.Spawn())
	ok(0, h.Add(e, here{}))
	dead, ends := 0, 0
	ecs.System(w, "s", func(c *struct{ Dead ecs.Left[ecs.Entity] }) { dead += c.Dead.Len() })
	ecs.Observe(w, "o", func(c *struct{ New ecs.Arrived[ecs.Set[here]] }) {
		if h.Get(e) == nil {
			t.Error("it is gone")
		}
		panic("on purpose")
	})
	ecs.Observe(w, "ends", func(c *struct{ Dead ecs.Left[ecs.Entity] }) { ends += c.Dead.Len() })
	ok(0, w.Run(t.Context()))
	for range ecs.QueryOf[struct{ H []here }](w).All() {
		ok(0, h.Set(e, here{X: 4}))
	}
	panics(t, "on purpose", func() { _ = w.Destroy(e) })
	ok(0, w.Run(t.Context()))
	if w.Alive(e) || dead != 1 || ends != 1 {
		t.Errorf("alive %v, %d ends were heard by a system, and %d by an observer", w.Alive(e), dead, ends)
	}
}

// A call that adds one component and sets another is told when all is done. Values that were set in a loop are told before what
// comes behind it.
func TestSetIsToldInItsTurn(t *testing.T) {
	w := world(t, ecs.Options{})
	h, n := ecs.Register[here](w, "here"), ecs.Register[there](w, "there")
	var log []string
	ecs.Observe(w, "o", func(c *struct {
		Old ecs.Left[ecs.Set[here]]
		New ecs.Arrived[ecs.Set[here]]
		N   ecs.Look[there]
	}) {
		for es, vs := range c.Old.All() {
			log = append(log, fmt.Sprint("-", len(es), vs[0].Value.X))
		}
		for es, vs := range c.New.All() {
			log = append(log, fmt.Sprint("+", len(es), vs[0].Value.X, c.N.Has(es[0])))
		}
	})
	e, other := ok(w.Spawn()), ok(w.Spawn())
	ok(0, h.Add(e, here{X: 1}))
	ok(0, h.Add(other, here{X: 5}))
	ok(0, ecs.SpawnerOf[couple](w).Put(e, couple{here{X: 2}, there{3}}))
	for range ecs.QueryOf[struct{ N []there }](w).All() {
		ok(0, h.Set(e, here{X: 4}))
	}
	ok(0, h.Set(other, here{X: 6}))
	ok(0, n.Remove(e))
	ok(0, h.Set(other, here{X: 7}))
	want := "-1 1 +1 2 true -2 2 +2 4 true -1 6 +1 7 false"
	if got := strings.Join(log, " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if h.Get(e).X != 4 || h.Get(other).X != 7 {
		t.Errorf("%v and %v", *h.Get(e), *h.Get(other))
	}
}

// Who begins to listen before values that were set in a loop are told has the old ones, too.
func TestObserverBetweenSetAndSafePoint(t *testing.T) {
	w := world(t, ecs.Options{})
	h := ecs.Register[here](w, "here")
	e := ok(w.Spawn())
	ok(0, h.Add(e, here{X: 1}))
	ecs.Observe(w, "new", func(c *struct{ New ecs.Arrived[ecs.Set[here]] }) {})
	for range ecs.QueryOf[struct{ H []here }](w).All() {
		ok(0, h.Set(e, here{X: 4}))
	}
	var log []string
	ecs.Observe(w, "old", func(c *struct{ Old ecs.Left[ecs.Set[here]] }) { logLeft(&log, c.Old) })
	ecs.System(w, "system", func(c *struct{ Old ecs.Left[ecs.Set[here]] }) { logLeft(&log, c.Old) })
	ok(0, w.Run(t.Context()))
	if got, want := strings.Join(log, " "), "-1 [{{1 0}}] -1 [{{1 0}}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
