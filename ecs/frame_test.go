package ecs_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/ecs"
)

// Systems without rows run once a frame and may change the world; resources are what Provide
// was given, read and written; a program is told what it lacks.
func TestSystemsWithoutRows(t *testing.T) {
	w := world(t, ecs.Options{})
	p := ok(ecs.Register[point](w, "point"))
	type clock struct{ Frames, Spawned int }
	late := ecs.System(w, "early", func(*struct{ C ecs.Res[clock] }) {})
	if late == nil || !strings.Contains(late.Error(), "no resource of type ecs_test.clock: call ecs.Provide first") {
		t.Errorf("a resource that is not there: %v", late)
	}
	c := ok(ecs.Provide(w, clock{}))
	if _, err := ecs.Provide(w, clock{}); err == nil {
		t.Error("a second one is taken")
	}
	if ecs.Resource[clock](w) != c || ecs.Resource[int](w) != nil {
		t.Error("Resource returns another one")
	}
	ok(0, ecs.System(w, "early", func(c *struct {
		C    ecs.Res[clock] `ashlar:"write"`
		Pool *ecs.Pool[point]
	}) {
		c.C.Mut().Frames++
		e := ok(w.Spawn()) // nothing iterates
		ok(0, c.Pool.Add(e, point{1, 2}))
	}))
	calls := 0
	ok(0, ecs.System(w, "counts", func(*struct{}) { calls++ }))
	ok(0, ecs.System(w, "reads", func(s *struct {
		C ecs.Res[clock]
		P []point
	}) {
		if s.C.Get() != c || s.C.Get().Frames != len(s.P) {
			t.Errorf("%d points in frame %d", len(s.P), s.C.Get().Frames)
		}
		defer func() {
			if r, _ := recover().(string); !strings.Contains(r, `write `+"`ashlar") {
				t.Errorf("Mut of what is read: %q", r)
			}
		}()
		s.C.Mut()
	}))
	for range 3 {
		ok(0, w.Run(t.Context()))
	}
	if p.Len() != 3 || c.Frames != 3 || calls != 3 {
		t.Errorf("%d points, %d frames, %d calls", p.Len(), c.Frames, calls)
	}
	for what, err := range map[string]error{
		"excludes alone": ecs.System(w, "x1", func(*struct{ _ ecs.Without[point] }) {}),
		"entities alone": ecs.System(w, "x2", func(*struct{ E []ecs.Entity }) {}),
		"optional alone": ecs.System(w, "x3", func(*struct {
			P []point `ashlar:"optional"`
		}) {
		}),
		"a query of none": second(ecs.QueryOf[struct{ Pool *ecs.Pool[point] }](w)),
	} {
		if err == nil || !strings.Contains(err.Error(), "it requires no component") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Phases, sets and order, as a program uses them.
func TestFrameOfPhases(t *testing.T) {
	w := world(t, ecs.Options{FixedStep: 10 * time.Millisecond, MaxSteps: 3})
	var log []string
	add := func(name string, options ...ecs.SystemOption) {
		ok(0, ecs.System(w, name, func(*struct{}) { log = append(log, name) }, options...))
	}
	on := true
	add("draw", ecs.InPhase(ecs.Render))
	add("hit", ecs.InSet("combat"), ecs.After("move"))
	add("move")
	add("aim", ecs.Before("combat"), ecs.When(func() bool { return on }))
	add("load", ecs.InPhase(ecs.Startup))
	add("physics", ecs.InPhase(ecs.Fixed))
	frame := func(run func() error, want string) {
		t.Helper()
		log = nil
		ok(0, run())
		if got := strings.Join(log, " "); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	plain := func() error { return w.Run(t.Context()) }
	timed := func(d time.Duration) func() error { return func() error { return w.RunFor(t.Context(), d) } }
	frame(plain, "load physics move aim hit draw")
	frame(timed(25*time.Millisecond), "physics physics move aim hit draw")
	if a := w.Alpha(); a < 0.49 || a > 0.51 {
		t.Errorf("alpha %v", a)
	}
	frame(timed(4*time.Millisecond), "move aim hit draw")
	frame(timed(time.Second), "physics physics physics move aim hit draw")
	on = false
	frame(plain, "physics move hit draw")
	ok(0, w.Pause("combat"))
	frame(plain, "physics move draw")
	ok(0, w.Resume("combat"))
	ok(0, w.RemoveSystem("move"))
	if err := w.Run(t.Context()); err == nil || !strings.Contains(err.Error(), `"hit" is to run after "move", which is the name of no system`) {
		t.Errorf("a name that is gone: %v", err)
	}
	add("move")
	frame(plain, "physics move hit draw")
	add("loop", ecs.After("hit"), ecs.Before("move"))
	if err := w.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "hit → loop → move → hit") {
		t.Errorf("a circle: %v", err)
	}
	ok(0, w.RemoveSystem("loop"))
	frame(plain, "physics move hit draw")
	if got := fmt.Sprint(ecs.EachFrame, ecs.Startup, ecs.Fixed, ecs.Render, ecs.Phase(7)); got != "EachFrame Startup Fixed Render Phase(7)" {
		t.Error(got)
	}
	ok(0, w.Close())
	for what, err := range map[string]error{"Pause": w.Pause("hit"), "Resume": w.Resume("hit"), "RemoveSystem": w.RemoveSystem("hit"), "RunFor": w.RunFor(t.Context(), 0)} {
		if !errors.Is(err, ecs.ErrClosed) {
			t.Errorf("%s of a closed world: %v", what, err)
		}
	}
}

// A frame that a refusal of memory has stopped goes on, with the steps that it had, and time
// that passes meanwhile is for the next one.
func TestStoppedFrameKeepsItsSteps(t *testing.T) {
	w := world(t, ecs.Options{FixedStep: 10 * time.Millisecond})
	big := ok(ecs.Register[[4096]uint64](w, "big"))
	steps, asks := 0, 0
	ok(0, ecs.System(w, "step", func(c *struct{ Do *ecs.Commands }) {
		steps++
		if asks < 64 {
			for range 64 {
				asks++
				big.AddLater(c.Do, ok(c.Do.Spawn()), [4096]uint64{})
			}
		}
	}, ecs.InPhase(ecs.Fixed)))
	ok(0, w.Destroy(ok(w.Spawn()))) // there is room for handles
	w.Manager().Arena().SetLimit(1)
	err := w.RunFor(t.Context(), 20*time.Millisecond)
	if err == nil || steps != 1 {
		t.Fatalf("%v after %d steps", err, steps)
	}
	w.Manager().Arena().SetLimit(0)
	ok(0, w.RunFor(t.Context(), 10*time.Millisecond))
	if steps != 2 || big.Len() != 64 {
		t.Errorf("%d steps, %d made", steps, big.Len())
	}
	ok(0, w.RunFor(t.Context(), 0))
	if steps != 3 {
		t.Errorf("%d steps, want the one that waited", steps)
	}
}
