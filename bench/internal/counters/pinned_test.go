package counters

import (
	"errors"
	"runtime"
	"testing"
	"time"
)

// TestShare: a thread that ran half of the time has a share of a half, and one whose time is not known has all.
func TestShare(t *testing.T) {
	var at time.Time
	var ran time.Duration
	now := func() time.Time {
		at = at.Add(10 * time.Microsecond)
		ran += 5 * time.Microsecond
		return at
	}
	cpu := func() (time.Duration, error) { return ran, nil }
	if got := share(cpu, now, time.Millisecond); got < 0.49 || got > 0.52 {
		t.Errorf("a share of %v, want a half", got)
	}
	if got := share(func() (time.Duration, error) { return 0, errors.ErrUnsupported }, now, time.Millisecond); got != 1 {
		t.Errorf("a share of %v where the time is not known", got)
	}
}

// TestPinned: a thread stays on its processor, and two that compute at once each get one, or half of the only one.
func TestPinned(t *testing.T) {
	done := make(chan error)
	for n := range 3 {
		Pinned(n, func() { done <- nil })
		<-done
	}
	if got := Free(1, time.Millisecond); got <= 0 || got > 1 {
		t.Errorf("one thread gets a share of %v", got)
	}
	if many := 4 * runtime.NumCPU(); runtime.GOOS == "linux" {
		if got := Free(many, 20*time.Millisecond); got > 0.9 {
			t.Errorf("%d threads on %d processors get a share of %v each", many, runtime.NumCPU(), got)
		}
	}
}
