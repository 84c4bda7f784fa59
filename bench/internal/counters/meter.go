// Package counters measures the cycles that a piece of work takes on the calling thread. It
// reads the processor's cycle counter through perf_event if the machine allows it. Otherwise it
// measures time, and the clock rate just before and after.
//
//	perf_event   user and kernel cycles of this thread, and of nothing else
//	calibrated   min(wall, processor time of the thread) × the rate at which a chain of
//	             dependent additions, 1 cycle each, runs just before and just after
//
// An unknown count is NaN, never zero. If the kernel shared the counter with other users
// meanwhile, the count is scaled and not Steady.
//
// Only this package and package arena make system calls.
package counters

import (
	"encoding/binary"
	"math"
	"time"
)

// Source is the way in which cycles were measured.
type Source string

const (
	// Counted is the processor's cycle counter.
	Counted Source = "perf_event"
	// calibrated is time multiplied by a measured rate.
	calibrated Source = "calibrated"
)

// Reading is the cost of one piece of work.
type Reading struct {
	Wall   time.Duration
	Cycles float64 // user and kernel; NaN if not known
	// Steady reports that nothing was estimated and that the source saw the clock rate
	// change by at most 5 %. A reading that is not steady is unreliable.
	Steady bool
}

// Meter measures pieces of work, one after another. It belongs to the thread that
// called New: call runtime.LockOSThread before New, and Close when done.
//
//	New ─→ idle ──Start──→ running ──Stop──→ idle ──Close──→ closed
type Meter struct {
	kernel  kernel
	fd      int // of the counter; -1: calibrated
	clock   clock
	rate    float64
	start   time.Time
	cpu     time.Duration // at Start; -1: unknown
	from    snapshot
	buf     [24]byte // of a snapshot: a local array would escape to the Go heap
	empty   float64  // count of an empty measurement
	running bool
}

// kernel is the part of the operating system that a meter uses. Tests replace it.
type kernel struct {
	// open starts to count the cycles of the calling thread.
	open func() (fd int, err error)
	// read fills buf with a snapshot.
	read  func(fd int, buf []byte) (int, error)
	close func(fd int) error
}

// snapshot is one reading of the counter: cycles, the nanoseconds for which the counter was
// enabled, and the nanoseconds for which it counted.
type snapshot struct{ count, enabled, running uint64 }

// clock is the source of time of a meter. Tests replace it.
type clock struct {
	now  func() time.Time
	cpu  func() (time.Duration, error)
	rate func() float64
}

// New returns a meter with the best available source.
func New() *Meter { return newMeter(system(), clock{time.Now, threadCPU, Rate}) }

func newMeter(k kernel, c clock) *Meter {
	m := &Meter{kernel: k, clock: c}
	fd, err := k.open()
	if m.fd = fd; err != nil {
		m.fd = -1
		return m
	}
	least := math.Inf(1)
	for range 8 { // empty measurements give the meter's own count
		m.Start()
		least = min(least, m.Stop().Cycles)
	}
	if m.empty = least; math.IsNaN(least) { // the counter does not work
		m.empty = 0
		_ = m.Close() // time remains as a source
	}
	return m
}

// Source returns the way in which the meter measures cycles.
func (m *Meter) Source() Source {
	if m.fd < 0 {
		return calibrated
	}
	return Counted
}

// Start begins a measurement. It costs a few system calls, and a call of Rate if the meter is
// calibrated. The reading does not include that cost.
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

// Stop ends the measurement that Start began. It subtracts the meter's own count from that of
// perf_event.
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

// calibrate converts time to cycles. It uses the thread's processor time, because a thread that
// waits for a processor uses no cycles.
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

// snapshot reads the counter if the meter has one.
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

// Close releases the counter. A second call does nothing.
func (m *Meter) Close() error {
	if m.fd < 0 {
		return nil
	}
	fd := m.fd
	m.fd = -1
	return m.kernel.close(fd)
}
