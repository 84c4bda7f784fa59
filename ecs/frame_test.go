package ecs_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Systems without rows run once a frame and may change the world; resources are the values that Provide
// was given, read and written; a program is told of missing ones.
func TestSystemsWithoutRows(t *testing.T) {
	w := world(t, ecs.Options{})
	p := ecs.Register[point](w, "point")
	type clock struct{ Frames, Spawned int }
	ecs.System(w, "early", func(*struct{ C ecs.Res[clock] }) {})
	late := w.Err()
	if late == nil || !strings.Contains(late.Error(), "no resource of type ecs_test.clock: call ecs.Provide first") {
		t.Errorf("a resource that is not there: %v", late)
	}
	c := ecs.Provide(w, clock{})
	ecs.Provide(w, clock{})
	if err := w.Err(); err == nil {
		t.Error("a second one is taken")
	}
	if ecs.Resource[clock](w) != c || ecs.Resource[int](w) != nil {
		t.Error("Resource returns another one")
	}
	ecs.System(w, "early", func(c *struct {
		C    ecs.WriteRes[clock]
		Pool *ecs.Pool[point]
	}) {
		c.C.Mut().Frames++
		e := ok(w.Spawn()) // nothing iterates
		ok(0, c.Pool.Add(e, point{1, 2}))
	})
	calls := 0
	ecs.System(w, "counts", func(*struct{}) { calls++ })
	ecs.System(w, "reads", func(s *struct {
		C ecs.Res[clock]
		P []point
	}) {
		if s.C.Get() != c || s.C.Get().Frames != len(s.P) {
			t.Errorf("%d points in frame %d", len(s.P), s.C.Get().Frames)
		}
	})
	for range 3 {
		ok(0, w.Run(t.Context()))
	}
	if p.Len() != 3 || c.Frames != 3 || calls != 3 {
		t.Errorf("%d points, %d frames, %d calls", p.Len(), c.Frames, calls)
	}
	for what, err := range map[string]error{
		"excludes alone": systemRefusal(w, "x1", func(*struct{ _ ecs.Without[point] }) {}),
		"entities alone": systemRefusal(w, "x2", func(*struct{ E []ecs.Entity }) {}),
		"optional alone": systemRefusal(w, "x3", func(*struct {
			P ecs.Maybe[point]
		}) {
		}),
		"a query of none": refusal(w, ecs.QueryMade[struct{ Pool *ecs.Pool[point] }](w)),
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
		ecs.System(w, name, func(*struct{}) { log = append(log, name) }, options...)
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
	if err := w.Run(t.Context()); err == nil || !strings.Contains(err.Error(), `"hit" is to run after "move", which is not the name of a system`) {
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

// Handles of a closed world are not stale: the world is why calls fail.
func TestHandlesOfAClosedWorld(t *testing.T) {
	w := world(t, ecs.Options{})
	a := ecs.Register[int64](w, "a")
	e := ok(w.Spawn())
	ok(0, a.Add(e, 1))
	ok(0, w.Close())
	_, purged := w.Purge()
	for what, err := range map[string]error{"SafePoint": w.SafePoint(), "Purge": purged, "Clear": a.Clear(), "Add": a.Add(e, 1), "Set": a.Set(e, 1), "Put": a.Put(e, 1), "Remove": a.Remove(e), "Destroy": w.Destroy(e), "SetEnabled": w.SetEnabled(e, false), "Hold": w.NewLock("l").Hold(e, "h")} {
		if err != ecs.ErrClosed {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A frame that a refusal of memory has stopped goes on, with the steps that it had, and time
// that passes meanwhile is for the next one.
func TestStoppedFrameKeepsItsSteps(t *testing.T) {
	w := world(t, ecs.Options{FixedStep: 10 * time.Millisecond})
	big := ecs.Register[[4096]uint64](w, "big")
	steps, asks := 0, 0
	ecs.System(w, "step", func(c *struct{ Do *ecs.Commands }) {
		steps++
		if asks < 64 {
			for range 64 {
				asks++
				big.Later(c.Do).Add(c.Do.Spawn(), [4096]uint64{})
			}
		}
	}, ecs.InPhase(ecs.Fixed))
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

// A frame is neither run nor closed over from within, by a system without rows or by a
// condition, and goes on where that is caught.
func TestFrameFromWithin(t *testing.T) {
	w := world(t, ecs.Options{})
	refused := func(what string, f func()) {
		t.Helper()
		defer func() {
			if r := fmt.Sprint(recover()); !strings.Contains(r, what+` while system "inner" runs`) {
				t.Errorf("%s: %s", what, r)
			}
		}()
		f()
	}
	all := func() {
		refused("Run", func() { w.Run(t.Context()) })
		refused("Run", func() { w.RunFor(t.Context(), 0) })
		refused("Close", func() { w.Close() })
	}
	runs := 0
	ecs.System(w, "inner", func(*struct{}) {
		all()
		runs++
	}, ecs.When(func() bool {
		all()
		return true
	}))
	for range 2 {
		ok(0, w.Run(t.Context()))
	}
	if runs != 2 || w.Frame() != 2 {
		t.Errorf("%d runs in %d frames", runs, w.Frame())
	}
}

// A system of the start does not run again because a system panicked behind it; what the
// frame had not come to does.
func TestStartupOfAbandonedFrame(t *testing.T) {
	w := world(t, ecs.Options{})
	var log []string
	add := func(name string, fail bool, options ...ecs.SystemOption) {
		ecs.System(w, name, func(*struct{}) {
			log = append(log, name)
			if fail {
				fail = false
				panic(name)
			}
		}, options...)
	}
	add("load", false, ecs.InPhase(ecs.Startup))
	add("break", true, ecs.InPhase(ecs.Startup))
	add("place", false, ecs.InPhase(ecs.Startup))
	add("move", true)
	for range 2 {
		func() {
			defer func() { recover() }()
			w.Run(t.Context())
			t.Error("no panic")
		}()
		if err := w.Run(t.Context()); !errors.Is(err, ecs.ErrAbandoned) {
			t.Error(err)
		}
	}
	ok(0, w.Run(t.Context()))
	ok(0, w.Run(t.Context()))
	if got := strings.Join(log, " "); got != "load break place move move move" {
		t.Error(got)
	}
}

// A system that is removed while its frame is stopped does not run when the frame goes on,
// and one that is added runs from the next frame on.
func TestChangesOfStoppedFrame(t *testing.T) {
	w := world(t, ecs.Options{})
	big := ecs.Register[[4096]uint64](w, "big")
	var log []string
	asked := false
	ecs.System(w, "ask", func(c *struct{ Do *ecs.Commands }) {
		log = append(log, "ask")
		for range 64 {
			if !asked {
				big.Later(c.Do).Add(c.Do.Spawn(), [4096]uint64{})
			}
		}
		asked = true
	})
	add := func(name string) {
		ecs.System(w, name, func(*struct{}) { log = append(log, name) })
	}
	add("next")
	add("last")
	ok(0, w.Destroy(ok(w.Spawn()))) // there is room for handles
	w.Manager().Arena().SetLimit(1)
	if err := w.Run(t.Context()); err == nil {
		t.Fatal("no refusal")
	}
	ok(0, w.RemoveSystem("next"))
	add("new")
	add("next")
	w.Manager().Arena().SetLimit(0)
	ok(0, w.Run(t.Context()))
	log = append(log, "|")
	ok(0, w.Run(t.Context()))
	if got := strings.Join(log, " "); got != "ask last | ask last new next" {
		t.Error(got)
	}
}

// A pause is about a name: who gets it later is paused, too, and Resume finds it.
func TestPauseOutlivesSystems(t *testing.T) {
	w := world(t, ecs.Options{})
	runs := 0
	add := func(name, set string) {
		ecs.System(w, name, func(*struct{}) { runs++ }, ecs.InSet(set))
	}
	frame := func(what string, want int) {
		t.Helper()
		runs = 0
		ok(0, w.Run(t.Context()))
		if runs != want {
			t.Errorf("%s: %d systems run, want %d", what, runs, want)
		}
	}
	if w.Pause("set") == nil {
		t.Error("a name that nobody has had is paused")
	}
	add("a", "set")
	ok(0, w.Pause("set"))
	ok(0, w.Pause("a"))
	ok(0, w.Pause("a"))
	add("b", "set")
	frame("a set", 0)
	ok(0, w.Resume("set"))
	frame("a system of it", 1)
	ok(0, w.Pause("set"))
	ok(0, w.RemoveSystem("a"))
	ok(0, w.RemoveSystem("b"))
	ok(0, w.Resume("set"))
	if w.Resume("set") == nil {
		t.Error("a name that nobody has is resumed twice")
	}
	add("a", "set")
	frame("one that was paused", 0)
	ok(0, w.Resume("a"))
	frame("and runs again", 1)
}

// However much time has gone into frames, steps and Alpha keep to their bounds.
func TestHugeTimes(t *testing.T) {
	w := world(t, ecs.Options{FixedStep: 10 * time.Millisecond, MaxSteps: 3})
	steps := 0
	ecs.System(w, "step", func(*struct{}) { steps++ }, ecs.InPhase(ecs.Fixed))
	for i, d := range []time.Duration{5 * time.Millisecond, math.MaxInt64, math.MaxInt64, 10 * time.Millisecond} {
		ok(0, w.RunFor(t.Context(), d))
		if want := []int{0, 3, 6, 7}[i]; steps != want || w.Alpha() < 0 || w.Alpha() >= 1 {
			t.Errorf("%d: %d steps, want %d; alpha %v", i, steps, want, w.Alpha())
		}
	}
	was := w.Frame()
	if err := w.RunFor(t.Context(), -1); err == nil || w.Frame() != was || steps != 7 {
		t.Errorf("time below zero: %v, frame %d after %d, %d steps", err, w.Frame(), was, steps)
	}
}

// OnlyIn passes whole columns, so that it refuses components that members may lack.
func TestOverOptional(t *testing.T) {
	w := world(t, ecs.Options{})
	ecs.Register[hp](w, "hp")
	ecs.Register[b4](w, "b")
	type row struct {
		HP hp
		_  ecs.Maybe[b4]
	}
	g := ecs.GroupOf[row](w, "g")
	for what, err := range map[string]error{
		"required": systemRefusal(w, "x1", func(*struct{ B []b4 }) {}, ecs.OnlyIn(g)),
		"a filter": systemRefusal(w, "x2", func(*struct {
			HP []hp
			_  ecs.With[b4]
		}) {
		}, ecs.OnlyIn(g)),
		"if it has": systemRefusal(w, "x3", func(*struct {
			HP []hp
			B  ecs.Maybe[b4]
		}) {
		}, ecs.OnlyIn(g)),
	} {
		if err == nil || !strings.Contains(err.Error(), `component "b" is optional in group "g"`) {
			t.Errorf("%s: %v", what, err)
		}
	}
	ecs.System(w, "taken", func(*struct{ HP []hp }) {}, ecs.OnlyIn(g))
}

// A query gives its resource beside pointers, row by row and for one entity, of any type.
func TestResourcesOfQueries(t *testing.T) {
	type nothing struct{}
	w := world(t, ecs.Options{})
	p := ecs.Register[hp](w, "hp")
	ecs.Provide(w, nothing{})
	ecs.Provide[fmt.Stringer](w, ecs.Fixed)
	e := ok(w.Spawn())
	ok(0, p.Add(e, hp{7}))
	type row struct {
		HP    *hp
		Empty ecs.Res[nothing]
		Name  ecs.WriteRes[fmt.Stringer]
		E     ecs.Entity
	}
	q := ecs.QueryOf[row](w)
	check := func(r *row) {
		if r.HP != p.Get(e) || r.E != e || *r.Empty.Get() != (nothing{}) || (*r.Name.Mut()).String() != "Fixed" {
			t.Errorf("%+v", r)
		}
	}
	rows := 0
	for r := range q.All() {
		check(r)
		for r := range q.All() {
			check(r)
			rows++
		}
	}
	r, found := q.Get(e)
	if check(&r); !found || rows != 1 {
		t.Errorf("%v, %d rows", found, rows)
	}
	ok(0, w.Close())
	for range q.All() {
		t.Error("a row of a closed world")
	}
	if _, found := q.Get(e); found || q.Len() != 0 {
		t.Error("a closed world has rows")
	}
}

// Frames of several phases allocate nothing once they have run.
func TestFramesOfPhasesAllocateNothing(t *testing.T) {
	w := ecs.New(ecs.Options{Adapt: memmgr.AdaptOptions{Off: true}})
	defer w.Close()
	ran := 0
	for _, p := range []ecs.Phase{ecs.Fixed, ecs.EachFrame, ecs.Render} {
		ecs.System(w, p.String(), func(*struct{}) { ran++ }, ecs.InPhase(p))
	}
	frame := func() { ok(0, w.Run(t.Context())) }
	frame()
	if n := testing.AllocsPerRun(100, frame); n != 0 {
		t.Errorf("a frame allocates %v times", n)
	}
	if ran != 3*102 { // AllocsPerRun begins with one more
		t.Errorf("%d calls in 102 frames of three systems", ran)
	}
}
