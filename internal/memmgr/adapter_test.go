package memmgr

import (
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/internal/arena"
)

// What is not stated has defaults.
func TestAdaptDefaults(t *testing.T) {
	type stated struct {
		budget Budget
		every  int
		decay  time.Duration
	}
	want := func(what string, o AdaptOptions, want stated) {
		t.Helper()
		o = o.withDefaults()
		if got := (stated{o.Budget, o.Every, o.Decay}); got != want || o.Clock == nil {
			t.Errorf("%s: %+v, want %+v", what, got, want)
		}
	}
	all := stated{Budget{budgetTime, budgetBytes}, 60, decayOver}
	want("nothing", AdaptOptions{}, all)
	want("nonsense", AdaptOptions{Every: -1, Budget: Budget{Time: -1}}, all)
	own := Budget{Time: 7, Bytes: 9}
	want("all", AdaptOptions{Every: 1, Budget: own, Decay: -1}, stated{own, 1, -1})
	want("half a budget", AdaptOptions{Budget: Budget{Bytes: 2}}, stated{Budget{budgetTime, 2}, 60, decayOver})

	c := ticking(time.Second)
	if o := (AdaptOptions{Clock: c.tick}).withDefaults(); o.Clock() != time.Unix(1, 0) {
		t.Error("another clock")
	}
}

// What giving back takes counts, refused or not.
func TestTimeOfGivingBack(t *testing.T) {
	m := open(t, Options{Arena: arena.Options{Fault: arena.FailNth(arena.OpDecommit, 1)}})
	if m.Arena().Backend() != arena.OS {
		t.Skip("the heap back end asks for nothing")
	}
	s := sequence(t, m, "s", 8, 1000)
	fillRows(t, s, 64*s.Capacity())
	s.Truncate(0)
	safePoints(t, m, 2)
	m.Adapt(AdaptOptions{Decay: -1, Clock: ticking(time.Microsecond).tick})
	for turn, refused := range []bool{true, false} {
		before := m.adapt.stats.Time
		if err := m.EndFrame(); (err != nil) != refused {
			t.Fatalf("frame %d: %v", turn, err)
		}
		if m.adapt.stats.Time == before || m.adapt.stats.Longest == 0 || (m.adapt.stats.Purged == 0) != refused {
			t.Errorf("frame %d took no time: %+v", turn, m.adapt.stats)
		}
	}
}

// Giving back ends when its budget of time is spent, and goes on in the next frame: above the
// soft limit, and without adapting, too.
func TestGivingBackWithinBudget(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name  string
		o     AdaptOptions
		frame uint64 // bytes that a frame gives back, at 1 ms a region
	}{
		{"at once", AdaptOptions{Decay: -1, Budget: Budget{Time: 2 * ms}}, 3 * arena.RegionBytes},
		{"soft limit", AdaptOptions{SoftLimit: 1, Decay: time.Hour, Budget: Budget{Time: 2 * ms}}, 3 * arena.RegionBytes},
		{"a share of a frame", AdaptOptions{Decay: -1, Frame: 40 * ms, Budget: Budget{Time: time.Hour}}, 3 * arena.RegionBytes},
		{"off", AdaptOptions{Decay: -1, Off: true}, arena.RegionBytes},
	} {
		m := open(t, Options{Arena: arena.Options{Backend: arena.Heap}})
		s := sequence(t, m, "s", 8, 1000)
		fillRows(t, s, 10*32*s.Capacity())
		s.Truncate(0)
		safePoints(t, m, 3)
		full, _ := m.Arena().Idle()
		if full < 8*arena.RegionBytes {
			t.Fatalf("%d bytes are idle", full)
		}
		c.o.Clock = ticking(ms).tick
		m.Adapt(c.o)
		for n := uint64(1); n <= 2; n++ {
			if err := m.EndFrame(); err != nil {
				t.Fatal(err)
			}
			idle, _ := m.Arena().Idle()
			if idle -= idle % arena.RegionBytes; full-full%arena.RegionBytes-idle != n*c.frame {
				t.Errorf("%s, frame %d: %d bytes are idle of %d", c.name, n, idle, full)
			}
			if st, on := m.Adapting(); on && (st.OverBudget != n || st.Longest > 4*ms || full-st.Purged > idle+arena.RegionBytes) {
				t.Errorf("%s, frame %d: %+v", c.name, n, st)
			}
		}
		for range 12 {
			if err := m.EndFrame(); err != nil {
				t.Fatal(err)
			}
		}
		if idle, _ := m.Arena().Idle(); idle != 0 {
			t.Errorf("%s: %d bytes are idle in the end", c.name, idle)
		}
	}
}

// At the soft limit idle memory goes back by its age. Above it all goes back as fast as the budget
// of time allows.
func TestSoftLimitIsALimit(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		what  string
		below uint64 // how far the limit is below what is resident
		all   bool
	}{{"at it", 0, false}, {"above it", 1, true}} {
		m := open(t, Options{Arena: arena.Options{Backend: arena.Heap}})
		s := sequence(t, m, "s", 8, 1000)
		fillRows(t, s, 8*32*s.Capacity())
		s.Truncate(0)
		safePoints(t, m, 3)
		idle, _ := m.Arena().Idle()
		m.Adapt(AdaptOptions{Decay: time.Hour, Clock: ticking(ms).tick, Budget: Budget{Time: time.Second}, SoftLimit: m.Arena().DirtyChunks() - c.below})
		if err := m.EndFrame(); err != nil {
			t.Fatal(err)
		}
		if st := m.adapt.stats; (st.Purged == idle) != c.all || (st.Purged != 0) != c.all || st.OverBudget != 0 {
			t.Errorf("%s: of %d idle bytes %d went back: %+v", c.what, idle, st.Purged, st)
		}
	}
}

// If the system refuses to take pages back, EndFrame says so, though it took others before.
func TestGivingBackRefusedMidway(t *testing.T) {
	m := open(t, Options{Arena: arena.Options{Fault: arena.FailNth(arena.OpPurge, 2)}})
	if m.Arena().Backend() != arena.OS {
		t.Skip("the heap back end asks for nothing")
	}
	var all []*Sequence
	for i := range 12 {
		s := sequence(t, m, string(rune('a'+i)), 8, 8000)
		fillRows(t, s, 1)
		all = append(all, s)
	}
	for i := 0; i < len(all); i += 2 { // every other slot is free
		all[i].Drop()
	}
	safePoints(t, m, 3)
	m.Adapt(AdaptOptions{Decay: -1, Clock: stopped})
	if err := m.EndFrame(); err == nil || m.adapt.stats.Purged != arena.SlotBytes {
		t.Errorf("%d bytes went back, %v", m.adapt.stats.Purged, err)
	}
	if err := m.EndFrame(); err != nil || m.adapt.stats.Purged != 6*arena.SlotBytes {
		t.Errorf("%d bytes went back later, %v", m.adapt.stats.Purged, err)
	}
}

// A spare chunk that a reader has pinned makes no space. Once it is unpinned, it does.
func TestPinnedSpareMakesNoSpace(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 8000)
	fillRows(t, s, s.Capacity()+1)
	id := s.chunks[1]
	s.DropLast()
	m.Pin(id)
	if m.makeSpace() || s.spare != id {
		t.Errorf("space was made of chunk %d, which is pinned: spare is %d", id, s.spare)
	}
	m.Unpin(id)
	if !m.makeSpace() || s.spare != 0 {
		t.Errorf("no space was made of chunk %d, which is not pinned: spare is %d", id, s.spare)
	}
	if m.makeSpace() {
		t.Error("space was made of nothing")
	}
}
