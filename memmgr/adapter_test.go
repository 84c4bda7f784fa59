package memmgr

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr/plan"
	"github.com/ashlar-go/ashlar/profile"
)

// planFrames returns in which of so many frames a plan is made.
func planFrames(t *testing.T, m *Manager, frames int) (in []uint64) {
	t.Helper()
	for range frames {
		before := m.adapt.stats.Plans
		if err := errors.Join(m.SafePoint(), m.EndFrame()); err != nil {
			t.Fatal(err)
		}
		if m.adapt.stats.Plans > before {
			in = append(in, m.frame)
		}
	}
	return in
}

// Plans are made every so many frames, more rarely while they are empty, every sixteenth
// time where nothing has changed since chunks last came or went, and soon again when they do.
func TestWhenPlansAreMade(t *testing.T) {
	m, s := sparse(t, Options{}, 3)
	m.Adapt(AdaptOptions{
		Every: 2, Cooling: 30, Decay: time.Hour, Clock: stopped,
		Profile: profile.Profile{Intent: profile.Intent{Pinned: []string{"stays"}}}, // nothing is to be gained
	})
	m.adapt.sparse = 1 << 40                      // nor wasted
	m.adapt.made = m.counts.Made + m.counts.Freed // nor are many chunks made
	begin := m.frame
	got := planFrames(t, m, 200)
	for i := range got {
		got[i] -= begin
	}
	// After each empty plan twice as many frames go by, up to 32; from Cooling on there are 32 in any case.
	if want := []uint64{2, 6, 14, 30, 62, 94, 126, 158, 190}; !slices.Equal(got, want) {
		t.Errorf("plans are made in frames %v, want %v", got, want)
	}
	if st := adapting(t, m); st.Tried != 0 || st.PlanTime != 0 {
		t.Errorf("%+v", st)
	}
	fillRows(t, s, s.Capacity())
	if m.adapt.seen == m.counts.Made+m.counts.Freed {
		t.Fatal("no chunk was made")
	}
	planFrames(t, m, 40)
	if m.adapt.seen != m.counts.Made+m.counts.Freed || m.adapt.changed <= begin+200 {
		t.Errorf("a chunk was made in frame %d, and that is not seen", begin+200)
	}
}

// A plan takes chunks that are kept for next rows first, but for pinned ones, and counts
// names that intent has and the manager does not.
func TestPlansTakeSpares(t *testing.T) {
	m, s := sparse(t, Options{}, 2)
	pinned, free := sequence(t, m, "pinned", 8, 8000), sequence(t, m, "free", 8, 8000)
	for _, s := range []*Sequence{pinned, free} {
		fillRows(t, s, 2*s.Capacity()+1)
	}
	id := pinned.tail.Chunk()
	m.Pin(id)
	for _, s := range []*Sequence{pinned, free} {
		s.DropLast()
	}
	if pinned.spare != id || free.spare == 0 {
		t.Fatal("no spares")
	}
	c := ticking(time.Microsecond)
	m.Adapt(AdaptOptions{Every: 1, Cooling: 1, Clock: c.tick, Profile: profile.Profile{Intent: profile.Intent{Pinned: []string{"stays", "nobody", "none"}}}})
	if err := m.EndFrame(); err != nil {
		t.Fatal(err)
	}
	if st := adapting(t, m); st.Plans != 1 || st.PlanTime != time.Microsecond || st.Unknown != 2 {
		t.Errorf("%+v", st)
	}
	if pinned.spare != id || free.spare != 0 {
		t.Errorf("spares %d and %d are kept", pinned.spare, free.spare)
	}
	m.Unpin(id)
	if s.Len() != 2*s.Capacity() {
		t.Error("rows were lost")
	}
}

// A plan is put off while many chunks come and go, up to sixteen times.
func TestPlansArePutOff(t *testing.T) {
	m := open(t, Options{})
	m.Adapt(AdaptOptions{Clock: stopped})
	a := m.adapt
	a.calm, m.frame = false, 100
	for range 2 {
		n := 0
		for ; a.wait(); n++ {
			if a.next != 100+pulse {
				t.Fatalf("put off until frame %d", a.next)
			}
		}
		if n != 16 {
			t.Errorf("put off %d times", n)
		}
	}
	if a.calm = true; a.wait() {
		t.Error("put off while few chunks come and go")
	}

	a.asked, a.next = true, 1<<40 // so that frames are looked at
	m.counts.Made, m.counts.Freed = 500, 340
	for _, c := range []struct {
		frame, before uint64 // chunks made and freed sixteen frames ago
		calm, is      bool
	}{
		{160, 830, false, true}, // 10 of 160
		{160, 829, true, false}, // 11
		{161, 829, true, true},  // no pulse
	} {
		m.frame, a.made, a.calm = c.frame-1, c.before, c.calm
		if err := m.EndFrame(); err != nil || a.calm != c.is {
			t.Errorf("frame %d, from %d to 840 chunks made and freed: calm %v, %v", c.frame, c.before, a.calm, err)
		}
		if want := uint64(840); c.frame == 160 && a.made != want {
			t.Errorf("%d chunks were made and freed, want %d", a.made, want)
		}
	}
}

