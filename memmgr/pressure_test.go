package memmgr

import (
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
)

func TestHurried(t *testing.T) {
	const calm = 8 * time.Second
	for stalled, want := range map[int]time.Duration{0: calm, stalledMuch - 1: calm, stalledMuch: calm / stalledFaster, 10000: calm / stalledFaster} {
		if got := hurried(arena.Pressure{Stalled: stalled, Used: 1000, Limit: 1000}, calm); got != want {
			t.Errorf("stalled %d: %v, want %v", stalled, got, want)
		}
	}
}

// Memory of any age goes back up to a tenth of the limit.
func TestLacking(t *testing.T) {
	for name, c := range map[string]struct {
		p    arena.Pressure
		want uint64
	}{
		"nothing is known":         {arena.Pressure{}, 0},
		"use without a limit":      {arena.Pressure{Used: 1 << 40}, 0},
		"far from the limit":       {arena.Pressure{Used: 100, Limit: 1000}, 0},
		"a tenth is left":          {arena.Pressure{Used: 900, Limit: 1000}, 0},
		"one less":                 {arena.Pressure{Used: 901, Limit: 1000}, 1},
		"nothing is left":          {arena.Pressure{Used: 1000, Limit: 1000}, 100},
		"more is used than may be": {arena.Pressure{Used: 2000, Limit: 1000}, 1100},
		"a limit without a tenth":  {arena.Pressure{Used: 9, Limit: 9}, 0},
		"huge figures":             {arena.Pressure{Used: 1<<62 - 1, Limit: 1<<62 - 1}, (1<<62 - 1) / 10},
	} {
		if got := lacking(c.p); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// The machine is read first when memory has been idle for 50 ms, then once a second, and more often where a limit comes near: so often that
// use that grows by the whole limit in a second is seen before it gets there. In between the
// last reading holds.
func TestPressureIsReadInTime(t *testing.T) {
	const calm = 8 * time.Second
	readings := []arena.Pressure{{}, {Stalled: 5000}, {Used: 60, Limit: 100}, {Used: 80, Limit: 100}, {Used: 95, Limit: 100}, {Used: 200, Limit: 100}, {Limit: 100}, {}}
	reads := 0
	p := pressure{read: func() arena.Pressure { reads++; return readings[min(reads, len(readings))-1] }}
	for i, c := range []struct {
		at    int // ms
		calm  time.Duration
		reads int
		want  time.Duration
		lack  uint64
		times uint64
		every int // ms
	}{
		{0, -1, 0, -1, 0, 0, 50},       // at once: nothing makes that faster
		{-50, calm, 0, calm, 0, 0, 50}, // the first frames with idle memory read nothing
		{-1, calm, 0, calm, 0, 0, 50},
		{0, calm, 1, calm, 0, 0, 1000},
		{999, calm, 1, calm, 0, 0, 1000},
		{1000, calm, 2, calm / stalledFaster, 0, 1, 1000},
		{1001, calm / 2, 2, calm / 2 / stalledFaster, 0, 1, 1000},
		{1999, calm, 2, calm / stalledFaster, 0, 1, 1000},
		{2500, calm, 3, calm, 0, 1, 200},
		{2699, calm, 3, calm, 0, 1, 200},
		{2700, calm, 4, calm, 0, 1, 100},
		{2799, calm, 4, calm, 0, 1, 100},
		{2800, calm, 5, calm, 5, 2, 50},
		{2849, calm, 5, calm, 5, 2, 50},
		{2850, calm, 6, calm, 110, 3, 50},
		{2900, calm, 7, calm, 0, 3, 500},
		{2899, calm, 8, calm, 0, 3, 1000}, // a clock that goes back
		{3898, calm, 8, calm, 0, 3, 1000},
	} {
		got := p.over(time.UnixMilli(int64(c.at)), c.calm)
		if got != c.want || reads != c.reads || p.times != c.times || p.lack != c.lack || p.every() != time.Duration(c.every)*time.Millisecond {
			t.Errorf("look %d at %d ms: %v after %d readings, %d pressed, %d lack, next in %v, want %+v", i, c.at, got, reads, p.times, p.lack, p.every(), c)
		}
	}
	var none pressure
	if got := none.over(time.Unix(1, 0), calm); got != calm {
		t.Errorf("without a reading: %v", got)
	}
}

// A part of the program grows by its whole limit in a second while memory is idle here. It is
// not killed: the memory that it needs has gone back before, and not much more than that.
func TestPressureMakesRoom(t *testing.T) {
	for _, how := range []string{"frames", "short frames", "off", "idle"} {
		m := open(t, Options{})
		s := sequence(t, m, "s", 8, 1000)
		fillRows(t, s, 64*32*8)
		dirty := func() uint64 { return m.Arena().DirtyBy(arena.PurposeChunks) }
		limit := 2 * dirty()
		other, most := limit/10, uint64(0)
		clock := counting{now: time.Unix(1, 0)}
		m.adapter.begin(AdaptOptions{Clock: clock.read, Off: how == "off", Decay: time.Hour, Every: 1 << 30,
			pressure: func() arena.Pressure { return arena.Pressure{Used: dirty() + other, Limit: limit} }})
		step := 16 * time.Millisecond
		switch how {
		case "short frames":
			step = time.Millisecond
		case "idle":
			step = 50 * time.Millisecond
		}
		frames := func(lasts time.Duration, grows uint64) {
			for range lasts / step {
				clock.now = clock.now.Add(step)
				other += grows * uint64(step) / uint64(time.Second)
				most = max(most, dirty()+other)
				if how != "idle" {
					frame(t, m)
				} else if err := m.Idle(clock.now); err != nil {
					t.Fatal(err)
				}
			}
		}
		s.Truncate(0)
		frames(3*time.Second, 0)
		was := dirty()
		if all, _ := m.Arena().Idle(); all < 6*arena.RegionBytes || was < limit/3 {
			t.Skipf("%d bytes are idle in this build, too few to make room with", all)
		}
		frames(650*time.Millisecond, limit) // it wants three quarters of the limit now
		if most > limit {
			t.Errorf("%s: %d of %d bytes were used: the kernel ends the program", how, most, limit)
		}
		frames(time.Second, 0)
		if used, tenth := dirty()+other, limit/10; used > limit-tenth+arena.RegionBytes || used < limit-tenth-3*arena.RegionBytes {
			t.Errorf("%s: %d of %d bytes are used in the end, want nine tenths", how, used, limit)
		}
	}
}

// Memory that a limit lacks goes back once for each reading, not once in each frame.
func TestPressureGivesBackOnce(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 1000)
	fillRows(t, s, 64*32*8)
	s.Truncate(0)
	safePoints(t, m, 2)
	was, _ := m.Arena().Idle()
	if was < 6*arena.RegionBytes {
		t.Skipf("%d bytes are idle in this build, too few to tell steps apart", was)
	}
	clock, reads := counting{now: time.Unix(1, 0)}, 0
	const limit = 1 << 34
	m.adapter.begin(AdaptOptions{Clock: clock.read, Decay: time.Hour, Every: 1 << 30, pressure: func() arena.Pressure {
		reads++
		return arena.Pressure{Used: limit - limit/10 + arena.RegionBytes, Limit: limit}
	}})
	frame(t, m)
	clock.now = clock.now.Add(pressureLeast - time.Millisecond)
	for range 45 { // of 50 ms until the next reading
		clock.now = clock.now.Add(time.Millisecond)
		frame(t, m)
	}
	if now, _ := m.Arena().Idle(); reads != 1 || was-now < arena.RegionBytes || was-now > 3*arena.RegionBytes {
		t.Errorf("%d bytes went back after %d readings, a region was missing", was-now, reads)
	}
}

// Under pressure idle memory goes back sooner, within the budget of a frame; without idle
// memory nothing is read. That holds for frames with adapting on and off, and for Idle.
func TestPressureGivesBackSooner(t *testing.T) {
	for _, how := range []string{"frames", "off", "idle"} {
		var last [2]time.Duration
		for i, p := range []arena.Pressure{{}, {Used: 1 << 30, Limit: 1 << 31, Stalled: stalledMuch}} {
			m := open(t, Options{})
			clock, reads := counting{now: time.Unix(1, 0)}, 0
			m.adapter.begin(AdaptOptions{Clock: clock.read, Off: how == "off", Every: 1 << 30, Budget: Budget{Time: time.Nanosecond},
				pressure: func() arena.Pressure { reads++; return p }})
			s := sequence(t, m, "s", 8, 1000)
			fillRows(t, s, 64*32*8)
			step := func() {
				clock.now = clock.now.Add(50 * time.Millisecond)
				if how != "idle" {
					frame(t, m)
				} else if err := m.Idle(clock.now); err != nil {
					t.Fatal(err)
				}
			}
			idle := func() uint64 { all, _ := m.Arena().Idle(); return all }
			for range 300 {
				step()
			}
			if n := idle(); n != 0 {
				t.Fatalf("%s: %d bytes are idle before anything went", how, n)
			}
			before := reads
			for range 60 {
				step()
			}
			if reads != before {
				t.Errorf("%s: %d readings with nothing idle", how, reads-before)
			}
			s.Truncate(0)
			step()
			step() // memory that rows have left is in quarantine for a frame in checked builds
			begin := clock.now
			for n := 0; idle() >= arena.RegionBytes && n < 400; n++ {
				step()
			}
			last[i] = clock.now.Sub(begin)
			if taken := reads - before; taken < 1 || taken > int(last[i]/m.adapter.short.every())+3 {
				t.Errorf("%s: %d readings in %v", how, taken, last[i])
			}
			if st, ok := m.adapter.sum(); ok && (st.Pressed > 0) != (i == 1) {
				t.Errorf("%s, %+v: %+v", how, p, st)
			}
		}
		if last[0] < 5*time.Second || last[1] > 3*time.Second || last[1] < 500*time.Millisecond {
			t.Errorf("%s: all has gone back after %v, under pressure after %v", how, last[0], last[1])
		}
	}
}

// Where the limit is reached all goes back, yet no more in a frame than its budget allows.
func TestPressureKeepsTheBudget(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 1000)
	fillRows(t, s, 64*32*8)
	s.Truncate(0)
	safePoints(t, m, 2)
	m.adapter.begin(AdaptOptions{Clock: ticking(time.Millisecond).tick, Every: 1 << 30, Budget: Budget{Time: 1500 * time.Microsecond},
		pressure: func() arena.Pressure { return arena.Pressure{Used: 2 << 40, Limit: 1 << 40} }})
	m.adapter.short.at = time.Time{}.Add(1) // the first reading is due
	was, _ := m.Arena().Idle()
	if was < 6*arena.RegionBytes {
		t.Skipf("%d bytes are idle in this build, too few for several steps of giving back", was)
	}
	for frames := 1; was > 0; frames++ {
		if err := m.CloseFrame(); err != nil {
			t.Fatal(err)
		}
		now, _ := m.Arena().Idle()
		if was-now > 4*arena.RegionBytes || now >= was { // two steps of a region each, rounded up to whole regions
			t.Fatalf("frame %d: %d bytes went back, %d are left", frames, was-now, now)
		}
		was = now
	}
	if st := adapting(t, m); st.OverBudget == 0 {
		t.Errorf("%+v", st)
	}
}

