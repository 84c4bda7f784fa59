package schedule

import (
	"math"
	"testing"
	"time"
)

func TestClock(t *testing.T) {
	const ms = time.Millisecond
	c := Clock{Step: 10 * ms, Most: 3}
	for i, x := range []struct {
		pass  time.Duration
		steps int
		alpha float64
	}{{0, 0, 0}, {9 * ms, 0, 0.9}, {ms, 1, 0}, {25 * ms, 2, 0.5}, {5 * ms, 1, 0}, {-ms, 0, 0}, {95 * ms, 3, 0.5}, {4 * ms, 0, 0.9}} {
		if n := c.Pass(x.pass); n != x.steps || max(c.Alpha()-x.alpha, x.alpha-c.Alpha()) > 1e-6 {
			t.Errorf("%d: %d steps and %v, want %d and %v", i, n, c.Alpha(), x.steps, x.alpha)
		}
	}
	c.Wait(50 * ms)
	if a := c.Alpha(); a >= 1 || a < 0.99 {
		t.Errorf("alpha %v", a)
	}
	if n := c.Pass(0); n != 3 {
		t.Errorf("%d steps after a wait", n)
	}
}

// Time beyond the largest Duration is let go, whatever waits already.
func TestClockHoldsHugeTimes(t *testing.T) {
	c := Clock{Step: 10 * time.Millisecond, Most: 3}
	c.Wait(time.Millisecond)
	for _, d := range []time.Duration{math.MaxInt64, math.MinInt64, math.MaxInt64} {
		c.Wait(d)
	}
	if n := c.Pass(math.MaxInt64); n != 3 || c.Alpha() < 0 || c.Alpha() >= 1 {
		t.Errorf("%d steps, alpha %v", n, c.Alpha())
	}
	if n := c.Pass(10 * time.Millisecond); n != 1 {
		t.Errorf("%d steps after that", n)
	}
}