// Where memory goes back by whole regions, sparse ones make a plan due, once.
func TestWasteMakesPlanDue(t *testing.T) {
	m, _ := sparse(t, Options{}, 5)
	m.Adapt(AdaptOptions{Every: 7, Clock: stopped})
	a := m.adapt
	far := func() { a.next, a.empty = 1<<40, 3 }
	far()
	if a.watchWaste(); a.next != m.frame+7 || a.empty != 0 || a.sparse <= 4*arena.RegionBytes*3/4 {
		t.Errorf("%d bytes of free slots: the next plan is in frame %d", a.sparse, a.next)
	}
	seen := a.sparse
	far()
	if a.watchWaste(); a.next != 1<<40 || a.empty != 3 || a.sparse != seen {
		t.Error("the same free slots make a second plan due")
	}
	a.sparse = seen - 2*arena.RegionBytes
	if a.watchWaste(); a.next != 1<<40 || a.sparse != seen-2*arena.RegionBytes {
		t.Error("two regions make a plan due")
	}
	a.sparse--
	if a.watchWaste(); a.next == 1<<40 {
		t.Error("more than two regions make no plan due")
	}
	a.sparse = 1 << 40
	if a.watchWaste(); a.sparse != seen {
		t.Errorf("%d bytes of free slots are noted, want %d", a.sparse, seen)
	}
	a.next = 3
	a.sparse = 0
	if a.watchWaste(); a.next != 3 {
		t.Error("a plan that is due was put off")
	}

	m, _ = sparse(t, Options{Arena: arena.Options{Backend: arena.OS}}, 5)
	if m.whole() {
		return // it fell back to the Go heap
	}
	m.Adapt(AdaptOptions{Clock: stopped})
	m.adapt.next = 1 << 40
	if m.adapt.watchWaste(); m.adapt.next != 1<<40 || m.adapt.sparse != 0 {
		t.Error("free slots make a plan due where they go back one by one")
	}
}

// What moves copy, and how long they take, is counted; a move is expected to take as long as
// those before it.
func TestMovesAreCounted(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 8000)
	fillRows(t, s, 4*s.Capacity())
	const ms = time.Millisecond
	var acts []plan.Move
	for i := range 4 {
		acts = append(acts, plan.Move{Order: i, From: placeOf(m, s, i), To: plan.Place{Range: arena.Normal, N: uint32(20 + i)}})
	}
	c := ticking(2 * ms)
	a := planned(m, AdaptOptions{Clock: c.tick, Budget: profile.Budget{Time: 5 * ms, Bytes: 1 << 30}}, plan.Action{Kind: plan.Evacuate, Moves: acts})
	size := uint64(8008 * s.Capacity())
	for n, want := range []struct {
		moves, over uint64
		took        time.Duration
	}{{2, 1, 4 * ms}, {4, 1, 8 * ms}} {
		safePoints(t, m, 1)
		if st := a.stats; st.Moves != want.moves || st.Bytes != want.moves*size || st.OverBudget != want.over || st.Time != want.took || st.Longest != 4*ms || a.moveTime != 2*ms || st.Tried != 1 || m.counts.Moved != want.moves {
			t.Errorf("safe point %d: %+v, a move takes %v", n+1, st, a.moveTime)
		}
	}
	if a.job.state != settling || a.job.epoch != m.epoch {
		t.Errorf("the job has state %d", a.job.state)
	}
	a.moveTime = 4 * ms // from 2 ms moves on it goes down by a quarter of the difference
	a.job.state, a.job.at = moving, 3
	a.job.moves[3].From, a.job.moves[3].To = placeOf(m, s, 3), plan.Place{Range: arena.Normal, N: 30}
	safePoints(t, m, 1)
	if a.moveTime != 4*ms-ms/2 {
		t.Errorf("a move takes %v", a.moveTime)
	}
}

// A job that turns around counts the actions that were to come after it as dropped.
func TestTurnedAroundDropsTheRest(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 8000)
	fillRows(t, s, 4*s.Capacity())
	var acts []plan.Action
	for i := range 3 {
		acts = append(acts, plan.Action{Kind: plan.Evacuate, Moves: []plan.Move{
			{Order: i, From: placeOf(m, s, i), To: plan.Place{Range: arena.Normal, N: uint32(20 + i)}},
			{Order: 3, From: placeOf(m, s, 3), To: plan.Place{Range: arena.Normal, N: 30}},
		}})
	}
	a := planned(m, AdaptOptions{Clock: stopped, Budget: profile.Budget{Time: time.Hour, Bytes: 1}}, acts...)
	safePoints(t, m, 1) // one move, by the budget
	a.back()
	if st := a.stats; st.Dropped != 2 || len(a.queue) != 1 || !a.job.backward || len(a.job.moves) != 1 {
		t.Errorf("%+v, %d in the queue, the job has %d moves", st, len(a.queue), len(a.job.moves))
	}
}

