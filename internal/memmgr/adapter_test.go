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

// Giving back ends when its budget of time is spent, and goes on in the next frame.
func TestGivingBackWithinBudget(t *testing.T) {
	m := open(t, Options{Arena: arena.Options{Backend: arena.Heap}})
	s := sequence(t, m, "s", 8, 1000)
	fillRows(t, s, 8*32*s.Capacity())
	s.Truncate(0)
	safePoints(t, m, 3)
	idle, _ := m.Arena().Idle()
	if idle < 6*arena.RegionBytes {
		t.Fatalf("%d bytes are idle", idle)
	}
	const ms = time.Millisecond
	m.Adapt(AdaptOptions{Decay: -1, Clock: ticking(ms).tick, Budget: Budget{Time: 2 * ms}})
	for n := uint64(1); n <= 2; n++ {
		if err := m.EndFrame(); err != nil {
			t.Fatal(err)
		}
		st := m.adapt.stats
		purged := st.Purged
		if arena.Checked { // places that wait have gone back with them
			purged -= purged % arena.RegionBytes
		}
		if purged != n*3*arena.RegionBytes || st.OverBudget != n || st.Longest > 4*ms {
			t.Errorf("frame %d: %+v", n, st)
		}
	}
}
