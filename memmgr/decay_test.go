package memmgr

import (
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
)

// counting is a clock that frames move, and that counts who reads it.
type counting struct {
	now   time.Time
	reads int
}

func (c *counting) read() time.Time {
	c.reads++
	return c.now
}

// A clock that stands still is read in one frame of sixteen.
func TestPaceOfStoppedClock(t *testing.T) {
	var p pace
	reads := 0
	for range 1 + 5*paceMost {
		if !p.resting() {
			reads++
			p.saw(time.Unix(1, 0), time.Millisecond)
		}
	}
	if reads < 6 || reads > 7 {
		t.Errorf("%d reads in %d frames", reads, 1+5*paceMost)
	}
}

// With idle memory the clock is read in one frame of sixteen at most where frames are
// short, and memory goes back in the time that Decay says all the same; where frames are
// long it is read in each.
func TestDecayOfShortFrames(t *testing.T) {
	const over = 3200 * time.Millisecond // steps of 100 ms
	for _, c := range []struct {
		name  string
		frame time.Duration
		every int // frames for each in which the clock is read
	}{
		{"short", time.Millisecond, 16},
		{"five a step", 20 * time.Millisecond, 5},
		{"one a step", 100 * time.Millisecond, 1},
		{"long", 400 * time.Millisecond, 1},
	} {
		for _, off := range []bool{false, true} {
			m := open(t, Options{})
			clock := counting{now: time.Unix(1, 0)}
			m.adapter.begin(AdaptOptions{Decay: over, Clock: clock.read, Every: 1 << 30, Off: off})
			s := sequence(t, m, "s", 8, 1000)
			for range 64 * 32 * 8 {
				if _, err := s.Append(); err != nil {
					t.Fatal(err)
				}
			}
			s.Truncate(0)
			frame(t, m)
			idle := func() uint64 { all, _ := m.Arena().Idle(); return all }
			full, half := idle(), uint64(0)
			if full < 4*arena.RegionBytes {
				t.Skipf("only %d bytes are idle in this build", full)
			}
			frames, looked := 0, 0
			for at := time.Duration(0); at <= over+over/4; at += c.frame {
				before := clock.reads
				clock.now = clock.now.Add(c.frame)
				if idle() > 0 {
					frames++
				}
				frame(t, m)
				if clock.reads > before {
					looked++
				}
				if half == 0 && at+c.frame >= over/2 {
					half = idle()
				}
			}
			if want := frames / c.every; looked > want+want/8+2 || looked < want-want/8-2 {
				t.Errorf("%s, off %v: the clock is read in %d of %d frames, want one in %d", c.name, off, looked, frames, c.every)
			}
			if half > full*5/8+arena.RegionBytes || half < full*3/8-arena.RegionBytes || idle() != 0 {
				t.Errorf("%s, off %v: idle %d, after half of the time %d, in the end %d", c.name, off, full, half, idle())
			}
		}
	}
}

// Memory that becomes idle after none was is seen in the same frame; above the soft limit,
// and where all goes back at once, no frame is left out.
func TestDecayLeavesNothingOut(t *testing.T) {
	for _, c := range []struct {
		name string
		o    AdaptOptions
	}{
		{"at once", AdaptOptions{Decay: -1}},
		{"soft limit", AdaptOptions{Decay: time.Hour, SoftLimit: 1}},
		{"at once, off", AdaptOptions{Decay: -1, Off: true}},
	} {
		m := open(t, Options{})
		m.adapter.begin(AdaptOptions{Decay: time.Hour, Clock: ticking(time.Microsecond).tick})
		s := sequence(t, m, "s", 8, 1000)
		fill := func() {
			for range 64 * 32 * 3 {
				if _, err := s.Append(); err != nil {
					t.Fatal(err)
				}
			}
			s.Truncate(0)
		}
		fill()
		for range 20 { // it rests by now
			frame(t, m)
		}
		c.o.Clock = ticking(time.Nanosecond).tick
		m.adapter.begin(c.o)
		for turn := range 3 {
			frame(t, m)
			if arena.Checked { // memory that rows have left is in quarantine for a frame
				frame(t, m)
			}
			if all, _ := m.Arena().Idle(); all != 0 {
				t.Errorf("%s, turn %d: %d bytes are idle", c.name, turn, all)
			}
			fill()
		}
	}
}

