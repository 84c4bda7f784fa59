package ecs_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Put is Add or Set, at once and later, of one component and of a struct of them, wherever
// they lie.
func TestPut(t *testing.T) {
	for _, how := range []ecs.Storage{ecs.Stable, ecs.Volatile, ecs.Thin} {
		for _, later := range []bool{false, true} {
			w := world(t, ecs.Options{})
			a, b := ecs.Register[b4](w, "a"), ecs.Register[b16](w, "b")
			h := ecs.Register[hp](w, "hp", how)
			g := ecs.GroupOf[duo](w, "duo")
			type foe struct {
				Duo duo // a group's struct, and a component that is not the group's
				HP  hp
			}
			foes := ecs.SpawnerOf[foe](w)
			c := w.Commands()
			putHP := func(e ecs.Entity, v hp) error {
				if !later {
					return h.Put(e, v)
				}
				h.Later(c).Put(e, v)
				return w.SafePoint()
			}
			put := func(e ecs.Entity, v foe) error {
				if !later {
					return foes.Put(e, v)
				}
				foes.Later(c).Put(e, v)
				return w.SafePoint()
			}
			putDuo := func(e ecs.Entity, v duo) error {
				if !later {
					return g.Put(e, v)
				}
				g.Later(c).Put(e, v)
				return w.SafePoint()
			}
			is := func(what string, e ecs.Entity, x, y byte, z int32) {
				t.Helper()
				if a.Get(e)[0] != x || b.Get(e)[0] != y || h.Get(e).V != z {
					t.Errorf("%v, later %v, %s: %v %v %v, want %d %d %d", how, later, what, *a.Get(e), *b.Get(e), *h.Get(e), x, y, z)
				}
				ok(0, w.Check())
			}
			e := ok(w.Spawn())
			ok(0, putHP(e, hp{1}))
			ok(0, putHP(e, hp{2}))
			ok(0, put(e, foe{duo{b4{3}, b16{4}}, hp{5}}))
			is("all, of which one was there", e, 3, 4, 5)
			ok(0, put(e, foe{duo{b4{6}, b16{7}}, hp{8}}))
			is("all that are there", e, 6, 7, 8)
			ok(0, b.Remove(e))
			ok(0, putDuo(e, duo{b4{9}, b16{10}}))
			is("the group's", e, 9, 10, 8)
			e = ok(w.Spawn())
			ok(0, put(e, foe{duo{b4{1}, b16{2}}, hp{3}}))
			is("all at once", e, 1, 2, 3)
			e = ok(foes.Spawn(foe{duo{b4{4}, b16{5}}, hp{6}}))
			is("spawned", e, 4, 5, 6)
			if g.Len() != 3 || w.Stats().Dropped != 0 {
				t.Errorf("%d members, %d dropped", g.Len(), w.Stats().Dropped)
			}
			ok(0, w.Destroy(e))
			for i, err := range []error{putHP(e, hp{}), put(e, foe{}), putDuo(e, duo{})} {
				if later != (err == nil) || !later && !errors.Is(err, ecs.ErrStale) {
					t.Errorf("later %v: Put %d of a dead one: %v", later, i, err)
				}
			}
			if w.Stats().Dropped != map[bool]uint64{true: 3}[later] {
				t.Errorf("%d dropped", w.Stats().Dropped)
			}
		}
	}
}

// A value that is put marks its column as changed, so that kept copies of it are refreshed.
func TestPutMarks(t *testing.T) {
	s := newStage(t, ecs.Options{Views: ecs.Views{Always: true}})
	for range 10 {
		e := ok(s.bodies.Spawn(struct{ T transform }{}))
		ok(0, s.sp.Add(e, sprite{}))
		s.es = append(s.es, e)
	}
	for i := range 6 {
		ok(0, s.w.Run(t.Context())) // and compares
		s.tr.Later(s.w.Commands()).Put(s.es[i], transform{Scale: float64(i), At: vec3{X: 5}})
		s.tr.Later(s.w.Commands()).Set(s.es[i+1], transform{At: vec3{X: 6}})
	}
	if s.tr.Get(s.es[6]).At.X != 0 {
		t.Error("too early")
	}
}

