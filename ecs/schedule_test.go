package ecs_test

import (
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// The schedule has times where all systems have been timed, legs by the fields of structs, and nothing of a world where
// systems wait for each other.
func TestSchedule(t *testing.T) {
	w := world(t, ecs.Options{Record: true, TimeEvery: 1, Workers: 2})
	ecs.Register[spot](w, "spot")
	ecs.Register[age](w, "age")
	ecs.EventsOf[burn](w)
	ecs.Provide(w, uint64(0))
	if got := w.Schedule().String(); got != "no systems\n" {
		t.Error(got)
	}
	ecs.System(w, "begin", func(*struct{ N ecs.WriteRes[uint64] }) {}, ecs.InPhase(ecs.Startup), ecs.Parallel())
	ecs.System(w, "end", func(*struct{ N ecs.Res[uint64] }) {}, ecs.InPhase(ecs.Startup), ecs.Parallel())
	ecs.System(w, "a", func(*struct {
		At  []spot
		Age ecs.Look[age]
		Out ecs.WriteEvents[burn]
	}) {
	}, ecs.Parallel())
	ecs.System(w, "b", func(*struct {
		In ecs.Events[burn]
		N  ecs.WriteRes[uint64]
	}) {
	}, ecs.Parallel())
	ecs.System(w, "c", func(*struct {
		Came ecs.Arrived[age]
		N    ecs.Res[uint64]
	}) {
	}, ecs.Parallel())
	ecs.System(w, "d", func(*struct{ Age ecs.Write[age] }) {}, ecs.Parallel(), ecs.When(func() bool { return true }))
	ecs.System(w, "e", func(*struct {
		Q *ecs.Query[struct {
			Ages []age
			_    ecs.Changed[age]
		}]
	}) {
	}, ecs.Parallel())
	text := w.Schedule().String()
	for _, want := range []string{
		"Startup\n  safe point: the first\n    begin\n  safe point: runs alone",
		"b\n      waits for a, which writes events of ecs_test.burn, and this reads it\n",
		"c\n      waits for b, which writes resource uint64, and this reads it\n",
		"safe point: ecs.When asks about the world\n    d\n",
		"    e\n      waits for d, which writes age, and this reads it\ncritical path: begin → end → a → b → c → d → e: 7 of 7 systems\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for range 4 {
		ok(0, w.Run(t.Context()))
	}
	if text := w.Schedule().String(); !strings.Contains(text, "7 of 7 systems, ") || !strings.Contains(text, "s of ") {
		t.Errorf("no times in\n%s", text)
	}
	ecs.System(w, "f", func(*struct{}) {}, ecs.Before("g"), ecs.After("g"))
	ecs.System(w, "g", func(*struct{}) {})
	if text := w.Schedule().String(); text != "no systems\n" {
		t.Error(text)
	}
}

// Observers may answer a change by any other: while there is one, a safe point stands behind each system that asks.
func TestScheduleWithObservers(t *testing.T) {
	w := world(t, ecs.Options{Workers: 2})
	ecs.Register[spot](w, "spot")
	ecs.Register[age](w, "age")
	ecs.System(w, "a", func(*struct{ Age ecs.Later[age] }) {}, ecs.Parallel())
	ecs.System(w, "b", func(*struct{ At []spot }) {}, ecs.Parallel())
	together := w.Schedule().String()
	ecs.Observe(w, "o", func(*struct {
		In ecs.Arrived[age]
		Do *ecs.Commands
	}) {
	})
	if text := w.Schedule().String(); !strings.Contains(text, "  safe point: a asks for changes\n    b\n") {
		t.Error(text)
	}
	w.RemoveSystem("o")
	if text := w.Schedule().String(); text != together || strings.Contains(text, "asks for changes") {
		t.Error(text)
	}
}

// agedSpot is a group whose members have an age that it does not own.
type agedSpot struct {
	At spot
	_  ecs.With[age]
}

// A safe point stands behind a system that asks for changes if a later one would see them: any that names
// the component in any way.
func TestScheduleOfChanges(t *testing.T) {
	for _, tt := range []struct {
		add  func(*ecs.World)
		sees bool
	}{
		{func(w *ecs.World) { ecs.System(w, "b", func(*struct{ At ecs.Write[spot] }) {}, ecs.Parallel()) }, false},
		{func(w *ecs.World) { ecs.System(w, "b", func(*struct{ L ecs.Later[age] }) {}, ecs.Parallel()) }, false},
		{func(w *ecs.World) { ecs.System(w, "b", func(*struct{ Do *ecs.Commands }) {}, ecs.Parallel()) }, false},
		{func(w *ecs.World) { ecs.System(w, "b", func(*struct{ A ecs.Look[age] }) {}, ecs.Parallel()) }, true},
		{func(w *ecs.World) { ecs.System(w, "b", func(*struct{ A ecs.Arrived[age] }) {}, ecs.Parallel()) }, true},
		{func(w *ecs.World) {
			ecs.System(w, "b", func(*struct {
				At []spot
				_  ecs.Without[age]
			}) {
			}, ecs.Parallel())
		}, true},
		{func(w *ecs.World) {
			ecs.System(w, "b", func(*struct {
				At  []spot
				Age ecs.Maybe[age]
			}) {
			}, ecs.Parallel())
		}, true},
		{func(w *ecs.World) {
			ecs.System(w, "b", func(*struct {
				E []ecs.Entity
				_ ecs.Or[spot, age]
			}) {
			}, ecs.Parallel())
		}, true},
		{func(w *ecs.World) {
			g := ecs.Apart(ecs.GroupOf[struct{ At spot }](w, "spots"))
			ecs.System(w, "b", func(*struct{ At ecs.Write[spot] }) {}, ecs.Parallel(), ecs.OnlyIn(g))
		}, true},
		{func(w *ecs.World) {
			ecs.GroupOf[agedSpot](w, "aged")
			ecs.System(w, "b", func(*struct{ In ecs.Arrived[agedSpot] }) {}, ecs.Parallel())
		}, true},
	} {
		w := world(t, ecs.Options{Workers: 2})
		ecs.Register[spot](w, "spot")
		ecs.Register[age](w, "age")
		ecs.System(w, "a", func(*struct {
			At  []spot
			Age ecs.Later[age]
		}) {
		}, ecs.Parallel())
		tt.add(w)
		ok(0, w.Err())
		const line = "  safe point: a asks for changes of age, which b would see\n    b\n"
		if text := w.Schedule().String(); strings.Contains(text, line) != tt.sees {
			t.Errorf("sees %v, and\n%s", tt.sees, text)
		}
	}
}
