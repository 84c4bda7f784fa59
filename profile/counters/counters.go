// Package counters measures the cycles that a piece of work takes on the calling
// thread: with the processor's counters through perf_event where the machine
// allows it, and otherwise by time, with the clock rate measured next to it.
//
//	perf_event   user and kernel cycles of this thread, and of nothing else
//	calibrated   wall time × the rate at which a chain of dependent multiplications,
//	             3 cycles each, runs just before and just after
//
// It is one of two places that make system calls; the other is package arena.
// Cycles that are not known are absent, never zero.
package counters

import (
	"errors"
	"time"
)

// ErrUnavailable is wrapped by the error of Open where there are no counters.
var ErrUnavailable = errors.New("counters: hardware counters are not available")

// Source is how cycles were found.
type Source string

const (
	// PerfEvent is the processor's own count.
	PerfEvent Source = "perf_event"
	// Calibrated is time multiplied by a measured rate.
	Calibrated Source = "calibrated"
)

// Reading is what one piece of work took.
type Reading struct {
	Wall   time.Duration
	Cycles float64 // user and kernel
	User   float64 // user alone; the same as Cycles where the source can't tell
	// Steady says that the clock rate did not change meanwhile by more than 5 %, as
	// far as the source can tell. A reading that is not steady is worth little.
	Steady bool
}

// Meter measures. It belongs to the thread that made it: call
// runtime.LockOSThread before New, and Close when done.
type Meter struct {
	group *group // nil: calibrated
	rate  float64
	start time.Time
}

// New returns a meter with the best source there is.
func New() *Meter {
	g, err := open()
	if err != nil {
		g = nil
	}
	return &Meter{group: g}
}

// Available returns nil if hardware counters can be opened, or why not.
func Available() error {
	g, err := open()
	if err != nil {
		return err
	}
	return g.close()
}

// Source is how the meter finds cycles.
func (m *Meter) Source() Source {
	if m.group != nil {
		return PerfEvent
	}
	return Calibrated
}

// Start begins a measurement. Calibrated, it costs some 20 µs.
func (m *Meter) Start() {
	if m.group == nil {
		m.rate = Rate()
	} else {
		m.group.reset()
	}
	m.start = time.Now()
}

// Stop ends the measurement that Start began.
func (m *Meter) Stop() Reading {
	r := Reading{Wall: time.Since(m.start), Steady: true}
	if m.group != nil {
		r.User, r.Cycles = m.group.read()
		return r
	}
	after := Rate()
	r.Cycles = float64(r.Wall.Nanoseconds()) * (m.rate + after) / 2
	r.User = r.Cycles
	r.Steady = after < m.rate*1.05 && m.rate < after*1.05
	return r
}

// Close gives the counters back.
func (m *Meter) Close() error {
	if m.group == nil {
		return nil
	}
	return m.group.close()
}

const (
	steps         = 4096
	cyclesPerStep = 3 // latency of a 64-bit multiplication on x86-64 since 2008, and on most arm64
)

// Rate measures the clock rate in cycles per nanosecond, as the best of five runs
// of a chain of multiplications of which each needs the one before.
func Rate() float64 {
	best := time.Duration(1 << 62)
	x := uint64(time.Now().UnixNano()) | 1
	for range 5 {
		start := time.Now()
		x = chain(x)
		best = min(best, time.Since(start))
	}
	if x == 0 { // never: odd numbers stay odd; but the compiler must not know
		return 0
	}
	return steps * cyclesPerStep / float64(max(best.Nanoseconds(), 1))
}

// chain squares x again and again: constants would be folded into one.
//
//go:noinline
func chain(x uint64) uint64 {
	for range steps / 4 {
		x *= x
		x *= x
		x *= x
		x *= x
	}
	return x
}