// A field of a spawner's struct that is no component, and no such struct, is refused in
// words that name it.
func TestStructsWithin(t *testing.T) {
	w := world(t, ecs.Options{})
	ecs.Register[b4](w, "a")
	type half struct {
		A b4
		B b16
	}
	type none struct{ B b16 }
	for want, err := range map[string]error{
		"field ecs_test.half.B: ecs_test.b16 is not registered": refusal(w, ecs.SpawnerMade[struct{ H half }](w)),
		"ecs_test.none is not registered":                       refusal(w, ecs.SpawnerMade[struct{ N none }](w)),
		`component "a" is named twice`: refusal(w, ecs.SpawnerMade[struct {
			A b4
			B struct{ A b4 }
		}](w)),
		`"x"`: refusal(w, ecs.SpawnerMade[struct {
			B struct{ A b4 } `ashlar:"x"`
		}](w)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Many are spawned later with one call: they are alive at once, and have their values after
// the next safe point. A refusal leaves none.
func TestSpawnManyLater(t *testing.T) {
	w := world(t, ecs.Options{MaxEntities: 100})
	a, b := ecs.Register[b4](w, "a"), ecs.Register[b16](w, "b")
	g := ecs.GroupOf[struct{ A b4 }](w, "as")
	type both struct {
		A b4
		B b16
	}
	s := ecs.SpawnerOf[both](w)
	c := w.Commands()
	es := make([]ecs.Entity, 40)
	g.Later(c).SpawnN(es[:10], []struct{ A b4 }{{b4{1}}})
	g.Later(c).SpawnN(es[10:12], []struct{ A b4 }{{b4{2}}, {b4{3}}})
	s.Later(c).SpawnN(es[12:30], []both{{b4{4}, b16{5}}})
	s.Later(c).SpawnN(es[30:], []both{{}, {}, {b4{6}, b16{7}}, {}, {}, {}, {}, {}, {}, {b4{8}, b16{9}}})
	if w.Len() != 40 || a.Len() != 0 || c.Len() != 40 {
		t.Errorf("%d entities, %d with a, %d commands", w.Len(), a.Len(), c.Len())
	}
	ok(0, w.SafePoint())
	for i, want := range map[int][2]byte{0: {1}, 9: {1}, 10: {2}, 11: {3}, 12: {4, 5}, 29: {4, 5}, 30: {0, 0}, 32: {6, 7}, 39: {8, 9}} {
		if a.Get(es[i])[0] != want[0] || b.Has(es[i]) != (i >= 12) || i >= 12 && b.Get(es[i])[0] != want[1] {
			t.Errorf("%d: %v %v", i, *a.Get(es[i]), b.Get(es[i]))
		}
	}
	if g.Len() != 40 {
		t.Errorf("%d members", g.Len())
	}
	many := make([]ecs.Entity, 61)
	for i := range many {
		many[i] = 7
	}
	s.Later(c).SpawnN(many, []both{{}})
	if err := w.SafePoint(); !errors.Is(err, arena.ErrFull) || !errors.Is(err, ecs.ErrDropped) || !strings.Contains(err.Error(), "spawn \"a\", \"b\"") || many[0] != 0 || many[60] != 0 || w.Len() != 40 || c.Len() != 0 {
		t.Errorf("too many: %v, %v, %d entities, %d commands", err, many[0], w.Len(), c.Len())
	}
	s.Later(c).SpawnN(many[:60], []both{{}})
	ok(0, w.SafePoint())
	ok(0, w.Check())
	for _, values := range [][]both{make([]both, 3), {}} {
		want := fmt.Sprintf("SpawnN of 2 entities with %d values: give one value for all, or one for each", len(values))
		panics(t, want, func() { s.SpawnN(many[:2], values) })
		panics(t, want, func() { s.Later(c).SpawnN(many[:2], values) })
	}
	ok(0, s.SpawnN(nil, make([]both, 1)))
}

// A dropped command is listed: which system asked, in which frame, for which change, and why. It does not
// stop a frame, and no error is returned unless that is asked for.
func TestDrops(t *testing.T) {
	for _, strict := range []bool{false, true} {
		w := world(t, ecs.Options{StrictCommands: strict})
		h, b := ecs.Register[hp](w, "hp"), ecs.Register[b16](w, "b")
		s := ecs.SpawnerOf[struct {
			H hp
			B b16
		}](w)
		e, bare := ok(w.Spawn()), ok(w.Spawn())
		ok(0, h.Add(e, hp{1}))
		last := 0
		act := true
		ecs.System(w, "hit", func(c *struct{ Cmd *ecs.Commands }) {
			if act {
				h.Later(c.Cmd).Add(e, hp{2})
				h.Later(c.Cmd).Set(bare, hp{3})
				h.Later(c.Cmd).Set(e, hp{4})
			}
		})
		ecs.System(w, "reap", func(c *struct{ Cmd *ecs.Commands }) {
			if act {
				c.Cmd.Destroy(e)
				b.Later(c.Cmd).Remove(bare)
				s.Later(c.Cmd).Put(e, struct {
					H hp
					B b16
				}{})
			}
		})
		ecs.System(w, "last", func(*struct{}) { last++ })
		w.Commands().Destroy(0)
		err := w.Run(t.Context())
		if strict && strings.Count(err.Error(), ecs.ErrStale.Error()) != 1 {
			t.Errorf("a reason is given once: %v", err)
		}
		if strict != (err != nil) || strict && (!errors.Is(err, ecs.ErrDropped) || !errors.Is(err, ecs.ErrStale) || !strings.Contains(err.Error(), "5, which World.Stats lists; the first: a command in frame 1, destroy of")) {
			t.Errorf("strict %v: %v", strict, err)
		}
		var got []string
		for _, d := range ecs.DropsIn(w.Stats()) {
			why := "?"
			for name, err := range map[string]error{"stale": ecs.ErrStale, "present": ecs.ErrPresent, "absent": ecs.ErrAbsent} {
				if d.Err == err {
					why = name
				}
			}
			got = append(got, fmt.Sprint(d.System, " ", d.Frame, " ", d.What, " ", d.Entity == e, " ", why))
		}
		want := "\n 1 destroy false stale\nhit 1 add \"hp\" true present\nhit 1 set \"hp\" false absent\nreap 1 remove \"b\" false absent\nreap 1 put \"hp\", \"b\" true stale"
		if s := "\n" + strings.Join(got, "\n"); s != want {
			t.Errorf("dropped:%s\nwant:%s", s, want)
		}
		if d := fmt.Sprint(w.Stats().Drops[1]); d != fmt.Sprintf(`a command of system "hit" in frame 1, add "hp" of %v: %v`, e, ecs.ErrPresent) {
			t.Error(d)
		}
		if w.Stats().Dropped != 5 || last != 1 || w.Frame() != 1 || w.Alive(e) {
			t.Errorf("%d dropped, the last system ran %d times, frame %d", w.Stats().Dropped, last, w.Frame())
		}
		act = false
		if err := w.Run(t.Context()); err != nil {
			t.Errorf("once more: %v", err)
		}
		// The last of many are listed.
		for i := range 2000 {
			w.Commands().Destroy(ecs.Entity(i) << 32)
			if i%7 == 0 {
				err := w.SafePoint()
				if strict != errors.Is(err, ecs.ErrDropped) {
					t.Fatalf("SafePoint: %v", err)
				}
			}
		}
		_ = w.SafePoint()
		list := ecs.DropsIn(w.Stats())
		if len(list) != 256 || list[255].Entity != 1999<<32 || list[0].Entity != 1744<<32 || w.Stats().Dropped != 2005 {
			t.Errorf("%d are listed, to %v; %d dropped", len(list), list[len(list)-1], w.Stats().Dropped)
		}
	}
}

// A command that can never be carried out is returned once, at the end of the frame, and
// dropped; the others are made.
func TestCommandThatCannotBe(t *testing.T) {
	type wide [40 << 10]byte
	type wider [50 << 10]byte
	w := world(t, ecs.Options{})
	a, b, h := ecs.Register[wide](w, "wide", ecs.Stable), ecs.Register[wider](w, "wider", ecs.Stable), ecs.Register[hp](w, "hp")
	e := ok(w.Spawn())
	ok(0, a.Add(e, wide{}))
	ran := 0
	ecs.System(w, "grow", func(c *struct{ Cmd *ecs.Commands }) {
		if w.Frame() == 0 {
			b.Later(c.Cmd).Add(e, wider{})
			h.Later(c.Cmd).Add(e, hp{5})
		}
	})
	ecs.System(w, "last", func(*struct{}) { ran++ })
	err := w.Run(t.Context())
	if !errors.Is(err, ecs.ErrDropped) || !errors.Is(err, chunk.ErrLayout) || !strings.Contains(err.Error(), `of system "grow" in frame 1, add "wider" of`) {
		t.Errorf("%v", err)
	}
	if h.Get(e).V != 5 || ran != 1 || w.Frame() != 1 || w.Stats().Dropped != 1 || w.Commands().Len() != 0 {
		t.Errorf("%d, frame %d, %d dropped, %d wait", ran, w.Frame(), w.Stats().Dropped, w.Commands().Len())
	}
	ok(0, w.Run(context.Background()))
	if ran != 2 {
		t.Error("the next Run does not run")
	}
}

// Commands that memory is refused for wait, and can be dropped.
func TestClearCommands(t *testing.T) {
	w := world(t, ecs.Options{Memory: memmgr.Options{Arena: arena.Options{SmallPages: true}}})
	big := ecs.Register[b8K](w, "big")
	s := ecs.SpawnerOf[struct{ B b8K }](w)
	memory := w.Manager().Arena()
	c := w.Commands()
	memory.SetLimit(memory.Stats().Committed + arena.RegionBytes)
	for range 600 {
		s.Later(c).Spawn(struct{ B b8K }{})
	}
	for range 3 {
		if err := w.SafePoint(); !errors.Is(err, arena.ErrLimit) || errors.Is(err, ecs.ErrDropped) {
			t.Fatal(err)
		}
	}
	n := c.Len()
	if n == 0 || n+big.Len() != 600 {
		t.Fatalf("%d wait, %d done", n, big.Len())
	}
	if c.Drop() != n || c.Len() != 0 || w.Stats().Dropped != uint64(n) || !errors.Is(w.Stats().Drops[0], ecs.ErrDropped) || ecs.DropsIn(w.Stats())[0].What != `spawn "big"` {
		t.Errorf("%d wait, %d dropped", c.Len(), w.Stats().Dropped)
	}
	ok(0, w.SafePoint())
	if w.Len() != 600 || c.Drop() != 0 {
		t.Errorf("%d entities", w.Len())
	}
	ecs.System(w, "drop", func(x *struct {
		B   []b8K
		Cmd *ecs.Commands
	}) {
		defer func() {
			if r := fmt.Sprint(recover()); !strings.Contains(r, "Drop of Commands") {
				t.Error(r)
			}
		}()
		x.Cmd.Drop()
	})
	ok(0, w.Run(t.Context()))
}
