// Package counters measures what a piece of work takes on the calling thread: with the
// processor's own count of cycles through perf_event where the machine allows it, and
// otherwise by time, with the clock rate measured next to it.
//
//	perf_event   user and kernel cycles of this thread, and of nothing else
//	calibrated   min(wall, processor time of the thread) × the rate at which a chain of
//	             dependent additions, 1 cycle each, runs just before and just after
//
// A count that is not known is NaN, never zero. One that the kernel had to estimate, because
// others used the counter meanwhile, is scaled and not Steady.
//
// It is one of two packages that make system calls; the other is package arena.
package counters

import (
	"encoding/binary"
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

// Reading is what one piece of work took.
type Reading struct {
	Wall   time.Duration
	Cycles float64 // user and kernel; NaN if not known
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
	kernel  kernel
	fd      int // of the counter; -1: calibrated
	clock   clock
	rate    float64
	start   time.Time
	cpu     time.Duration // at Start; -1: not known
	from    snapshot
	buf     [24]byte // of a snapshot: one of its own would be on the Go heap
	empty   float64  // what a measurement of nothing counts
	running bool
}

// kernel is what a meter asks of the operating system; tests give another one.
type kernel struct {
	// open begins to count cycles of the calling thread.
	open func() (fd int, err error)
	// read fills buf with a snapshot.
	read  func(fd int, buf []byte) (int, error)
	close func(fd int) error
}

// snapshot is one reading of the counter: cycles, and for how many nanoseconds the kernel was
// asked for them and did count.
type snapshot struct{ count, enabled, running uint64 }

// clock is how a meter finds time; tests give another one.
type clock struct {
	now  func() time.Time
	cpu  func() (time.Duration, error)
	rate func() float64
}

// New returns a meter with the best source there is.
func New() *Meter { return newMeter(system(), clock{time.Now, threadCPU, Rate}) }

func newMeter(k kernel, c clock) *Meter {
	m := &Meter{kernel: k, clock: c}
	fd, err := k.open()
	if m.fd = fd; err != nil {
		m.fd = -1
		return m
	}
	least := math.Inf(1)
	for range 8 { // of nothing: what a measurement counts by itself
		m.Start()
		least = min(least, m.Stop().Cycles)
	}
	if m.empty = least; math.IsNaN(least) { // it does not really count
		m.empty = 0
		_ = m.Close() // there is time to go by
	}
	return m
}

// Source is how the meter finds cycles.
func (m *Meter) Source() Source {
	if m.fd < 0 {
		return Calibrated
	}
	return PerfEvent
}

// Start begins a measurement. With the counter it costs a few system calls; calibrated,
// what Rate costs too. Nothing of that is in the reading.
func (m *Meter) Start() {
	if m.running {
		panic("counters: Start of a meter that is running: call Stop before")
	}
	m.running = true
	if m.fd < 0 {
		m.rate = m.clock.rate()
	}
	m.cpu = m.threadCPU()
	m.from = m.snapshot()
	m.start = m.clock.now()
}

// Stop ends the measurement that Start began. What the measurement itself counts
// has been taken off the count of perf_event.
func (m *Meter) Stop() Reading {
	r := Reading{Wall: m.clock.now().Sub(m.start)}
	if !m.running {
		panic("counters: Stop of a meter that is not running: call Start before")
	}
	m.running = false
	to := m.snapshot()
	if m.fd < 0 {
		m.calibrate(&r)
		return r
	}
	enabled, running := to.enabled-m.from.enabled, to.running-m.from.running
	if m.from.running == absent || to.running == absent || running == 0 || to.count < m.from.count {
		r.Cycles = math.NaN()
		return r
	}
	count := float64(to.count - m.from.count)
	if running < enabled {
		count *= float64(enabled) / float64(running)
	}
	r.Cycles = max(count-m.empty, 0)
	r.Steady = running >= enabled-enabled/20
	return r
}

// calibrate makes cycles of time. A thread that had to wait for a processor has
// less time of its own than has passed, and cycles are of its own.
func (m *Meter) calibrate(r *Reading) {
	spent := r.Wall
	if cpu := m.threadCPU(); cpu >= 0 && m.cpu >= 0 {
		spent = min(cpu-m.cpu, spent)
	}
	after := m.clock.rate()
	r.Cycles = float64(spent.Nanoseconds()) * (m.rate + after) / 2
	r.Steady = after < m.rate*1.05 && m.rate < after*1.05
}

func (m *Meter) threadCPU() time.Duration {
	d, err := m.clock.cpu()
	if err != nil {
		return -1
	}
	return d
}

const absent = math.MaxUint64 // running of a snapshot that could not be read

// snapshot reads the counter, if there is one.
func (m *Meter) snapshot() snapshot {
	if m.fd < 0 {
		return snapshot{}
	}
	if n, err := m.kernel.read(m.fd, m.buf[:]); err != nil || n != len(m.buf) {
		return snapshot{running: absent}
	}
	word := func(i int) uint64 { return binary.NativeEndian.Uint64(m.buf[8*i:]) }
	return snapshot{word(0), word(1), word(2)}
}

// Close gives the counter back. A second one does nothing.
func (m *Meter) Close() error {
	if m.fd < 0 {
		return nil
	}
	fd := m.fd
	m.fd = -1
	return m.kernel.close(fd)
}
