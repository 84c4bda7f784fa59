package schedule

import (
	"context"
	"errors"
	"fmt"
	"github.com/ashlar-go/ashlar/ecs/internal/crew"
	"github.com/ashlar-go/ashlar/ecs/internal/match"
	"reflect"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
	"github.com/ashlar-go/ashlar/memmgr"
)

type fixture struct {
	walk.Base
	*Schedule
	a, b *store.Component
	log  []string
}

// newFixture has two entities with a, and one of them with b.
func newFixture(t *testing.T) *fixture {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	f := &fixture{a: &store.Component{}, b: &store.Component{}}
	f.Schedule = New(&f.Base)
	f.Manager, f.Store, f.RunLength = m, store.New(m, store.Options{MaxEntities: 100, Visits: f.Visits}), 32
	spec, err := chunk.SpecOf(reflect.TypeFor[uint64]())
	if err != nil {
		t.Fatal(err)
	}
	f.Store.Register(f.a, "a", spec, store.Fixed, true)
	f.Store.Register(f.b, "b", spec, store.Fixed, true)
	for i := range 2 {
		e, err := f.Store.Spawn()
		v := uint64(i)
		if err := errors.Join(err, f.Store.Add(f.a, e, raw.Of(&v))); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			continue
		}
		if err := f.Store.Add(f.b, e, raw.Of(&v)); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// add adds a system over rows that have a component, without or with pointers.
func (f *fixture) add(name string, of *store.Component, pointers bool, fn func()) {
	f.addTo(name, of, pointers, fn, Position{})
}

func (f *fixture) addTo(name string, of *store.Component, pointers bool, fn func(), p Position) {
	c := walk.NewCursor(walk.NewPlan(&f.Base, walk.Spec{Name: name, Query: match.Query{Required: []*store.Component{of}},
		Fields: source.Fields{Entities: -1, Pointers: pointers, Columns: []source.Column{{Comp: of, Part: source.Part{Size: 8}}}}}))
	f.Add(c, raw.Of(new([]uint64)), func(raw.Ptr) {
		f.log = append(f.log, name)
		fn()
	}, p)
}

// frame begins a frame if none is under way, and runs its remaining systems.
func (f *fixture) frame(ctx context.Context, safe func() error, run func(*System)) error {
	var rec *Recording
	if run != nil {
		rec = &Recording{Run: run}
	}
	if f.Begins() {
		if err := f.Begin(1); err != nil {
			return err
		}
	}
	return f.Run(ctx, safe, rec)
}

func (f *fixture) expect(t *testing.T, what string, want string) {
	t.Helper()
	if got := strings.Join(f.log, " "); got != want {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
	f.log = nil
}

// visits is how many rows systems have met since it was called last that require a component, and that
// exclude it.
func (f *fixture) visits(c *store.Component) (required, excluded int) {
	f.Visits(func(v store.Visit) {
		if slices.Contains(v.Required, c) {
			required += int(v.Met)
		}
		if slices.Contains(v.Excluded, c) {
			excluded += int(v.Met)
		}
	})
	return required, excluded
}

// A system that has asked for a command for each 256 rows, or for more, has entities read ahead in its next run.
func TestPicks(t *testing.T) {
	for _, x := range []struct {
		commands, rows int
		want           bool
	}{{0, 0, false}, {0, 100, false}, {1, 0, true}, {1, pickedFrom, true}, {1, pickedFrom + 1, false}, {2, 2 * pickedFrom, true}, {-1, 100, false}} {
		if got := picks(x.commands, x.rows); got != x.want {
			t.Errorf("%d commands for %d rows: %v", x.commands, x.rows, got)
		}
	}
	f := newFixture(t)
	queued := 0
	f.Queued = func() int { return queued }
	f.add("asks", f.a, false, func() { queued++ })
	f.add("reads", f.a, false, func() {})
	for _, want := range []bool{true, true, false} {
		if err := f.frame(t.Context(), func() error { return nil }, nil); err != nil {
			t.Fatal(err)
		}
		f.End()
		if got := f.Systems(); got[0].Picks != want || got[1].Picks {
			t.Errorf("%v and %v, want %v and false", got[0].Picks, got[1].Picks, want)
		}
		if queued > 2 { // of the second frame
			f.Queued = nil
		}
	}
}

// Its workers read them ahead, too.
func TestPicksOfWorkers(t *testing.T) {
	f := newFixture(t)
	f.Crew = crew.New(1)
	f.add("asks", f.a, false, func() {})
	x := f.Systems()[0]
	f.Share(x, func(raw.Ptr) {}, Parts{Bind: func(int) raw.Ptr { return raw.Of(new([]uint64)) }})
	x.once = func() {} // so it has no rows to be cut
	for _, want := range []bool{true, false} {
		x.Picks = want
		if x.team.do(0, 0); x.team.hands[0].cursor.Picks != want {
			t.Errorf("the worker's is %v, want %v", !want, want)
		}
	}
}

// Stages of a system that stays end each frame, whether it runs or not. Systems that share nothing cost nothing there.
func TestSettle(t *testing.T) {
	f := newFixture(t)
	f.Crew = crew.New(1)
	got := ""
	for _, name := range []string{"x", "y", "z"} {
		f.add(name, f.a, false, func() {})
		parts := Parts{Stages: []Stage{{}, {Settle: func() { got += name }}}}
		if name == "y" {
			parts.Stages = parts.Stages[:1]
		}
		f.Share(f.Systems()[len(f.Systems())-1], func(raw.Ptr) {}, parts)
	}
	f.Pause("x", true)
	f.Settle()
	if f.Remove("x"); got != "xz" || len(f.settles.All()) != 1 {
		t.Errorf("stages of %q settled, and %d are left, want xz and 1", got, len(f.settles.All()))
	}
	f.Settle()
	if got != "xzz" {
		t.Errorf("stages of %q settled, want xzz", got)
	}
}

// Systems run in order, each behind a safe point and in a tick of its own; an error of a safe
// point is returned, and the frame goes on there.
func TestFrames(t *testing.T) {
	f := newFixture(t)
	nothing := func() {}
	f.add("one", f.a, false, nothing)
	f.add("two", f.b, true, nothing)
	f.add("three", f.a, false, nothing)
	var fail error
	safe := func() error {
		f.log = append(f.log, "safe")
		err := fail
		fail = nil
		return err
	}
	if !f.Begins() || !f.Has("two") || f.Has("four") {
		t.Error("not at the beginning, or not with its names")
	}
	tick := f.Manager.Tick()
	if err := f.frame(t.Context(), safe, nil); err != nil {
		t.Error(err)
	}
	f.expect(t, "a frame", "safe one one safe two safe three three") // a is in two tables
	if f.Manager.Tick() != tick+3 {
		t.Errorf("%d ticks for three systems", f.Manager.Tick()-tick)
	}
	f.End()
	if r, x := f.visits(f.a); r != 4 || x != 0 {
		t.Errorf("a is met %d times, and passed over %d times", r, x)
	}
	if r, _ := f.visits(f.a); r != 0 {
		t.Errorf("%d visits are told again", r)
	}
	if f.Frame != 1 || !f.Begins() {
		t.Errorf("frame %d, at the beginning: %v", f.Frame, f.Begins())
	}
	ran := ""
	err := f.frame(t.Context(), func() error {
		if len(f.log) == 5 && fail == nil && ran == "one two " {
			fail = errors.New("refused")
		}
		return safe()
	}, func(x *System) {
		ran += fmt.Sprint(x.Name, " ")
		x.Walk()
	})
	if err == nil || err.Error() != "refused" || f.Begins() {
		t.Errorf("error %v, at the beginning: %v", err, f.Begins())
	}
	f.expect(t, "up to the refusal", "safe one one safe two safe")
	if err := f.frame(t.Context(), safe, nil); err != nil {
		t.Error(err)
	}
	f.expect(t, "the rest", "safe three three")
	if ran != "one two " {
		t.Errorf("run by the given function: %q", ran)
	}
}

// A panic abandons the frame, says how far it has come, and leaves the caller's labels.
func TestAbandoned(t *testing.T) {
	for _, c := range []struct {
		pointers bool
		after    int
		want     string
	}{{false, 0, "after 0 batches"}, {false, 1, "after 1 batch;"}, {true, 1, "after 1 row;"}, {true, 0, "after 0 rows"}} {
		f := newFixture(t)
		calls := 0
		f.add("first", f.b, false, func() {})
		f.add("breaks", f.a, c.pointers, func() {
			if calls++; calls > c.after {
				panic("no")
			}
		})
		ctx := pprof.WithLabels(context.Background(), pprof.Labels("caller", "test"))
		func() {
			defer func() {
				if recover() != "no" {
					t.Error("the panic does not pass through")
				}
			}()
			f.frame(ctx, func() error { return nil }, nil)
		}()
		err := f.Abandoned()
		if !errors.Is(err, ErrAbandoned) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), `"breaks" panicked in frame 1`) || !strings.Contains(err.Error(), "1 of 2 systems had run") {
			t.Errorf("%v, want %q", err, c.want)
		}
		f.GiveUp()
		if f.Abandoned() != nil || !f.Begins() {
			t.Error("told twice, or not at the beginning")
		}
		calls = -1000
		if err := f.frame(ctx, func() error { return nil }, nil); err != nil {
			t.Fatal(err)
		}
		f.End()
	}
}
