package counters

import (
	"math"
	"time"
)

// Source is how cycles were found.
type Source string

const (
	// PerfEvent is the processor's own count.
	PerfEvent Source = "perf_event"
	// Calibrated is time multiplied by a measured rate.
	Calibrated Source = "calibrated"
)

// Reading is what one piece of work took. A number that is not known is NaN.
type Reading struct {
	Wall   time.Duration
	CPU    time.Duration // that the thread ran, at most Wall; -1 if not known
	Cycles float64       // user and kernel
	// User is cycles of user code. Calibrated, which can't tell, it is an upper
	// bound: the same as Cycles.
	User         float64
	Instructions float64
	CacheMisses  float64
	DTLBMisses   float64
	Source       Source // of Cycles and User
	// Steady says that, as far as the source can tell, the clock rate did not
	// change meanwhile by more than 5 %, and nothing had to be estimated. A reading
	// that is not steady is worth little.
	Steady bool
}

// Meter measures pieces of work, one after another. It belongs to the thread that
// made it: call runtime.LockOSThread before New, and Close when done.
//
//	New ─→ idle ──Start──→ running ──Stop──→ idle ──Close──→ closed
type Meter struct {
	group    *Group // nil: calibrated
	why      error  // why group is nil
	clock    clock
	rate     float64
	start    time.Time
	cpu      time.Duration // at Start; -1: not known
	from, to snapshot
	empty    []float64 // what a measurement of nothing counts, per event
	running  bool
}

// clock is how a meter finds time; tests give another one.
type clock struct {
	now  func() time.Time
	cpu  func() (time.Duration, error)
	rate func() float64
}

// wishes are the events that a meter tries to count, best first. Cycles without
// the kernel's, which is all that some machines allow, are not enough: what
// allocates would look cheap.
func wishes() [][]Event {
	return [][]Event{
		{Cycles, CyclesUser, Instructions, CacheMisses, DTLBMisses},
		{Cycles, CyclesUser, CacheMisses},
		{Cycles, CyclesUser},
	}
}

// New returns a meter with the best source there is; Why says why that is not
// perf_event, if it is not.
func New() *Meter { return newMeter(system(), clock{time.Now, threadCPU, Rate}) }

func newMeter(k kernel, c clock) *Meter {
	m := &Meter{clock: c}
	for _, list := range wishes() {
		var err error
		if m.group, err = open(k, list); err == nil {
			if err = m.warm(); err == nil {
				m.why = nil
				return m
			}
			_ = m.group.Close() // err says more
		}
		m.group, m.why = nil, err
	}
	return m
}

// warm finds out if the group really counts, and what a measurement counts by
// itself.
func (m *Meter) warm() error {
	n := len(m.group.events)
	m.from, m.to, m.empty = newSnapshot(n), newSnapshot(n), make([]float64, n)
	if err := m.group.Read(make([]uint64, n)); err != nil {
		return err
	}
	least := make([]float64, n)
	for round := range 8 {
		m.Start()
		m.Stop()
		for i := range least {
			if v := m.count(i); round == 0 || v < least[i] {
				least[i] = v
			}
		}
	}
	for i, v := range least {
		if v > 0 { // not if it is NaN
			m.empty[i] = v
		}
	}
	return nil
}

// Source is how the meter finds cycles.
func (m *Meter) Source() Source {
	if m.group != nil {
		return PerfEvent
	}
	return Calibrated
}

// Why says why the meter does not use perf_event, and what to do about it; nil if
// it does. It wraps ErrUnavailable, as a rule.
func (m *Meter) Why() error { return m.why }

// Start begins a measurement. With counters it costs a few system calls; calibrated,
// what Rate costs too. Nothing of that is in the reading.
func (m *Meter) Start() {
	if m.running {
		panic("counters: Start of a meter that is running: call Stop before")
	}
	m.running = true
	if m.group == nil {
		m.rate = m.clock.rate()
	}
	m.cpu = m.threadCPU()
	if m.group != nil {
		if err := m.group.snapshot(&m.from); err != nil {
			m.from.running = math.MaxUint64 // absent: see count
		}
	}
	m.start = m.clock.now()
}

// Stop ends the measurement that Start began. What the measurement itself counts
// has been taken off the counts of perf_event.
func (m *Meter) Stop() Reading {
	r := Reading{Wall: m.clock.now().Sub(m.start), CPU: -1}
	if !m.running {
		panic("counters: Stop of a meter that is not running: call Start before")
	}
	m.running = false
	if m.group != nil {
		if err := m.group.snapshot(&m.to); err != nil {
			m.to.running = 0
		}
	}
	if cpu := m.threadCPU(); cpu >= 0 && m.cpu >= 0 {
		r.CPU = min(cpu-m.cpu, r.Wall)
	}
	nan := math.NaN()
	r.Cycles, r.User, r.Instructions, r.CacheMisses, r.DTLBMisses = nan, nan, nan, nan, nan
	r.Source = m.Source()
	if m.group == nil {
		m.calibrate(&r)
		return r
	}
	for i, e := range m.group.events {
		v := max(m.count(i)-m.empty[i], 0)
		switch e {
		case Cycles:
			r.Cycles = v
		case CyclesUser:
			r.User = v
		case Instructions:
			r.Instructions = v
		case CacheMisses:
			r.CacheMisses = v
		case DTLBMisses:
			r.DTLBMisses = v
		}
	}
	enabled, running := m.to.enabled-m.from.enabled, m.to.running-m.from.running
	r.Steady = !math.IsNaN(r.Cycles) && running >= enabled-enabled/20
	return r
}

// calibrate makes cycles of time. A thread that had to wait for a processor has
// less time of its own than has passed, and cycles are of its own.
func (m *Meter) calibrate(r *Reading) {
	after, spent := m.clock.rate(), r.Wall
	if r.CPU >= 0 {
		spent = r.CPU
	}
	r.Cycles = float64(spent.Nanoseconds()) * (m.rate + after) / 2
	r.User = r.Cycles
	r.Steady = after < m.rate*1.05 && m.rate < after*1.05
}

// count is what event i counted between Start and Stop, scaled if the events took
// turns; NaN if it is not known.
func (m *Meter) count(i int) float64 {
	if m.to.running <= m.from.running || m.to.counts[i] < m.from.counts[i] {
		return math.NaN()
	}
	n, ok := scale(m.to.counts[i]-m.from.counts[i], m.to.enabled-m.from.enabled, m.to.running-m.from.running)
	if !ok {
		return math.NaN()
	}
	return float64(n)
}

func (m *Meter) threadCPU() time.Duration {
	d, err := m.clock.cpu()
	if err != nil {
		return -1
	}
	return d
}

// Close gives the counters back. A second one does nothing.
func (m *Meter) Close() error {
	if m.group == nil {
		return nil
	}
	return m.group.Close()
}
