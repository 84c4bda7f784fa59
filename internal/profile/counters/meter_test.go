package counters

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"
)

// With counters: what a measurement costs is taken off, and the rest is the work's.
func TestMeterCounts(t *testing.T) {
	f := &fake{perRead: 5, wall: time.Second}
	m := newMeter(f.kernel(), f.clock())
	if m.Source() != PerfEvent || m.Why() != nil {
		t.Fatalf("%s, %v", m.Source(), m.Why())
	}
	m.Start()
	f.work(1000, 100)
	f.wall += 3000
	f.cpu += 2000
	if got, want := m.Stop(), (Reading{3000, 2000, 100, 200, 300, 400, 500, PerfEvent, true}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	m.Start() // of nothing
	if r := m.Stop(); r.Cycles != 0 || r.Wall != 0 || r.CPU != 0 {
		t.Errorf("got %+v", r)
	}
	f.share = 50 // events took turns: an estimate
	m.Start()
	f.work(100_000, 10_000)
	if r := m.Stop(); r.Steady || r.Cycles < 9_900 || r.Cycles > 10_100 {
		t.Errorf("got %+v", r)
	}
	f.share = never
	m.Start()
	f.work(1000, 100)
	absent(t, m.Stop())
	f.share, f.failRead = 0, errBroken
	m.Start()
	absent(t, m.Stop())
	f.failRead = nil
	m.Start()
	f.failRead = errBroken
	absent(t, m.Stop())
	if err := errors.Join(m.Close(), m.Close()); err != nil || !slices.Equal(f.opened, f.closed) {
		t.Errorf("opened %v, closed %v, %v", f.opened, f.closed, err)
	}
}

// absent wants a reading without any count.
func absent(t *testing.T, r Reading) {
	t.Helper()
	for _, v := range []float64{r.Cycles, r.User, r.Instructions, r.CacheMisses, r.DTLBMisses} {
		if !math.IsNaN(v) || r.Steady {
			t.Errorf("got %+v, want NaN and not steady", r)
			return
		}
	}
}

// A meter takes as many events as it can get, and time if it gets no cycles.
func TestMeterFallsBack(t *testing.T) {
	tests := []struct {
		name   string
		refuse []Event
		share  uint64
		list   []Event
	}{
		{"all", nil, 0, []Event{Cycles, CyclesUser, Instructions, CacheMisses, DTLBMisses}},
		{"no TLB", []Event{DTLBMisses}, 0, []Event{Cycles, CyclesUser, CacheMisses}},
		{"only cycles", []Event{CacheMisses}, 0, []Event{Cycles, CyclesUser}},
		{"not the kernel's", []Event{Cycles}, 0, nil},
		{"no turn", nil, never, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{refuse: map[Event]bool{}, share: tt.share, rates: []float64{2, 2}}
			for _, e := range tt.refuse {
				f.refuse[e] = true
			}
			m := newMeter(f.kernel(), f.clock())
			if tt.list == nil {
				if m.Source() != Calibrated || !errors.Is(m.Why(), ErrUnavailable) {
					t.Errorf("%s, %v", m.Source(), m.Why())
				}
			} else if m.Source() != PerfEvent || !slices.Equal(m.group.Events(), tt.list) {
				t.Errorf("%s, %v, want %v", m.Source(), m.group, tt.list)
			}
			m.Start()
			f.work(100, 50)
			f.wall += 100
			f.cpu += 100
			if r := m.Stop(); math.IsNaN(r.Cycles) || math.IsNaN(r.User) || math.IsNaN(r.DTLBMisses) != (tt.name != "all") {
				t.Errorf("got %+v", r)
			}
			if err := m.Close(); err != nil || len(f.opened) != len(f.closed) {
				t.Errorf("opened %v, closed %v, %v", f.opened, f.closed, err)
			}
		})
	}
}

func TestMeterCalibrated(t *testing.T) {
	tests := []struct {
		name          string
		before, after float64
		wall, cpu     time.Duration
		failCPU       error
		cycles        float64
		wantCPU       time.Duration
		steady        bool
	}{
		{"time is the thread's", 3, 3, 1000, 1000, nil, 3000, 1000, true},
		{"the thread had to wait", 3, 3, 1000, 400, nil, 1200, 400, true},
		{"the clock of the thread is read around the other", 3, 3, 1000, 1100, nil, 3000, 1000, true},
		{"no time of the thread", 3, 3, 1000, 0, errBroken, 3000, -1, true},
		{"a little faster", 3, 3.1, 1000, 1000, nil, 3050, 1000, true},
		{"much faster", 2, 3, 1000, 1000, nil, 2500, 1000, false},
		{"much slower", 3, 2, 1000, 1000, nil, 2500, 1000, false},
		{"no rate", math.NaN(), 3, 1000, 1000, nil, math.NaN(), 1000, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{refuse: map[Event]bool{Cycles: true}, rates: []float64{tt.before, tt.after}, failCPU: tt.failCPU}
			m := newMeter(f.kernel(), f.clock())
			m.Start()
			f.wall += tt.wall
			f.cpu += tt.cpu
			r := m.Stop()
			if same := r.Cycles == tt.cycles || math.IsNaN(r.Cycles) && math.IsNaN(tt.cycles); !same ||
				r.Wall != tt.wall || r.CPU != tt.wantCPU || r.Steady != tt.steady || r.Source != Calibrated {
				t.Errorf("got %+v", r)
			}
			if !math.IsNaN(r.Instructions) || !math.IsNaN(r.CacheMisses) || !math.IsNaN(r.DTLBMisses) {
				t.Errorf("counts that nobody counted: %+v", r)
			}
		})
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

func TestThreadTime(t *testing.T) {
	user, kernel, err := ThreadTime()
	if errors.Is(err, ErrUnavailable) {
		t.Skipf("no time of a thread here; meters go by wall time then, which TestRate measures: %v", err)
	}
	if err != nil || user < 0 || kernel < 0 {
		t.Fatalf("%v, %v, %v", user, kernel, err)
	}
	if cpu, err := threadCPU(); err != nil || cpu <= 0 {
		t.Errorf("%v, %v", cpu, err)
	}
}

func TestEventString(t *testing.T) {
	seen := map[string]bool{}
	for e := range Event(events) {
		if s := e.String(); s == "" || seen[s] {
			t.Errorf("event %d is %q, as another one is or none", e, s)
		}
		seen[e.String()] = true
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

func BenchmarkRate(b *testing.B) {
	for b.Loop() {
		Rate()
	}
}

func BenchmarkThreadTime(b *testing.B) {
	for b.Loop() {
		_, _, _ = ThreadTime()
	}
}
