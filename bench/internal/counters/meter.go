package counters

import (
	"encoding/binary"
	"math"
)

// Meter counts the cycles that pieces of work take on the calling thread, user and kernel, one piece after another. It reads the
// processor's counter through perf_event where the machine allows it, and counts nothing elsewhere. If the kernel shared the
// counter with other users meanwhile, the count is scaled. A meter belongs to the thread that called New: call
// runtime.LockOSThread before New, and Close when done.
type Meter struct {
	kernel kernel
	fd     int // of the counter; -1: nothing is counted
	from   snapshot
	buf    [24]byte // of a snapshot: a local array would escape to the Go heap
	empty  float64  // count of an empty measurement
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

// New returns a meter.
func New() *Meter { return newMeter(system()) }

func newMeter(k kernel) *Meter {
	m := &Meter{kernel: k}
	fd, err := k.open()
	if m.fd = fd; err != nil {
		m.fd = -1
		return m
	}
	least := math.Inf(1)
	for range 8 { // empty measurements give the meter's own count
		m.Start()
		least = min(least, m.Stop())
	}
	if m.empty = least; math.IsNaN(least) { // the counter does not work
		_ = m.Close()
	}
	return m
}

// Counts reports whether the meter counts. No meter does not.
func (m *Meter) Counts() bool { return m != nil && m.fd >= 0 }

// Start begins a measurement.
func (m *Meter) Start() { m.from = m.snapshot() }

// Stop ends the measurement that Start began, and returns its cycles without the meter's own; NaN if they are not known.
func (m *Meter) Stop() float64 {
	to := m.snapshot()
	enabled, running := to.enabled-m.from.enabled, to.running-m.from.running
	if m.from.running == absent || to.running == absent || running == 0 || to.count < m.from.count {
		return math.NaN()
	}
	count := float64(to.count - m.from.count)
	if running < enabled {
		count *= float64(enabled) / float64(running)
	}
	return max(count-m.empty, 0)
}

const absent = math.MaxUint64 // running of a snapshot that could not be read

// snapshot reads the counter.
func (m *Meter) snapshot() snapshot {
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
