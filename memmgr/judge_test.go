package memmgr

import (
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
)

func TestDecayCurve(t *testing.T) {
	const over = 3200 * time.Millisecond // steps of 100 ms
	type look struct {
		at   int    // ms
		idle uint64 // bytes
		due  uint64
	}
	for _, c := range []struct {
		name  string
		over  time.Duration
		looks []look
	}{
		{"at once", -1, []look{{0, 1000, 1000}}},
		{"all is kept at first", over, []look{{0, 1 << 20, 0}, {50, 1 << 20, 0}}},
		{"half of it after half of the time", over, []look{{0, 1 << 20, 0}, {1600, 1 << 20, 1 << 19}}},
		{"a quarter: 1 − smoothstep(3/4)", over, []look{{0, 1 << 20, 0}, {2400, 1 << 20, 1<<20 - 1<<20*10/64}}},
		{"all of it after all of the time", over, []look{{0, 1 << 20, 0}, {3200, 1 << 20, 1 << 20}}},
		{"long after", over, []look{{0, 1 << 20, 0}, {1e6, 1 << 20, 1 << 20}}},
		{"used again: nothing is due", over, []look{{0, 1 << 20, 0}, {1600, 1 << 18, 0}}},
		{"two ages", over, []look{{0, 1 << 20, 0}, {1600, 2 << 20, 1 << 19}, {3200, 2 << 20, 1<<20 + 1<<19}}},
		{"a clock that goes back forgets ages", over, []look{{5000, 1 << 20, 0}, {100, 1 << 20, 1 << 20}}},
	} {
		var d decay
		for _, l := range c.looks {
			if got := d.due(time.UnixMilli(int64(l.at)), l.idle, c.over); got != l.due {
				t.Errorf("%s: at %d ms with %d idle: %d due, want %d", c.name, l.at, l.idle, got, l.due)
			}
		}
	}
}

func TestBatch(t *testing.T) {
	const region = arena.RegionBytes
	for _, c := range []struct{ due, idle, want uint64 }{
		{0, 0, 0}, {0, 10, 0}, {9, 10, 0}, {10, 10, 10}, {region - 1, 3 * region, 0}, {region, 3 * region, region}, {2 * region, 3 * region, 2 * region},
	} {
		if got := batch(c.due, c.idle); got != c.want {
			t.Errorf("%d due of %d idle: %d, want %d", c.due, c.idle, got, c.want)
		}
	}
}

func TestCame(t *testing.T) {
	for _, c := range []struct {
		predicted uint64
		measured  int64
		want      bool
	}{{100, 50, true}, {100, 49, false}, {100, 0, false}, {100, -100, false}, {100, 1e6, true}, {1, 0, false}} {
		if got := came(c.predicted, c.measured); got != c.want {
			t.Errorf("%d predicted, %d measured: %v, want %v", c.predicted, c.measured, got, c.want)
		}
	}
}

func TestMayGo(t *testing.T) {
	us := time.Microsecond
	for _, c := range []struct {
		name                    string
		steps                   int
		spent, step, budget     time.Duration
		bytes, more, bytesLimit uint64
		want                    bool
	}{
		{"the first always", 0, 0, 500 * us, us, 0, 1 << 20, 1, true},
		{"fits", 1, 10 * us, 10 * us, 20 * us, 10, 10, 20, true},
		{"time is up", 1, 10 * us, 11 * us, 20 * us, 10, 10, 20, false},
		{"bytes are up", 1, 10 * us, 10 * us, 20 * us, 10, 11, 20, false},
	} {
		if got := mayGo(c.steps, c.spent, c.step, c.budget, c.bytes, c.more, c.bytesLimit); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestBackoffAndNextPlan(t *testing.T) {
	for n, want := range map[int]uint64{1: 600, 2: 1200, 3: 2400, 9: 153600, 100: 153600} {
		if got := backoff(n); got != want {
			t.Errorf("back-off after %d failures: %d frames, want %d", n, got, want)
		}
	}
	for empty, want := range map[int]uint64{0: 60, 1: 120, 4: 960, 50: 960} {
		if got := nextPlan(60, empty); got != want {
			t.Errorf("after %d empty plans: %d frames, want %d", empty, got, want)
		}
	}
}
