package counters

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestGroup(t *testing.T) {
	f := &fake{perRead: 5}
	g, err := open(f.kernel(), []Event{Cycles, PageFaults, CyclesUser})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(f.leaders, []int{-1, 100, 100}) {
		t.Errorf("leaders %v: the first leads, the others follow it", f.leaders)
	}
	if !slices.Equal(f.started, []int{100}) {
		t.Errorf("started %v: the leader, once, starts all", f.started)
	}
	f.work(1000, 100)
	dst := []uint64{1, 1, 1, 7}
	if err := g.Read(dst); err != nil || !slices.Equal(dst, []uint64{105, 210, 315, 7}) {
		t.Errorf("got %v, %v", dst, err)
	}
	f.share = 25
	f.work(1_000_000, 4000) // 1000 in a quarter of the time
	if err := g.Read(dst); err != nil || dst[0] < 4300 || dst[0] > 4600 {
		t.Errorf("scaled to %v, %v", dst, err)
	}
	if !slices.Equal(g.Events(), []Event{Cycles, PageFaults, CyclesUser}) {
		t.Errorf("events %v", g.Events())
	}
	if err := errors.Join(g.Close(), g.Close()); err != nil || !slices.Equal(f.closed, f.opened) {
		t.Errorf("closed %v of %v, %v", f.closed, f.opened, err)
	}
	if err := g.Read(dst); err == nil {
		t.Error("a closed group was read")
	}
}

func TestOpenRefused(t *testing.T) {
	f := &fake{refuse: map[Event]bool{CacheMisses: true}}
	_, err := open(f.kernel(), []Event{Cycles, Instructions, CacheMisses, TaskClock})
	if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "counting cache-misses") {
		t.Errorf("got %v", err)
	}
	if len(f.opened) != 2 || !slices.Equal(f.closed, f.opened) {
		t.Errorf("opened %v, closed %v", f.opened, f.closed)
	}
	f = &fake{refuse: map[Event]bool{Cycles: true}, failClose: errBroken}
	if _, err := open(f.kernel(), []Event{CyclesUser, Cycles}); !errors.Is(err, errBroken) || !errors.Is(err, ErrUnavailable) {
		t.Errorf("got %v, want both errors", err)
	}
	f = &fake{failStart: errBroken}
	if _, err := open(f.kernel(), []Event{Cycles, CyclesUser}); !errors.Is(err, errBroken) || !errors.Is(err, ErrUnavailable) || !slices.Equal(f.closed, f.opened) {
		t.Errorf("got %v, opened %v, closed %v", err, f.opened, f.closed)
	}
}

func TestReadFails(t *testing.T) {
	tests := []struct {
		name   string
		change func(*fake)
		want   error
	}{
		{"an error", func(f *fake) { f.failRead = errBroken }, errBroken},
		{"a short read", func(f *fake) { f.short = true }, nil},
		{"no turn", func(f *fake) { f.share = never }, ErrUnavailable},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{}
			tt.change(f)
			g, err := open(f.kernel(), []Event{Cycles})
			if err != nil {
				t.Fatal(err)
			}
			dst := []uint64{42}
			if err = g.Read(dst); err == nil || (tt.want != nil && !errors.Is(err, tt.want)) || dst[0] != 42 {
				t.Errorf("got %v, %v", dst, err)
			}
		})
	}
}

func TestBrokenContracts(t *testing.T) {
	f := &fake{}
	g, err := open(f.kernel(), []Event{Cycles, CyclesUser})
	if err != nil {
		t.Fatal(err)
	}
	m := newMeter((&fake{refuse: map[Event]bool{Cycles: true}}).kernel(), (&fake{rates: []float64{1}}).clock())
	tests := []struct {
		want string
		do   func()
	}{
		{"name at least one", func() { _, _ = Open() }},
		{"Event(99): use one of the constants", func() { _, _ = Open(Cycles, 99) }},
		{"make dst longer", func() { _ = g.Read(make([]uint64, 1)) }},
		{"call Start before", func() { m.Stop() }},
		{"call Stop before", func() { m.Start(); m.Start() }},
	}
	for _, tt := range tests {
		func() {
			defer func() {
				if s, _ := recover().(string); !strings.Contains(s, tt.want) {
					t.Errorf("panic %q, want %q", s, tt.want)
				}
			}()
			tt.do()
		}()
	}
}

func TestScale(t *testing.T) {
	tests := []struct {
		count, enabled, running uint64
		want                    uint64
		ok                      bool
	}{
		{7, 0, 0, 7, true},
		{7, 10, 10, 7, true},
		{7, 10, 5, 14, true},
		{10, 3, 2, 15, true},
		{7, 10, 0, 0, false},
		{math.MaxUint64, 4, 4, math.MaxUint64, true},
		{math.MaxUint64 / 2, 4, 2, math.MaxUint64 - 1, true},
		{math.MaxUint64, 4, 2, 0, false},
	}
	for _, tt := range tests {
		if got, ok := scale(tt.count, tt.enabled, tt.running); got != tt.want || ok != tt.ok {
			t.Errorf("scale(%d, %d, %d) = %d, %v, want %d, %v", tt.count, tt.enabled, tt.running, got, ok, tt.want, tt.ok)
		}
	}
}

func TestAvailable(t *testing.T) {
	if err := Available(); err != nil && (!errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "counting cycles")) {
		t.Errorf("got %v", err)
	}
}
