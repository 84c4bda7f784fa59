package counters

import (
	"errors"
	"runtime"
	"testing"
)

// A chain of known length takes the cycles that it must, by either source; the
// machine may take longer, as it runs other things.
func TestMeter(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	m := New()
	defer m.Close()
	const rounds = 50
	want := float64(rounds * steps * cyclesPerStep)
	best := 0.0
	for range 20 {
		m.Start()
		x := uint64(3)
		for range rounds {
			x = chain(x)
		}
		if r := m.Stop(); best == 0 || r.User < best {
			best = r.User
		}
	}
	if best < 0.8*want || (m.Source() == PerfEvent && best > 1.5*want) {
		t.Errorf("%s: %.0f cycles, want about %.0f", m.Source(), best, want)
	}
}

// No processor runs at less than 0.2 or more than 8 GHz: a chain that the compiler
// has shortened would.
func TestRate(t *testing.T) {
	best := 0.0
	for range 50 {
		best = max(best, Rate())
	}
	if runtime.GOARCH == "amd64" && (best < 0.2 || best > 8) {
		t.Errorf("%.2f cycles per nanosecond", best)
	}
}

func TestAvailable(t *testing.T) {
	if err := Available(); err != nil && !errors.Is(err, ErrUnavailable) {
		t.Errorf("got %v, which does not wrap ErrUnavailable", err)
	}
}

func BenchmarkStartStop(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	m := New()
	defer m.Close()
	for b.Loop() {
		m.Start()
		m.Stop()
	}
}
