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
