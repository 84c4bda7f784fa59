package record

import (
	"github.com/ashlar-go/ashlar/ecs/internal/match"
	"reflect"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
)

// fixture is a store with three components, and a system that goes over two of them.
type fixture struct {
	walk.Base
	t     *testing.T
	comps [3]*store.Component
	sched *schedule.Schedule
	rec   *Recorder
}

func newFixture(t *testing.T, o Options) *fixture {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	f := &fixture{t: t}
	f.Manager, f.Store, f.RunLength = m, store.New(m, store.Options{MaxEntities: 1000, Policy: policy.Options{Off: true}}), 32
	spec, err := chunk.SpecOf(reflect.TypeFor[uint64]())
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"hp", "mana", "poison"} {
		f.comps[i] = &store.Component{}
		f.Store.Register(f.comps[i], name, spec, []store.Way{store.Fixed, store.Fixed, store.Thin}[i], true)
	}
	f.sched, f.rec = schedule.New(&f.Base), New(&f.Base, o)
	c := walk.NewCursor(walk.NewPlan(&f.Base, walk.Spec{Name: "walk", Query: match.Query{Required: f.comps[:1]}, Fields: source.Fields{Entities: -1, Columns: []source.Column{
		{Name: "HP", Comp: f.comps[0], Part: source.Part{Size: 8}, Write: true},
		{Name: "Poison", Comp: f.comps[2], Part: source.Part{Size: 8}, Offset: raw.Size[[]uint64](), Optional: true},
	}}}))
	f.sched.Add(c, raw.Of(new([2][]uint64)), func(raw.Ptr) {}, schedule.Position{})
	return f
}

func (f *fixture) add(c int, e store.Entity) {
	v := uint64(1)
	if err := f.Store.Add(f.comps[c], e, raw.Of(&v)); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) frames(n int) {
	for range n {
		if err := f.sched.Begin(1); err != nil {
			f.t.Fatal(err)
		}
		if err := f.sched.Run(f.t.Context(), func() error { return nil }, f.rec.Recording()); err != nil {
			f.t.Fatal(err)
		}
		f.sched.End()
		f.Store.EndFrame()
		f.rec.EndFrame(nil)
	}
}

// Visits are of the table that is there, and hold none that was dropped. Its record
// stays. A table that never had rows at a frame's end has none.
func TestVisitsOfDroppedTables(t *testing.T) {
	f := newFixture(t, Options{TimeEvery: 1 << 30})
	e, err := f.Store.Spawn()
	if err != nil {
		t.Fatal(err)
	}
	f.add(0, e)
	f.frames(1)
	for round := range 3 {
		f.add(1, e) // on to the table of both
		f.frames(2)
		n := f.rec.systems[0]
		both := f.comps[1].Tables()[0].Seq
		if v := &n.visits[1]; v.seq != both || v.rows != uint64(2*(round+1)) || v.group != "table/hp+mana" {
			t.Errorf("round %d: %d rows in %s, of the table that is there: %v", round, v.rows, v.group, v.seq == both)
		}
		if err := f.Store.Remove(f.comps[1], e); err != nil {
			t.Fatal(err)
		}
		f.frames(200)
		if len(f.comps[1].Tables()) != 0 {
			t.Fatal("the table is there still")
		}
		if n.visits[1].seq != nil {
			t.Errorf("round %d: the visit holds the sequence of a table that was dropped", round)
		}
	}
	if n := len(f.rec.known); n != 2 || len(f.rec.named) != n {
		t.Errorf("%d tables are noted, %d by name", n, len(f.rec.named))
	}
}

// Facts have the columns that the system declares: in order where the table has it, by entity where not.
func TestFacts(t *testing.T) {
	f := newFixture(t, Options{TimeEvery: 2})
	for i := range 10 {
		e, err := f.Store.Spawn()
		if err != nil {
			t.Fatal(err)
		}
		if f.add(0, e); i < 3 {
			f.add(2, e)
		}
	}
	f.frames(6)
	var p profile.Profile
	f.rec.Facts(&p, func(int) []profile.Choice { return nil })
	if p.Frames != 6 || len(p.Systems) != 1 || p.Systems[0].Frames != 6 || p.Systems[0].Timed != 3 || p.Systems[0].Times.P10 <= 0 {
		t.Fatalf("%+v", p)
	}
	want := []profile.Access{
		{Group: "table/hp", Component: "hp", Write: true, Rows: 60, Chunks: 6, Bytes: 480, Lines: 8},
		{Group: "thin/poison", Component: "poison", Scattered: true, Rows: 60, Chunks: 6, Bytes: 18 * 8, Lines: 18},
	}
	if !reflect.DeepEqual(p.Systems[0].Access, want) {
		t.Errorf("access %+v\nwant %+v", p.Systems[0].Access, want)
	}
	groups := []profile.Group{
		{Name: "table/hp", Owns: []string{"hp"}, Rows: 60, Chunks: 6, Peak: 10, Last: 10},
		{Name: "thin/poison", Owns: []string{"poison"}, Rows: 18, Chunks: 6, Peak: 3, Last: 3},
	}
	if !reflect.DeepEqual(p.Groups, groups) {
		t.Errorf("groups %+v\nwant %+v", p.Groups, groups)
	}
	if got := Home(f.comps[1]); got != "table/mana" {
		t.Errorf("what nobody has is at home in %q", got)
	}
}

