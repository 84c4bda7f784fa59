package counters

import (
	"encoding/binary"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"
)

// fake is a kernel and a clock under the test's control. Every reading of the counter adds
// to it the cost of the reading, and work adds the rest.
type fake struct {
	refuse  error
	perRead uint64
	share   uint64 // of the time, in percent, that the counter runs; 0 means 100

	opened, closed int
	count          uint64
	enabled, ran   uint64
	failRead       error
	short          bool
	wall, cpu      time.Duration
	rates          []float64
	failCPU        error
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
	}, clock{
		now: func() time.Time { return time.Unix(0, 0).Add(f.wall) },
		cpu: func() (time.Duration, error) { return f.cpu, f.failCPU },
		rate: func() float64 {
			r := f.rates[0]
			f.rates = f.rates[1:]
			f.wall, f.cpu = f.wall+50_000, f.cpu+50_000 // the cost of measuring it
			return r
		},
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
	f := &fake{perRead: 5, wall: time.Second}
	m := f.meter()
	if m.Source() != Counted {
		t.Fatal(m.Source())
	}
	m.Start()
	f.work(1000, 100)
	f.wall += 3000
	if got, want := m.Stop(), (Reading{3000, 100, true}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	m.Start() // of nothing
	if r := m.Stop(); r.Cycles != 0 || r.Wall != 0 {
		t.Errorf("got %+v", r)
	}
	f.share = 50 // others used it by turns: an estimate
	m.Start()
	f.work(100_000, 10_000)
	if r := m.Stop(); r.Steady || r.Cycles < 9_900 || r.Cycles > 10_100 {
		t.Errorf("got %+v", r)
	}
	unknown := func(what string, before, after func()) {
		t.Helper()
		before()
		m.Start()
		f.work(1000, 100)
		after()
		if r := m.Stop(); !math.IsNaN(r.Cycles) || r.Steady {
			t.Errorf("%s: got %+v, want NaN and not steady", what, r)
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

// A meter goes by time where the counter is refused, or never counts.
func TestMeterFallsBack(t *testing.T) {
	for name, f := range map[string]*fake{
		"refused": {refuse: errBroken}, "no turn": {share: never}, "unreadable": {failRead: errBroken},
	} {
		f.rates = []float64{2, 2}
		m := f.meter()
		m.Start()
		f.wall += 100
		f.cpu += 100
		if r := m.Stop(); m.Source() != calibrated || r.Cycles != 200 || !r.Steady {
			t.Errorf("%s: %s, %+v", name, m.Source(), r)
		}
		if err := m.Close(); err != nil || f.opened != f.closed {
			t.Errorf("%s: opened %d, closed %d, %v", name, f.opened, f.closed, err)
		}
	}
}

func TestMeterCalibrated(t *testing.T) {
	tests := []struct {
		name          string
		before, after float64
		wall, cpu     time.Duration
		failCPU       error
		cycles        float64
		steady        bool
	}{
		{"time is the thread's", 3, 3, 1000, 1000, nil, 3000, true},
		{"the thread had to wait", 3, 3, 1000, 400, nil, 1200, true},
		{"the clock of the thread is read around the other", 3, 3, 1000, 1100, nil, 3000, true},
		{"no time of the thread", 3, 3, 1000, 0, errBroken, 3000, true},
		{"a little faster", 3, 3.1, 1000, 1000, nil, 3050, true},
		{"much faster", 2, 3, 1000, 1000, nil, 2500, false},
		{"much slower", 3, 2, 1000, 1000, nil, 2500, false},
		{"no rate", math.NaN(), 3, 1000, 1000, nil, math.NaN(), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{refuse: errBroken, rates: []float64{tt.before, tt.after}, failCPU: tt.failCPU}
			m := f.meter()
			m.Start()
			f.wall += tt.wall
			f.cpu += tt.cpu
			r := m.Stop()
			if same := r.Cycles == tt.cycles || math.IsNaN(r.Cycles) && math.IsNaN(tt.cycles); !same || r.Wall != tt.wall || r.Steady != tt.steady {
				t.Errorf("got %+v", r)
			}
		})
	}
}

// The source depends on the machine; some figure comes of it.
func TestMeterHere(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	m := New()
	defer m.Close()
	m.Start()
	time.Sleep(time.Microsecond)
	if r := m.Stop(); r.Wall <= 0 || r.Cycles < 0 {
		t.Errorf("%s: %+v", m.Source(), r)
	}
	if cpu, err := threadCPU(); err == nil && cpu <= 0 {
		t.Errorf("the thread has run for %v", cpu)
	}
}

func TestBrokenContracts(t *testing.T) {
	m := (&fake{refuse: errBroken, rates: []float64{1}}).meter()
	for want, do := range map[string]func(){
		"call Start before": func() { (&fake{refuse: errBroken}).meter().Stop() },
		"call Stop before":  func() { m.Start(); m.Start() },
	} {
		func() {
			defer func() {
				if s, _ := recover().(string); !strings.Contains(s, want) {
					t.Errorf("panic %q, want %q", s, want)
				}
			}()
			do()
		}()
	}
}

// The chain does all its steps, each from the one before.
func TestChain(t *testing.T) {
	x, y := uint(12345), uint(0x9e3779b9)
	want := x
	for i := range steps {
		if i%2 == 0 {
			want += y
		} else {
			want ^= y
		}
	}
	if got := chain(x, y); got != want {
		t.Errorf("got %#x, want %#x", got, want)
	}
}

func TestRate(t *testing.T) {
	if got := rate(steps * time.Nanosecond / 2); got != 2 {
		t.Errorf("got %v", got)
	}
	for _, d := range []time.Duration{0, 1, steps/20 - 1} { // a clock in large steps
		if got := rate(d); !math.IsNaN(got) {
			t.Errorf("%v: got %v", d, got)
		}
	}
	if got := Rate(); got <= 0 || got >= 20 {
		t.Errorf("Rate() = %v", got)
	}
}

func BenchmarkStartStop(b *testing.B) {
	m := New()
	defer m.Close()
	for b.Loop() {
		m.Start()
		m.Stop()
	}
}

// A measurement allocates nothing: the growth of the Go heap is charged to the measured work.
func TestMeterAllocatesNothing(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	m := New()
	defer m.Close()
	measure := func() {
		m.Start()
		m.Stop()
	}
	if n := testing.AllocsPerRun(10, measure); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
