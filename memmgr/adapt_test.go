package memmgr

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
)

func appendRows(t testing.TB, s *Sequence, n int, serial *uint64) {
	t.Helper()
	for n > 0 {
		l, got, err := s.AppendRun(n)
		if err != nil {
			t.Fatal(err)
		}
		col := Slice[uint64](s, 0, l.Chunk())[l.Row():]
		for i := range got {
			*serial++
			col[i] = *serial
		}
		for c := 1; c < s.Layout().Columns(); c++ { // touched, as a program would
			mem := Slice[[16]byte](s, c, l.Chunk())[l.Row():]
			for i := range got {
				mem[i][0] = 1
			}
		}
		n -= got
	}
}

// massacre is the scenario of the issue: a million rows in twenty groups, spawned
// in turns. Nine in ten die at random; then frames go by.
func massacre(t *testing.T, m *Manager, o AdaptOptions, total, frames int) {
	t.Helper()
	c := ticking(10 * time.Microsecond)
	o.Clock = c.tick
	m.adapter.begin(o)
	r := rand.New(rand.NewPCG(11, 12))
	var seqs []*Sequence
	for i := range 20 {
		seqs = append(seqs, sequence(t, m, fmt.Sprintf("group %d", i), 8, 16, 16))
	}
	var serial uint64
	for left := total; left > 0; left -= 5000 {
		appendRows(t, seqs[r.IntN(len(seqs))], min(left, 5000), &serial)
	}
	for f := range frames {
		if f == 5 {
			for _, s := range seqs {
				for n := s.Len() * 9 / 10; n > 0; n-- {
					s.SwapRemove(s.At(r.IntN(s.Len())))
				}
			}
		}
		for range 3 {
			if err := m.SafePoint(); err != nil {
				t.Fatal(err)
			}
		}
		c.now = c.now.Add(time.Millisecond)
		if err := m.CloseFrame(); err != nil {
			t.Fatal(err)
		}
		if f%100 == 0 {
			if err := m.Check(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestSettlesAfterMassacre(t *testing.T) {
	for _, backend := range []arena.Backend{arena.OS, arena.Heap} {
		t.Run(backend.String(), func(t *testing.T) {
			total := 1_000_000
			if testing.Short() || backend == arena.Heap {
				total = 300_000 // groups too short for stripes: their regions don't go back by parts on the heap
			}
			m := open(t, Options{Arena: arena.Options{Backend: backend}})
			massacre(t, m, AdaptOptions{Decay: 100 * time.Millisecond}, total, 1200)
			settled(t, m)
		})
	}
}

// settled checks the memory that a manager keeps, and that nothing more is to be done.
func settled(t *testing.T, m *Manager) {
	t.Helper()
	st, _ := m.adapter.sum()
	payload := m.Stats().Payload
	t.Logf("%+v", st)
	resident, err := m.Arena().Resident()
	if errors.Is(err, errors.ErrUnsupported) {
		resident = m.Arena().DirtyBy(arena.PurposeChunks)
	} else if err != nil {
		t.Fatal(err)
	}
	t.Logf("payload %d, resident %d", payload, resident)
	if resident > payload*115/100+4<<20 {
		t.Errorf("%d bytes are resident for %d of payload", resident, payload)
	}
	if limit := budgetTime + 10*time.Microsecond; st.Longest > limit { // a tick of the clock is a move
		t.Errorf("a safe point took %v, more than its budget and a move", st.Longest)
	}
	if st.Waiting != 0 || st.Refused != 0 || st.GivenUp != 0 {
		t.Errorf("not settled: %+v", st)
	}
	if r, ok := toEmpty(regionsOf(m.Arena(), arena.Normal), m.regionBytes, m.movable); ok {
		t.Errorf("there is a region left to empty: %+v", r)
	}
}

// M7: With adapting on, under any profile, budget and clock, all rows are the same
// as with adapting off.
func TestAdaptingChangesNoResult(t *testing.T) {
	var total Adapting
	seeds, steps := uint64(10), 1500
	if testing.Short() {
		seeds = 7
	}
	if race.Enabled {
		seeds, steps = 2, 500
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 77))
		backend := []arena.Backend{arena.OS, arena.Heap}[seed%2]
		plainly := open(t, Options{Arena: arena.Options{Backend: backend}})
		m := open(t, Options{Arena: arena.Options{Backend: backend, SmallPages: seed%5 == 4}, Stress: seed%7 == 6})
		names := []string{"a", "b", "c", "d", "e", "f"}
		m.adapter.begin(anyOptions(r, names))
		var with, without []*Sequence
		widths := [][]uint32{{8}, {8, 16, 16}, {8, 8 << 10}, {8, 2000}, {8, 0, 24}, {8, 512}}
		for i := range 24 { // too wide for blocks, and short: regions are emptied for them
			names, widths = append(names, fmt.Sprint("wide ", i)), append(widths, []uint32{8, 8000})
		}
		for i, w := range widths {
			with, without = append(with, sequence(t, m, names[i], w...)), append(without, sequence(t, plainly, names[i], w...))
		}
		var pins []func()
		var serial uint64
		for step := range steps {
			i := r.IntN(len(with))
			a, b := with[i], without[i]
			switch k := r.IntN(24); {
			case k < 4:
				for n := 1 + r.IntN(1+400000/int(a.Layout().RowBytes())); n > 0; n-- {
					la, err := a.Append()
					lb, errB := b.Append()
					if err != nil || errB != nil || la.Row() != lb.Row() {
						t.Fatal(la, lb, err, errB)
					}
					serial++
					put(a, la, serial)
					put(b, lb, serial)
				}
			case k < 8:
				for n := r.IntN(a.Len() + 1); n > 0; n-- {
					at := r.IntN(a.Len())
					a.SwapRemove(a.At(at))
					b.SwapRemove(b.At(at))
				}
			case k == 8:
				n := r.IntN(a.Len() + 1)
				a.Truncate(n)
				b.Truncate(n)
			case k == 9 && a.ChunkCount() > 1:
				pins = append(pins, a.Pin())
			case k == 10 || k == 9:
				m.adapter.begin(anyOptions(r, names))
			case k < 21:
				for range 1 + r.IntN(8) {
					if err := errors.Join(m.SafePoint(), m.SafePoint(), m.CloseFrame()); err != nil {
						t.Fatal(err)
					}
				}
			case k == 21:
				if _, err := m.Reclaim(^uint64(0)); err != nil {
					t.Fatal(err)
				}
			}
			for _, unpin := range pins {
				unpin()
			}
			pins = nil
			if step%4 == 0 { // a look costs more than the step
				if err := m.Check(); err != nil {
					t.Fatalf("seed %d, step %d: %v", seed, step, err)
				}
			}
			if step%100 == 99 {
				for i := range with {
					if !slices.Equal(rowsOf(with[i]), rowsOf(without[i])) {
						t.Fatalf("seed %d, step %d: rows of %s differ", seed, step, names[i])
					}
				}
			}
			st, _ := m.adapter.sum()
			total.Emptied, total.Bytes = max(total.Emptied, st.Emptied), max(total.Bytes, st.Bytes)
		}
		for i := range with {
			if with[i].Len() != without[i].Len() || with[i].ChunkCount() != without[i].ChunkCount() || !slices.Equal(rowsOf(with[i]), rowsOf(without[i])) {
				t.Fatalf("seed %d: rows of %s differ", seed, names[i])
			}
		}
		total.Moves += m.counts.moved
	}
	if total.Emptied == 0 || total.Bytes == 0 || total.Moves == 0 {
		t.Errorf("nothing was adapted, so the test says nothing: %+v", total)
	}
	t.Logf("%d chunks moved", total.Moves)
}

// anyOptions makes up intent and budgets.
func anyOptions(r *rand.Rand, names []string) AdaptOptions {
	name := func() string { return names[r.IntN(len(names))] }
	var o AdaptOptions
	if r.IntN(2) == 0 {
		o.cold = []string{name(), "nobody"}
	}
	for range r.IntN(2) * len(names) {
		o.order = append(o.order, name())
	}
	o.Budget = Budget{Time: time.Duration(1 + r.IntN(1e6)), Bytes: 1 + r.Uint64N(1<<22)}
	o.Every = 1 + r.IntN(4)
	o.Decay = time.Duration(r.IntN(3)-1) * time.Millisecond
	o.SoftLimit = uint64(r.IntN(2)) << 20
	o.Frame = time.Duration(r.IntN(3)) * time.Microsecond
	o.Clock = ticking(time.Duration(r.IntN(50000))).tick
	if r.IntN(2) == 0 {
		o.pressure = func() arena.Pressure {
			return arena.Pressure{Used: r.Uint64N(1000), Limit: r.Uint64N(1000), Stalled: r.IntN(2000)}
		}
	}
	return o
}

// Chunks go to the cold range if intent says so, later ones too, and come in
// no other way. They stay when intent says so no more.
func TestColdByIntentAlone(t *testing.T) {
	m := open(t, Options{})
	unused, asked := sequence(t, m, "unused", 8, 8000), sequence(t, m, "asked", 8, 8000)
	all := []*Sequence{unused, asked}
	for _, s := range all {
		fillRows(t, s, 3*s.Capacity()) // too few for stripes
	}
	o := AdaptOptions{cold: []string{"asked", "long", "nobody"}, Clock: stopped}
	m.adapter.begin(o)
	if st := adapting(t, m); st.Waiting != 3 {
		t.Errorf("%d chunks wait", st.Waiting)
	}
	for range 10 {
		frame(t, m)
	}
	check := func() {
		t.Helper()
		for _, s := range all {
			for _, id := range chunksOf(s) {
				if r := rangeOf(m, id); (r == arena.Cold) != (s == asked || s.Name() == "long") {
					t.Errorf("a chunk of %q lies in the %v range", s.Name(), r)
				}
			}
			if !slices.Equal(rowsOf(s), numbers(0, s.Len())) {
				t.Errorf("rows of %q differ", s.Name())
			}
		}
	}
	check()
	if st := adapting(t, m); st.Moves != 3 || st.Refused != 0 || st.Waiting != 0 {
		t.Errorf("%+v", st)
	}
	long := sequence(t, m, "long", 8, 8000)
	all = append(all, long)
	for _, s := range all {
		for range 2 * s.Capacity() {
			l, err := s.Append()
			if err != nil {
				t.Fatal(err)
			}
			put(s, l, uint64(s.Len()-1))
		}
	}
	check()
	for long.ChunkCount() < 40 {
		l, err := long.Append()
		if err != nil {
			t.Fatal(err)
		}
		put(long, l, uint64(long.Len()-1))
	}
	for range 10 {
		frame(t, m)
	}
	if n := long.Beside(0); n != 32 {
		t.Errorf("%d of the first 32 chunks are side by side", n)
	}
	check()
	m.adapter.begin(AdaptOptions{Clock: stopped})
	for range 10 {
		frame(t, m)
	}
	check()
	if st := adapting(t, m); st.Waiting != 0 || st.Moves != 0 {
		t.Errorf("%+v", st)
	}
}

// Where the cold range can't grow, chunks stay where they are.
func TestNoColdRoom(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 8000)
	fillRows(t, s, 3*s.Capacity())
	m.Arena().SetLimit(m.Arena().Stats().Committed)
	m.adapter.begin(AdaptOptions{cold: []string{"s"}, Clock: stopped})
	for range 4 {
		frame(t, m)
	}
	if st := adapting(t, m); st.Refused != 1 || st.Moves != 0 || st.Waiting != 0 {
		t.Errorf("%+v", st)
	}
	if !slices.Equal(rowsOf(s), numbers(0, s.Len())) {
		t.Error("rows differ")
	}
}
