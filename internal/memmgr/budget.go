package memmgr

import "time"

// Budget bounds the moves of safe points. At least one is made at each, if any is due.
type Budget struct {
	Time  time.Duration // at one safe point; 0 is 200 µs
	Bytes uint64        // copied at one safe point; 0 is 4 MiB
}

const (
	budgetTime  = 200 * time.Microsecond
	budgetBytes = 4 << 20
)

// Moved is what safe points have done since SetBudget was called last.
type Moved struct {
	Moves      uint64        // chunks brought where they belong
	Bytes      uint64        // copied for them
	Refused    uint64        // chunks left where they are since there was no memory for another place
	OverBudget uint64        // safe points that left due work to the next one
	Time       time.Duration // spent on moves
	Longest    time.Duration // at one safe point
	Waiting    int           // chunks that may have to be moved
}

// pacing is what budgets say, and what was spent of them.
type pacing struct {
	budget Budget
	frame  time.Duration    // bounds the moves of a frame; 0 does not
	spent  time.Duration    // of that
	clock  func() time.Time // nil: time.Now
	did    Moved
}

// SetBudget says what safe points may spend from now on: each of them, and all of a frame
// together, where frame is not 0. They go by the clock, or by time.Now if that is nil.
func (m *Manager) SetBudget(b Budget, frame time.Duration, clock func() time.Time) {
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

// Now is the time by which budgets go.
func (m *Manager) Now() time.Time {
	if m.pacing.clock == nil {
		return time.Now()
	}
	return m.pacing.clock()
}

// Moved returns what safe points have done.
func (m *Manager) Moved() Moved {
	d := m.pacing.did
	d.Waiting = len(m.astray)
	return d
}

// moved counts what a safe point did, which took Longest.
func (p *pacing) moved(d Moved) {
	p.did.Moves += d.Moves
	p.did.Bytes += d.Bytes
	p.did.Refused += d.Refused
	p.did.OverBudget += d.OverBudget
	p.did.Time += d.Longest
	p.spent += d.Longest
	p.did.Longest = max(p.did.Longest, d.Longest)
}

// EndFrame says that a frame is over, and returns how much time its budget has left. The next
// one has a budget of its own. Spare chunks that no row has wanted for some hundred frames are
// freed, with any budget.
func (m *Manager) EndFrame() (left time.Duration, err error) {
	m.mustBeMade("EndFrame")
	if m.closed {
		return 0, m.isClosed("EndFrame")
	}
	m.frame++
	left, m.pacing.spent = m.left(), 0
	if m.frame%spareFrames == 0 && len(m.spares) != 0 {
		defer m.use("EndFrame")()
		m.freeOldSpares()
	}
	return left, nil
}
