package ecs_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/ecs"
)

// hit is an event with a pointer.
type hit struct {
	Of   ecs.Entity
	By   string
	More *int
}

// got is the events of a reader, in words.
func got(e ecs.Events[hit]) (list []string) {
	for hits := range e.All() {
		for _, h := range hits {
			list = append(list, h.By)
		}
	}
	return list
}

// Later systems of a frame and all systems of the next one read events of a system, each once and
// in order; the writer itself reads it in its next run.
func TestEventsAcrossSystems(t *testing.T) {
	for _, most := range [][]int{nil, {1000}} {
		w := world(t, ecs.Options{})
		out := ecs.EventsOf[hit](w, most...)
		outer := out.Reader()
		var log []string
		read := func(name string) {
			ecs.System(w, name, func(c *struct{ Hits ecs.Events[hit] }) {
				if n := c.Hits.Len(); n != len(got(c.Hits)) || n != len(got(c.Hits)) {
					t.Errorf("%s: %d events, and %d", name, n, len(got(c.Hits)))
				}
				log = append(log, fmt.Sprint(name, got(c.Hits)))
			})
		}
		read("first")
		n := 0
		ecs.System(w, "both", func(c *struct {
			Hits ecs.WriteEvents[hit]
			Own  ecs.Events[hit]
		}) {
			n++
			c.Hits.Write(hit{By: fmt.Sprint("b", n)})
			log = append(log, fmt.Sprint("both", got(c.Own)))
		})
		ecs.System(w, "more", func(c *struct{ Hits ecs.WriteEvents[hit] }) {
			c.Hits.Write(hit{By: fmt.Sprint("m", n), More: new(int)})
		})
		read("last")
		for range 2 {
			out.Write(hit{By: "o"})
			ok(0, w.Run(context.Background()))
		}
		want := "first[o] both[o] last[o b1 m1] first[b1 m1 o] both[b1 m1 o] last[o b2 m2]"
		if s := strings.Join(log, " "); s != want {
			t.Errorf("%v:\n%s, want\n%s", most, s, want)
		}
		if s := fmt.Sprint(outer.Len(), got(outer), got(outer), outer.Len()); s != "6 [o b1 m1 o b2 m2] [] 0" {
			t.Errorf("outside: %s", s)
		}
		if s := ecs.EventsIn(w); s.Written != 6 {
			t.Errorf("%+v", s)
		}
		if d := w.Describe(); !strings.Contains(d, "writes resources events of ecs_test.hit") {
			t.Errorf("%s", d)
		}
	}
}

// A paused reader, and one in fixed steps, keep their places: within a bound, if
// one is given. Events that go are counted.
func TestEventsWait(t *testing.T) {
	for _, x := range []struct {
		most []int
		want string
		lost uint64 // by the paused reader, and, a frame later, by the one in fixed steps
		then uint64
	}{
		{nil, "[1 2 3 4 5 6]", 0, 0},
		{[]int{4}, "[3 4 5 6]", 2, 2},
	} {
		w := world(t, ecs.Options{FixedStep: time.Second})
		ecs.EventsOf[hit](w, x.most...)
		n := 0
		ecs.System(w, "write", func(c *struct{ Hits ecs.WriteEvents[hit] }) {
			n++
			c.Hits.Write(hit{By: fmt.Sprint(n)})
		}, ecs.InPhase(ecs.EachFrame))
		var fixed, paused []string
		missed := uint64(0)
		ecs.System(w, "step", func(c *struct{ Hits ecs.Events[hit] }) {
			fixed, missed = append(fixed, fmt.Sprint(got(c.Hits))), c.Hits.Missed()
		}, ecs.InPhase(ecs.Fixed))
		ecs.System(w, "sleepy", func(c *struct{ Hits ecs.Events[hit] }) { paused = append(paused, fmt.Sprint(got(c.Hits))) }, ecs.InPhase(ecs.Render))
		ok(0, w.Pause("sleepy"))
		run := func(d time.Duration) { ok(0, w.RunFor(context.Background(), d)) }
		for range 5 {
			run(0)
		}
		ok(0, w.Resume("sleepy"))
		run(0)
		if len(paused) != 1 || paused[0] != x.want {
			t.Errorf("%+v: the paused system reads %v, want %s", x.most, paused, x.want)
		}
		run(time.Second)
		if len(fixed) != 1 || missed != x.then {
			t.Errorf("%+v: fixed steps read %v, %d missed", x.most, fixed, missed)
		}
		if s := ecs.EventsIn(w); uint64(s.Dropped) < x.lost || x.lost == 0 && s.Dropped > 0 {
			t.Errorf("%+v: %+v", x.most, s)
		}
	}
}