// Ninety-four runs are timed, one of them preempted: the percentiles of their times are about the
// same as without that.
func TestTimesOfAPreemptedRun(t *testing.T) {
	var times [2]profile.Times
	for i, preempted := range []time.Duration{0, 58 * time.Millisecond} {
		at, calls := time.Unix(0, 0), 0
		f := newFixture(t, Options{TimeEvery: 1, Clock: func() time.Time {
			if calls++; calls%2 == 0 { // a run has ended
				at = at.Add(270*time.Microsecond + time.Duration(calls%40)*time.Microsecond)
			}
			if calls == 100 {
				at = at.Add(preempted)
			}
			return at
		}})
		f.frames(96) // two of them are looked at for other things
		var p profile.Profile
		f.rec.Facts(&p, func(int) []profile.Choice { return nil })
		if times[i] = p.Systems[0].Times; p.Systems[0].Timed != 94 {
			t.Fatalf("%d runs were timed", p.Systems[0].Timed)
		}
	}
	for _, d := range [][2]time.Duration{{times[0].P10, times[1].P10}, {times[0].P50, times[1].P50}, {times[0].P90, times[1].P90}} {
		if was, is := float64(d[0]), float64(d[1]); was < 270_000 || was > 310_000 || is < 0.97*was || is > 1.03*was {
			t.Errorf("%+v with a preempted run, %+v without", times[1], times[0])
		}
	}
	if times[1].P99 < 50*time.Millisecond {
		t.Errorf("p99 of 94 runs hides the longest: %v", times[1].P99)
	}
}

// A column that is declared to be written and never changed is told with the runs that were
// looked at; one that was changed in any of these is not.
func TestUnchanged(t *testing.T) {
	for _, tt := range []struct {
		frames  int
		changes int // the frame in which a value is changed, among the sampled ones; 0: never
		want    uint64
	}{{10, 0, 0}, {11, 0, 1}, {144, 0, 3}, {144, 11, 0}, {144, 75, 0}, {144, 76, 3}} {
		f := newFixture(t, Options{TimeEvery: 2})
		e, err := f.Store.Spawn()
		if err != nil {
			t.Fatal(err)
		}
		f.add(0, e)
		f.sched.Remove("walk")
		frame, into := 0, new([1][]uint64)
		c := walk.NewCursor(walk.NewPlan(&f.Base, walk.Spec{Name: "touch", Query: match.Query{Required: f.comps[:1]}, Fields: source.Fields{Entities: -1, Columns: []source.Column{
			{Name: "HP", Comp: f.comps[0], Part: source.Part{Size: 8}, Write: true},
		}}}))
		f.sched.Add(c, raw.Of(into), func(raw.Ptr) {
			if frame++; frame == tt.changes {
				into[0][0]++
			}
		}, schedule.Position{})
		f.frames(tt.frames)
		var p profile.Profile
		f.rec.Facts(&p, func(int) []profile.Choice { return nil })
		if a := p.Systems[0].Access; frame != tt.frames || len(a) != 1 || a[0].Rows != uint64(tt.frames) || a[0].Unchanged != tt.want {
			t.Errorf("%d frames, changed in %d: %d calls, %+v, want %d unchanged", tt.frames, tt.changes, frame, a, tt.want)
		}
	}
}

// Two fields of one component are one access. It is told as never changed only if neither of
// the fields was changed, whichever is declared first.
func TestUnchangedOfTwoFields(t *testing.T) {
	for changes, want := range map[[2]bool]uint64{{}: 3, {true, false}: 0, {false, true}: 0, {true, true}: 0} {
		f := newFixture(t, Options{TimeEvery: 2})
		e, err := f.Store.Spawn()
		if err != nil {
			t.Fatal(err)
		}
		f.add(0, e)
		f.sched.Remove("walk")
		into := new([2][]uint32)
		c := walk.NewCursor(walk.NewPlan(&f.Base, walk.Spec{Name: "touch", Query: match.Query{Required: f.comps[:1]}, Fields: source.Fields{Entities: -1, Columns: []source.Column{
			{Name: "Low", Comp: f.comps[0], Part: source.Part{Size: 4, Path: "Low"}, Write: true},
			{Name: "High", Comp: f.comps[0], Part: source.Part{Offset: 4, Size: 4, Path: "High"}, Offset: raw.Size[[]uint32](), Write: true},
		}}}))
		f.sched.Add(c, raw.Of(into), func(raw.Ptr) {
			for i, change := range changes {
				if change {
					into[i][0]++
				}
			}
		}, schedule.Position{})
		f.frames(144)
		var p profile.Profile
		f.rec.Facts(&p, func(int) []profile.Choice { return nil })
		if a := p.Systems[0].Access; len(a) != 1 || a[0].Rows != 144 || a[0].Bytes != 144*8 || a[0].Lines != 144*8/64 || a[0].Unchanged != want {
			t.Errorf("fields changed: %v: %+v, want %d unchanged", changes, a, want)
		}
	}
}

// A recording of fifteen frames has times, and a long one has few of the beginning.
func TestTimesOfAShortRun(t *testing.T) {
	for _, tt := range []struct {
		every  int
		frames int
		timed  uint64
	}{{0, 15, 3}, {0, 16, 4}, {0, 1, 0}, {0, 160, 13}, {4, 15, 3}, {16, 15, 0}} {
		f := newFixture(t, Options{TimeEvery: tt.every})
		f.frames(tt.frames)
		var p profile.Profile
		f.rec.Facts(&p, func(int) []profile.Choice { return nil })
		if s := p.Systems[0]; s.Timed != tt.timed || (s.Times.P50 > 0) != (tt.timed > 0) {
			t.Errorf("every %d, of %d frames %d are timed, want %d; %v", tt.every, tt.frames, s.Timed, tt.timed, s.Times)
		}
	}
}
