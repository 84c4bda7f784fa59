package counters

import (
	"encoding/binary"
	"errors"
	"math"
	"runtime"
	"testing"
	"time"
)

// fake is a kernel under the test's control. Every reading of the counter adds to it the cost of the reading, and work adds
// the rest.
type fake struct {
	refuse  error
	perRead uint64
	share   uint64 // of the time, in percent, that the counter runs; 0 means 100

	opened, closed int
	count          uint64
	enabled, ran   uint64
	failRead       error
	short          bool
}

const never = ^uint64(0) // a share

var errBroken = errors.New("broken")

func (f *fake) meter() *Meter {
	return newMeter(kernel{
		open: func() (int, error) {
			if f.refuse == nil {
				f.opened++
			}
			return 100, f.refuse
		},
		read: func(fd int, buf []byte) (int, error) {
			if f.failRead != nil || f.short || fd != 100 {
				return 8, f.failRead
			}
			f.work(10, f.perRead)
			for i, w := range []uint64{f.count, f.enabled, f.ran} {
				binary.NativeEndian.PutUint64(buf[8*i:], w)
			}
			return 24, nil
		},
		close: func(fd int) error { f.closed++; return nil },
	})
}

// work is ns of it, which takes n cycles.
func (f *fake) work(ns, n uint64) {
	share := f.share
	if share == 0 {
		share = 100
	}
	if f.enabled += ns; share != never {
		f.ran += ns * share / 100
		f.count += n * share / 100
	}
}

// With the counter: the cost of a measurement is subtracted, and the rest is the work's.
func TestMeterCounts(t *testing.T) {
	f := &fake{perRead: 5}
	m := f.meter()
	if !m.Counts() {
		t.Fatal("it counts nothing")
	}
	m.Start()
	f.work(1000, 100)
	if got := m.Stop(); got != 100 {
		t.Errorf("got %v, want 100", got)
	}
	m.Start() // of nothing
	if r := m.Stop(); r != 0 {
		t.Errorf("got %v", r)
	}
	f.share = 50 // others used it by turns: an estimate
	m.Start()
	f.work(100_000, 10_000)
	if r := m.Stop(); r < 9_900 || r > 10_100 {
		t.Errorf("got %v", r)
	}
	unknown := func(what string, before, after func()) {
		t.Helper()
		before()
		m.Start()
		f.work(1000, 100)
		after()
		if r := m.Stop(); !math.IsNaN(r) {
			t.Errorf("%s: got %v, want NaN", what, r)
		}
		f.share, f.failRead, f.short = 0, nil, false
	}
	nothing := func() {}
	unknown("no turn", func() { f.share = never }, nothing)
	unknown("no reading at first", func() { f.failRead = errBroken }, func() { f.failRead = nil })
	unknown("no reading at last", nothing, func() { f.failRead = errBroken })
	unknown("a short reading", nothing, func() { f.short = true })
	unknown("a count that went back", nothing, func() { f.count = 1 })
	if err := errors.Join(m.Close(), m.Close()); err != nil || f.opened != 1 || f.closed != 1 {
		t.Errorf("opened %d, closed %d, %v", f.opened, f.closed, err)
	}
}

// A meter counts nothing where the counter is refused, or never counts.
func TestMeterFallsBack(t *testing.T) {
	for name, f := range map[string]*fake{
		"refused": {refuse: errBroken}, "no turn": {share: never}, "unreadable": {failRead: errBroken},
	} {
		m := f.meter()
		if m.Counts() {
			t.Errorf("%s: it counts", name)
		}
		if err := m.Close(); err != nil || f.opened != f.closed {
			t.Errorf("%s: opened %d, closed %d, %v", name, f.opened, f.closed, err)
		}
	}
	if (*Meter)(nil).Counts() {
		t.Error("no meter counts")
	}
}

// The machine may have a counter; a measurement allocates nothing, because growth of the Go heap is charged to the measured work.
func TestMeterHere(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	m := New()
	defer m.Close()
	if cpu, err := threadCPU(); err == nil && cpu <= 0 {
		t.Errorf("the thread has run for %v", cpu)
	}
	if !m.Counts() {
		t.Skip("perf_event_open is refused or gives no cycles: nothing to measure with; TestMeterCounts and TestMeterFallsBack have a counter of their own")
	}
	measure := func() {
		m.Start()
		time.Sleep(time.Microsecond)
		if r := m.Stop(); r < 0 {
			t.Error(r)
		}
	}
	if n := testing.AllocsPerRun(10, measure); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