// Events wait for no system that was removed or refused.
func TestEventsLeave(t *testing.T) {
	w := world(t, ecs.Options{})
	out := ecs.EventsOf[hit](w)
	ecs.System(w, "read", func(c *struct{ Hits ecs.Events[hit] }) {})
	ok(0, w.Pause("read"))
	ecs.System(w, "bad", func(c *struct{ Hits ecs.Events[hit] }) {}, ecs.OnlyIn())
	if err := w.Err(); err == nil {
		t.Fatal("the system is not refused")
	}
	out.Write(hit{})
	for range 3 {
		ok(0, w.Run(context.Background()))
	}
	if n := ecs.EventsIn(w).Kept; n != 1 {
		t.Errorf("%d events wait for a paused system", n)
	}
	ok(0, w.RemoveSystem("read"))
	ok(0, w.Run(context.Background()))
	if n := ecs.EventsIn(w).Kept; n != 0 {
		t.Errorf("%d events wait for nobody", n)
	}
}

func TestEventsRefuse(t *testing.T) {
	w := ecs.New(ecs.Options{})
	ecs.Register[hp](w, "hp")
	for want, call := range map[string]func(){
		"call ecs.EventsOf first": func() { ecs.System(w, "a", func(*struct{ Hits ecs.Events[hit] }) {}) },
		"the bound is [-1]":       func() { ecs.EventsOf[int](w, -1).Write(3) },
		"events of type string already": func() {
			ecs.EventsOf[string](w)
			ecs.EventsOf[string](w).Write("")
		},
		"this is a query": func() {
			ecs.EventsOf[uint8](w)
			ecs.QueryMade[struct {
				HP []hp
				S  ecs.Events[uint8]
			}](w)
		},
		"is a pointer": func() { ecs.System(w, "p", func(*struct{ S *ecs.Events[string] }) {}) },
	} {
		if call(); true {
			if err := w.Err(); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		}
	}
	ok(0, w.Close())
	ecs.EventsOf[int8](w)
}

// Pieces of a Parallel system write and read events at the same time; the order is that of one worker.
func TestEventsOfPieces(t *testing.T) {
	play := func(workers int) (log []string) {
		w := world(t, ecs.Options{Workers: workers})
		ecs.Register[hp](w, "hp")
		bodies := ecs.SpawnerOf[struct{ HP hp }](w)
		ok(0, bodies.SpawnN(make([]ecs.Entity, 40_000), []struct{ HP hp }{{}}))
		out := ecs.EventsOf[hit](w)
		outside := out.Reader()
		ecs.System(w, "write", func(c *struct {
			E    []ecs.Entity
			_    ecs.With[hp]
			Hits ecs.WriteEvents[hit]
			Read ecs.Events[hit]
		}) {
			n := 0
			for list := range c.Read.All() {
				n += len(list)
			}
			for _, e := range c.E {
				if e.Index()%1000 < 3 {
					c.Hits.Write(hit{Of: e, By: fmt.Sprint(n, c.Read.Len(), c.Read.Missed())})
				}
			}
		}, ecs.Parallel())
		ecs.System(w, "more", func(c *struct{ Hits ecs.WriteEvents[hit] }) {
			out.Write(hit{By: "out"})
			c.Hits.Write(hit{By: "more"})
		})
		for range 3 {
			ok(0, w.Run(context.Background()))
		}
		for list := range outside.All() {
			for _, h := range list {
				log = append(log, fmt.Sprint(h.Of, h.By))
			}
		}
		return log
	}
	want := play(1)
	if n := len(want); n != 3*122 || want[n-1] != "nullmore" || want[n-2] != "nullout" || want[n-3] != "40000v1122 122 0" {
		t.Errorf("%d events, at last %v", len(want), want[len(want)-3:])
	}
	for _, workers := range []int{2, 3, 8} {
		if got := play(workers); !slices.Equal(got, want) {
			t.Errorf("%d workers: other events, or in another order", workers)
		}
	}
}
