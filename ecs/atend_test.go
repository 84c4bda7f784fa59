package ecs_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// Changes for the end of the frame are seen by no later system of it, and are made behind all others, whether the
// systems promise Parallel or not. The ones that can't be made are reported as any.
func TestAtEnd(t *testing.T) {
	for _, options := range [][]ecs.SystemOption{nil, {ecs.Parallel()}} {
		w := world(t, ecs.Options{Workers: 2})
		hot := ecs.Register[heat](w, "heat")
		ecs.Register[age](w, "age")
		hots := ecs.SpawnerOf[struct{ H heat }](w)
		first, second := ok(hots.Spawn(struct{ H heat }{heat{1}})), ok(hots.Spawn(struct{ H heat }{heat{2}}))
		var made ecs.Entity
		once := true
		ecs.System(w, "reap", func(c *struct {
			Ents []ecs.Entity
			H    []heat
			End  ecs.AtEnd
			Do   *ecs.Commands
		}) {
			if once {
				once = false
				c.End.Do().Destroy(first)
				hot.Later(c.End.Do()).Set(first, heat{9}) // too late
				hot.Later(c.Do).Set(first, heat{5})       // at the safe point
				made = hots.Later(c.End.Do()).Spawn(struct{ H heat }{heat{3}})
			}
		}, options...)
		var seen []int32
		ecs.System(w, "look", func(c *struct {
			H   []heat
			Age ecs.Later[age]
		}) {
			for _, h := range c.H {
				seen = append(seen, h.V)
			}
		})
		if w.Stats().Waiting != 0 {
			t.Error("there are changes already")
		}
		ok(0, w.Run(t.Context()))
		if len(seen) != 2 || seen[0] != 5 || seen[1] != 2 {
			t.Errorf("a later system sees %v", seen)
		}
		if w.Alive(first) || !w.Alive(second) || hot.Get(made) == nil || hot.Get(made).V != 3 {
			t.Error("the end of the frame made other changes")
		}
		s := w.Stats()
		if s.Waiting != 0 || s.Dropped != 1 || !errors.Is(s.Drops[0], ecs.ErrStale) || ecs.DropsIn(s)[0].System != "reap" {
			t.Errorf("%d wait, %d were dropped: %v", s.Waiting, s.Dropped, s.Drops)
		}
		ok(0, w.Run(t.Context()))
		ok(0, w.Check())
	}
}

// The field asks for no safe point behind its system, but for one between two systems that may spawn.
func TestAtEndSchedule(t *testing.T) {
	w := world(t, ecs.Options{Workers: 2})
	ecs.Register[heat](w, "heat")
	ecs.System(w, "a", func(*struct{ End ecs.AtEnd }) {}, ecs.Parallel())
	ecs.System(w, "b", func(*struct{ H []heat }) {}, ecs.Parallel())
	ecs.System(w, "c", func(*struct{ End ecs.AtEnd }) {}, ecs.Parallel())
	text := w.Schedule().String()
	if !strings.Contains(text, "  safe point: a and c may both spawn entities\n    b\n") {
		t.Error(text)
	}
}

// An observer may have the field, and a query may not. The zero value says so.
func TestAtEndElsewhere(t *testing.T) {
	w := world(t, ecs.Options{})
	hot := ecs.Register[heat](w, "heat")
	e := ok(w.Spawn())
	ecs.Observe(w, "o", func(c *struct {
		In  ecs.Arrived[heat]
		End ecs.AtEnd
	}) {
		for es := range c.In.All() {
			c.End.Do().Destroy(es[0])
		}
	})
	ok(0, hot.Add(e, heat{}))
	if !w.Alive(e) || w.Stats().Waiting != 1 {
		t.Error("it is made at once")
	}
	ok(0, w.Run(t.Context()))
	if w.Alive(e) {
		t.Error("it is not made")
	}
	v := ecs.New(ecs.Options{})
	ecs.Register[heat](v, "heat")
	ecs.QueryMade[struct {
		H   []heat
		End ecs.AtEnd
	}](v)
	if err := v.Err(); err == nil || !strings.Contains(err.Error(), "World.Commands") {
		t.Error(err)
	}
	ok(0, v.Close())
}