// A plan leaves out what has failed of late, and has no more actions than it may.
func TestPlansAvoidWhatFailed(t *testing.T) {
	m, _ := sparse(t, Options{}, 2)
	m.Adapt(AdaptOptions{Every: 2, Cooling: 1, Clock: ticking(time.Microsecond).tick})
	for len(m.Planned()) == 0 {
		frame(t, m)
	}
	a := m.adapt
	has := func(key string) bool {
		a.drop()
		a.rest, a.changed = time.Time{}, m.frame
		a.think()
		return slices.ContainsFunc(a.queue, func(x plan.Action) bool { return x.Key() == key })
	}
	key := a.queue[0].Key()
	if !has(key) {
		t.Fatal("the same is planned no more")
	}
	a.failed(key)
	if has(key) {
		t.Errorf("%s is planned again at once", key)
	}
	clear(a.refusals)
	if !has(key) {
		t.Error("it is never planned again")
	}
}

// Where nothing has changed for long, plans are sixteen times as rare, whatever they find.
func TestSettledPlansAreRare(t *testing.T) {
	m := open(t, Options{})
	fillRows(t, sequence(t, m, "s", 8), 1)
	m.Adapt(AdaptOptions{Every: 8, Cooling: 10, Clock: stopped})
	a := m.adapt
	for _, c := range []struct {
		changed, planned, frame uint64
		plans                   bool
	}{
		{50, 100, 227, false},
		{50, 100, 228, true},
		{90, 100, 227, false}, // just settled
		{91, 100, 101, true},  // not yet
		{0, 0, 101, true},     // the first one
	} {
		a.seen = m.counts.Made + m.counts.Freed
		a.changed, a.planned, m.frame, a.next = c.changed, c.planned, c.frame, 0
		before := a.stats.Plans
		a.think()
		if plans := a.stats.Plans > before; plans != c.plans || !plans && a.next != c.frame+8 {
			t.Errorf("changed in frame %d, planned in %d: a plan in %d: %v, the next in %d", c.changed, c.planned, c.frame, plans, a.next)
		}
		if c.plans && a.planned != c.frame {
			t.Errorf("a plan in frame %d is noted for %d", c.frame, a.planned)
		}
	}
}

// What is not stated has defaults; a profile's budget comes before that of the options.
func TestAdaptDefaults(t *testing.T) {
	type stated struct {
		budget         profile.Budget
		every, cooling int
		decay          time.Duration
	}
	want := func(what string, o AdaptOptions, want stated) {
		t.Helper()
		o = o.withDefaults()
		if got := (stated{o.Budget, o.Every, o.Cooling, o.Decay}); got != want || o.Clock == nil {
			t.Errorf("%s: %+v, want %+v", what, got, want)
		}
	}
	of := func(b profile.Budget) profile.Profile { return profile.Profile{Intent: profile.Intent{Budget: b}} }
	all := stated{profile.Budget{Time: budgetTime, Bytes: budgetBytes}, 60, 120, decayOver}
	want("nothing", AdaptOptions{}, all)
	want("nonsense", AdaptOptions{Every: -1, Cooling: -5, Budget: profile.Budget{Time: -1}}, all)
	own := profile.Budget{Time: 7, Bytes: 9}
	want("all", AdaptOptions{Every: 1, Cooling: 2, Budget: own, Decay: -1}, stated{own, 1, 2, -1})
	want("a profile's", AdaptOptions{Every: 1, Cooling: 2, Budget: own, Decay: 3, Profile: of(profile.Budget{Time: 1, Bytes: 2})}, stated{profile.Budget{Time: 1, Bytes: 2}, 1, 2, 3})
	want("half a profile's", AdaptOptions{Every: 1, Cooling: 2, Budget: own, Decay: 3, Profile: of(profile.Budget{Bytes: 2})}, stated{profile.Budget{Time: 7, Bytes: 2}, 1, 2, 3})

	c := ticking(time.Second)
	if o := (AdaptOptions{Clock: c.tick}).withDefaults(); o.Clock() != time.Unix(1, 0) {
		t.Error("another clock")
	}
}

// What failed is avoided for a while, longer each time, and forgotten after as long again.
func TestAvoid(t *testing.T) {
	m := open(t, Options{})
	m.Adapt(AdaptOptions{Clock: stopped})
	a := m.adapt
	m.frame = 100
	a.failed("b")
	a.failed("a")
	a.failed("b") // until 1300, and in mind until 2500
	for _, c := range []struct {
		frame  uint64
		avoids []string
		knows  int
	}{
		{699, []string{"a", "b"}, 2},
		{700, []string{"b"}, 2},
		{1299, []string{"b"}, 2},
		{1300, nil, 2},
		{1301, nil, 1},
		{2500, nil, 1},
		{2501, nil, 0},
	} {
		m.frame = c.frame
		if got := a.avoid(); !slices.Equal(got, c.avoids) || len(a.refusals) != c.knows || a.report().BackedOff != len(c.avoids) {
			t.Errorf("frame %d: %q are avoided, %d known, %d backed off", c.frame, got, len(a.refusals), a.report().BackedOff)
		}
	}
}
