package memmgr

import (
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
)

// Options that are not stated have defaults.
func TestAdaptDefaults(t *testing.T) {
	for what, c := range map[string]struct {
		o     AdaptOptions
		every int
		decay time.Duration
	}{
		"nothing":  {AdaptOptions{}, 60, 10 * time.Second},
		"nonsense": {AdaptOptions{Every: -1, Budget: Budget{Time: -1}}, 60, 10 * time.Second},
		"all":      {AdaptOptions{Every: 1, Decay: -1}, 1, -1},
	} {
		m := open(t, Options{})
		if m.adapter.begin(c.o); m.adapter.options.Every != c.every || m.adapter.options.Decay != c.decay {
			t.Errorf("%s: %+v", what, m.adapter.options)
		}
	}
	m := open(t, Options{})
	if m.adapter.begin(AdaptOptions{Clock: ticking(time.Second).tick}); m.now() != time.Unix(1, 0) {
		t.Error("another clock")
	}
}

// Time of giving back counts, refused or not.
func TestTimeOfGivingBack(t *testing.T) {
	m := open(t, Options{Arena: arena.Options{}.WithFault(refuse(func(op arena.Op, nth int) bool { return op == arena.OpDecommit && nth == 1 }))})
	if m.Arena().Backend() != arena.OS {
		t.Skip("the heap back end asks for nothing")
	}
	s := sequence(t, m, "s", 8, 1000)
	fillRows(t, s, 64*s.Capacity())
	s.Truncate(0)
	safePoints(t, m, 2)
	m.adapter.begin(AdaptOptions{Decay: -1, Clock: ticking(time.Microsecond).tick})
	for turn, refused := range []bool{true, false} {
		before := adapting(t, m).Time
		if err := m.CloseFrame(); (err != nil) != refused {
			t.Fatalf("frame %d: %v", turn, err)
		}
		if adapting(t, m).Time == before || adapting(t, m).Longest == 0 || (adapting(t, m).Purged == 0) != refused {
			t.Errorf("frame %d took no time: %+v", turn, adapting(t, m))
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
		m.adapter.begin(c.o)
		for n := uint64(1); n <= 2; n++ {
			if err := m.CloseFrame(); err != nil {
				t.Fatal(err)
			}
			idle, _ := m.Arena().Idle()
			if idle -= idle % arena.RegionBytes; full-full%arena.RegionBytes-idle != n*c.frame {
				t.Errorf("%s, frame %d: %d bytes are idle of %d", c.name, n, idle, full)
			}
			if st, on := m.adapter.sum(); on && (st.OverBudget != n || st.Longest > 4*ms || full-st.Purged > idle+arena.RegionBytes) {
				t.Errorf("%s, frame %d: %+v", c.name, n, st)
			}
		}
		for range 12 {
			if err := m.CloseFrame(); err != nil {
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
		below uint64 // bytes from the limit up to resident memory
		all   bool
	}{{"at it", 0, false}, {"above it", 1, true}} {
		m := open(t, Options{Arena: arena.Options{Backend: arena.Heap}})
		s := sequence(t, m, "s", 8, 1000)
		fillRows(t, s, 8*32*s.Capacity())
		s.Truncate(0)
		safePoints(t, m, 3)
		idle, _ := m.Arena().Idle()
		m.adapter.begin(AdaptOptions{Decay: time.Hour, Clock: ticking(ms).tick, Budget: Budget{Time: time.Second}, SoftLimit: m.Arena().DirtyBy(arena.PurposeChunks) - c.below})
		if err := m.CloseFrame(); err != nil {
			t.Fatal(err)
		}
		if st := adapting(t, m); (st.Purged == idle) != c.all || (st.Purged != 0) != c.all || st.OverBudget != 0 {
			t.Errorf("%s: of %d idle bytes %d went back: %+v", c.what, idle, st.Purged, st)
		}
	}
}

// If the system refuses to take pages back, EndFrame says so, though it took others before.
func TestGivingBackRefusedMidway(t *testing.T) {
	m := open(t, Options{Arena: arena.Options{}.WithFault(refuse(func(op arena.Op, nth int) bool { return op == arena.OpPurge && nth == 2 }))})
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
	m.adapter.begin(AdaptOptions{Decay: -1, Clock: stopped})
	if err := m.CloseFrame(); err == nil || adapting(t, m).Purged != arena.SlotBytes {
		t.Errorf("%d bytes went back, %v", adapting(t, m).Purged, err)
	}
	if err := m.CloseFrame(); err != nil || adapting(t, m).Purged != 6*arena.SlotBytes {
		t.Errorf("%d bytes went back later, %v", adapting(t, m).Purged, err)
	}
}

// A manager that does not adapt keeps nothing cold and has no soft limit. It does not look at
// the clock for slots that it will not give back.
func TestOffIsOff(t *testing.T) {
	m := open(t, Options{})
	clock := counting{now: time.Unix(1, 0)}
	var all []*Sequence
	for i := range 12 {
		s := sequence(t, m, string(rune('a'+i)), 8, 8000)
		fillRows(t, s, 1)
		all = append(all, s)
	}
	for i := 0; i < len(all); i += 2 { // every other slot is free
		all[i].Drop()
	}
	m.adapter.begin(AdaptOptions{Off: true, cold: []string{"b"}, SoftLimit: 1, Clock: clock.read})
	if n := m.moved().Waiting; n != 0 {
		t.Errorf("%d chunks are to be moved", n)
	}
	for range 40 {
		frame(t, m)
	}
	if clock.reads != 0 {
		t.Errorf("the clock was read %d times", clock.reads)
	}
	for _, s := range all {
		s.Drop()
	}
	safePoints(t, m, 4)
	if err := m.CloseFrame(); err != nil {
		t.Fatal(err)
	}
	if _, regions := m.Arena().Idle(); regions == 0 {
		t.Error("memory has gone back at once, as by a soft limit")
	}
}