// A manager goes by the machine's pressure, unless it has a clock of its own.
func TestWhosePressure(t *testing.T) {
	m := open(t, Options{})
	if m.adapter.short.read == nil {
		t.Error("a new manager reads nothing")
	}
	m.adapter.begin(AdaptOptions{Clock: ticking(1).tick})
	if m.adapter.short.read != nil {
		t.Error("a manager with a clock of its own reads the machine")
	}
	m.adapter.begin(AdaptOptions{})
	if m.adapter.short.read == nil {
		t.Error("a manager with the machine's clock reads nothing")
	} else {
		m.adapter.short.read()
	}
}

// The share of a frame bounds moves at all safe points of the frame together, and giving
// back. A larger one leaves Budget as it is.
func TestFrameGoal(t *testing.T) {
	for name, c := range map[string]struct {
		frame, budget time.Duration
		moves         []uint64 // after each safe point; a move takes 10 µs by the clock
	}{
		"a long frame":         {time.Second, 20 * time.Microsecond, []uint64{2, 4}},
		"a share of 30 µs":     {600 * time.Microsecond, 20 * time.Microsecond, []uint64{2, 3}},
		"the share is used up": {200 * time.Microsecond, 20 * time.Microsecond, []uint64{1, 2}},
		"no goal":              {0, 20 * time.Microsecond, []uint64{2, 4}},
	} {
		m := open(t, Options{})
		s := sequence(t, m, "apart", 8, 8000)
		fillRows(t, s, stripeFrom*s.Capacity())
		m.adapter.begin(AdaptOptions{Frame: c.frame, Budget: Budget{Time: c.budget}, cold: []string{"apart"}, Clock: ticking(10 * time.Microsecond).tick})
		if adapting(t, m).Waiting != stripeFrom {
			t.Fatal("nothing is to be moved")
		}
		for turn := range uint64(2) { // the next frame has a share of its own
			before := turn * c.moves[len(c.moves)-1]
			for i, want := range c.moves {
				safePoints(t, m, 1)
				if st := adapting(t, m); st.Moves != before+want {
					t.Errorf("%s, frame %d: %d moves at the %d. safe point, want %d", name, turn, st.Moves-before, i+1, want)
				}
			}
			if err := m.CloseFrame(); err != nil {
				t.Fatal(err)
			}
		}
	}
}
