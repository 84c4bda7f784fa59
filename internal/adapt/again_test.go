package adapt

import (
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/internal/arena"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// Decay is longer if half of what was given back is wanted again soon, and as it was if all went
// back all the same.
func TestAgain(t *testing.T) {
	const decay, region = 10 * time.Second, arena.RegionBytes
	at := func(s int) time.Time { return time.Unix(int64(s), 0) }
	for _, c := range []struct {
		name   string
		given  uint64
		low    uint64 // of resident memory then, of 100 regions
		dirty  uint64
		after  int // seconds
		wanted bool
		times  time.Duration
	}{
		{"all of it", 10 * region, 90 * region, 100 * region, 5, true, 8},
		{"a little more than half", 10 * region, 90 * region, 95*region + 1, 5, true, 8},
		{"half", 10 * region, 90 * region, 95 * region, 5, false, 0},
		{"after less was", 10 * region, 20 * region, 26 * region, 5, true, 8},
		{"a region", region, 90 * region, 91 * region, 5, true, 8},
		{"less than a region", region - 1, 90 * region, 91 * region, 5, false, 0},
		{"just in time", 10 * region, 90 * region, 100 * region, 79, true, 8},
		{"too late", 10 * region, 90 * region, 100 * region, 80, true, 0},
	} {
		var g again
		g.gave(c.given/2, 99*region, at(-30))
		g.gave(c.given-c.given/2, 90*region, at(0))
		g.gave(0, 100*region, at(50))
		if g.wants(c.low) {
			t.Errorf("%s: wanted before", c.name)
		}
		wanted := g.wants(c.dirty)
		if wanted {
			g.decide(at(c.after), decay)
		}
		if wanted != c.wanted || g.times != c.times || wanted != (g.given == 0) {
			t.Errorf("%s: wanted %v, %+v; want %v, %d times", c.name, wanted, g, c.wanted, c.times)
		}
		if got := g.over(decay, decay); got != decay*max(c.times, 1) {
			t.Errorf("%s: %v", c.name, got)
		}
		if got := g.over(decay, decay/8); got != decay/8 {
			t.Errorf("%s, under pressure: %v", c.name, got)
		}
		if g.allGone(); g.times != c.times {
			t.Errorf("%s: gone before anything was given back: %+v", c.name, g)
		}
		g.gave(region, 90*region, at(100))
		if g.allGone(); g.times != 0 {
			t.Errorf("%s: when all has gone: %+v", c.name, g)
		}
	}
}

// Peaks that come within Decay have their memory given back once. When they come no more, it goes.
func TestPeaksKeepTheirMemory(t *testing.T) {
	const decay = 3200 * time.Millisecond
	for _, idly := range []bool{false, true} {
		m := open(t, memmgr.Options{})
		clock := counting{now: time.Unix(1, 0)}
		m.Adapt(Options{Decay: decay, Clock: clock.read, Every: 1 << 30})
		s := sequence(t, m, "s", 8, 1000)
		step := func() {
			t.Helper()
			clock.now = clock.now.Add(decay / 32)
			if !idly {
				frame(t, m)
			} else if err := m.Idle(clock.now); err != nil {
				t.Fatal(err)
			}
		}
		purged := func() uint64 { return adapting(t, m).Purged }
		var after []uint64
		for range 4 {
			fillRows(t, s, 64*32*8)
			for range 4 {
				step()
			}
			s.Truncate(0)
			for range 32 {
				step()
			}
			after = append(after, purged())
		}
		if after[0] < 4*arena.RegionBytes || after[3] > after[0]*3/2 {
			t.Errorf("idly %v: %v bytes were given back after each peak", idly, after)
		}
		for range 8 * 32 {
			step()
		}
		if idle, _ := m.Arena().Idle(); idle != 0 || m.again.times != 0 {
			t.Errorf("idly %v: %d bytes are idle in the end, %+v", idly, idle, m.again)
		}
	}
}