func TestDecayCurve(t *testing.T) {
	const over = 3200 * time.Millisecond // steps of 100 ms
	type look struct {
		at   int    // ms
		idle uint64 // bytes
		due  uint64
	}
	for _, c := range []struct {
		name  string
		over  time.Duration
		looks []look
	}{
		{"at once", -1, []look{{0, 1000, 1000}}},
		{"all is kept at first", over, []look{{0, 1 << 20, 0}, {50, 1 << 20, 0}}},
		{"half of it after half of the time", over, []look{{0, 1 << 20, 0}, {1600, 1 << 20, 1 << 19}}},
		{"a quarter: 1 − smoothstep(3/4)", over, []look{{0, 1 << 20, 0}, {2400, 1 << 20, 1<<20 - 1<<20*10/64}}},
		{"all of it after all of the time", over, []look{{0, 1 << 20, 0}, {3200, 1 << 20, 1 << 20}}},
		{"long after", over, []look{{0, 1 << 20, 0}, {1e6, 1 << 20, 1 << 20}}},
		{"used again: half of the rest is due", over, []look{{0, 1 << 20, 0}, {1600, 1 << 18, 1 << 17}}},
		{"the youngest is used again first", over, []look{{0, 1 << 20, 0}, {1000, 3 << 20, 1<<20 - 1<<20*(32*32*32-3*10*10*32+2*10*10*10)/(32*32*32)}, {1100, 1 << 20, 1<<20 - 1<<20*(32*32*32-3*11*11*32+2*11*11*11)/(32*32*32)}, {3200, 1 << 20, 1 << 20}}},
		{"two ages", over, []look{{0, 1 << 20, 0}, {1600, 2 << 20, 1 << 19}, {3200, 2 << 20, 1<<20 + 1<<19}}},
		{"a clock that goes back forgets ages", over, []look{{5000, 1 << 20, 0}, {100, 1 << 20, 1 << 20}}},
	} {
		var d decay
		for _, l := range c.looks {
			if got := d.due(time.UnixMilli(int64(l.at)), l.idle, c.over); got != l.due {
				t.Errorf("%s: at %d ms with %d idle: %d due, want %d", c.name, l.at, l.idle, got, l.due)
			}
		}
	}
}

// Memory that comes and goes by turns keeps none that is idle for long.
func TestDecayBesideOscillation(t *testing.T) {
	const over = 3200 * time.Millisecond
	var d decay
	for at := range 65 {
		idle, due := uint64(1<<20+at%2<<20), uint64(0)
		if due = d.due(time.UnixMilli(int64(50*at)), idle, over); at < 64 {
			continue
		}
		if due != 1<<20 {
			t.Errorf("%d bytes are due of %d that have been idle all the time", due, idle)
		}
	}
}

func TestBatch(t *testing.T) {
	const region = arena.RegionBytes
	for _, c := range []struct{ due, idle, want uint64 }{
		{0, 0, 0}, {0, 10, 0}, {9, 10, 0}, {10, 10, 10}, {region - 1, 3 * region, 0}, {region, 3 * region, region}, {2 * region, 3 * region, 2 * region},
	} {
		if got := batch(c.due, c.idle); got != c.want {
			t.Errorf("%d due of %d idle: %d, want %d", c.due, c.idle, got, c.want)
		}
	}
}

// Memory that is idle again, after none was, is as old as if none had been before.
func TestDecayBeginsAnew(t *testing.T) {
	const over = 3200 * time.Millisecond
	m := open(t, Options{})
	clock := counting{now: time.Unix(1, 0)}
	m.adapter.begin(AdaptOptions{Decay: over, Clock: clock.read, Every: 1 << 30})
	s := sequence(t, m, "s", 8, 1000)
	fill := func() { fillRows(t, s, 64*32*8-s.Len()) }
	fill()
	s.Truncate(0)
	frame(t, m)
	frame(t, m)
	clock.now = clock.now.Add(over / 4)
	frame(t, m)
	fill()
	m.Reclaim(^uint64(0))
	if frame(t, m); m.adapter.decay != (decay{}) {
		t.Errorf("with nothing idle: %+v", m.adapter.decay)
	}
	s.Truncate(0)
	for _, step := range []func() error{m.CloseFrame, func() error { return m.Idle(clock.now) }} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	var sum uint64
	for _, bytes := range m.adapter.decay.backlog {
		sum += bytes
	}
	if idle, _ := m.Arena().Idle(); sum != idle {
		t.Errorf("%d bytes have an age, and %d are idle", sum, idle)
	}
	fill()
	m.Reclaim(^uint64(0))
	if err := m.Idle(clock.now); err != nil || m.adapter.decay != (decay{}) {
		t.Errorf("with nothing idle: %v, %+v", err, m.adapter.decay)
	}
}
