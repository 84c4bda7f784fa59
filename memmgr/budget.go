package memmgr

import (
	"time"
)

// Budgets bound time and bytes at one safe point, and time in one frame. A move is never broken
// off, so a safe point may take as much longer as one move does, and makes one in any case.

// A budget of 200 µs is an eightieth of a frame at 60 a second. 4 MiB takes as long at 20 GB/s, and bounds
// moves under a clock that stands still, as tests and replays have (BenchmarkGain).
const (
	budgetTime  = 200 * time.Microsecond
	budgetBytes = 4 << 20
)

// pacing has budgets, and the time and bytes spent of them.
type pacing struct {
	budget Budget
	frame  time.Duration    // bounds the moves of a frame; 0 does not
	spent  time.Duration    // of that
	clock  func() time.Time // nil: time.Now
	did    Adapting
}

// setBudget bounds the time and bytes of safe points from now on: each of them, and all of a frame
// together, where frame is not 0. They go by the clock, or by time.Now if that is nil.
func (m *Manager) setBudget(b Budget, frame time.Duration, clock func() time.Time) {
	m.mustBeMade("SetBudget")
	if b.Time <= 0 {
		b.Time = budgetTime
	}
	if b.Bytes == 0 {
		b.Bytes = budgetBytes
	}
	m.pacing = pacing{budget: b, frame: frame, clock: clock}
}

// left is how much time a safe point may take now.
func (m *Manager) left() time.Duration {
	p := &m.pacing
	if p.frame > 0 {
		return min(p.budget.Time, max(p.frame-p.spent, 0))
	}
	return p.budget.Time
}

// now is the time by which budgets go.
func (m *Manager) now() time.Time {
	m.mustBeMade("Now")
	if m.pacing.clock == nil {
		return time.Now()
	}
	return m.pacing.clock()
}

// moved returns the counts of safe points.
func (m *Manager) moved() Adapting {
	m.mustBeMade("Moved")
	d := m.pacing.did
	d.Waiting = len(m.astray)
	return d
}

// moved adds the counts of one safe point, which took Longest.
func (p *pacing) moved(d Adapting) {
	p.did.Moves += d.Moves
	p.did.Bytes += d.Bytes
	p.did.Refused += d.Refused
	p.did.OverBudget += d.OverBudget
	p.did.Time += d.Longest
	p.spent += d.Longest
	p.did.Longest = max(p.did.Longest, d.Longest)
}
