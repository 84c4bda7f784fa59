package memmgr

import (
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
)

// Memory that became idle is kept, then given back little by little by the time that
// Idle is told, then all of it. Memory that is used again stays.
func TestIdle(t *testing.T) {
	for name, decay := range map[string]time.Duration{"default": 0, "adapting": 2 * time.Second} {
		t.Run(name, func(t *testing.T) {
			m := open(t, Options{})
			over := 10 * time.Second
			if decay != 0 {
				m.adapter.begin(AdaptOptions{Decay: decay})
				over = decay
			}
			tb := sequence(t, m, "table", 8, 64)
			fillRows(t, tb, 300_000) // 18 MiB
			now := time.Unix(1_000_000, 0)
			idle := func() uint64 {
				t.Helper()
				if err := m.Idle(now); err != nil {
					t.Fatal(err)
				}
				all, _ := m.Arena().Idle()
				return all
			}
			if n := idle(); n >= arena.RegionBytes {
				t.Errorf("%d bytes are idle before anything went", n)
			}
			for range 20 { // chunks move at the same time
				idle()
			}
			tb.Truncate(100)
			for range 20 {
				idle()
			}
			peak := idle()
			if peak < 16<<20 {
				t.Fatalf("%d bytes are idle after the peak", peak)
			}
			now = now.Add(over / 10)
			if n := idle(); n != peak {
				t.Errorf("%d bytes are idle after a tenth of the time, want %d: they may be used again", n, peak)
			}
			last := peak
			for range 6 {
				now = now.Add(over / 10)
				n := idle()
				if n > last {
					t.Errorf("%d bytes are idle, after %d", n, last)
				}
				last = n
			}
			if last == peak || last == 0 {
				t.Errorf("of %d bytes %d are idle after most of the time", peak, last)
			}
			now = now.Add(over)
			idle()
			now = now.Add(over)
			if n := idle(); n != 0 {
				t.Errorf("%d bytes are idle after all of the time", n)
			}
			fillRows(t, tb, 1000)
			compare(t, tb)
		})
	}
}

// Idle is a safe point: spare chunks and quarantined ones go.
func TestIdleIsSafePoint(t *testing.T) {
	m := open(t, Options{})
	tb := sequence(t, m, "table", 8, 8)
	fillRows(t, tb, 8)
	if _, err := m.Move(tb.Last().Chunk()); err != nil {
		t.Fatal(err)
	}
	tb.Truncate(0)
	now := time.Unix(1, 0)
	for range 4 { // a checked build keeps slots for longer
		if err := m.Idle(now); err != nil {
			t.Fatal(err)
		}
	}
	if st := m.Stats(); m.book.Retired() != 0 || st.Chunks != 0 {
		t.Errorf("%d slots in quarantine and %d chunks in use", m.book.Retired(), st.Chunks)
	}
}

// A refusal of the system is told, and all stays usable.
func TestIdleRefused(t *testing.T) {
	m := open(t, Options{Arena: arena.Options{}.WithFault(refuse(func(op arena.Op, nth int) bool { return op == arena.OpDecommit && nth == 1 }))})
	if m.Arena().Backend() != arena.OS {
		t.Skip("the heap back end asks for nothing")
	}
	tb := sequence(t, m, "table", 8, 64)
	fillRows(t, tb, 300_000)
	tb.Truncate(100)
	now, refused := time.Unix(1, 0), 0
	for range 5 {
		if m.Idle(now) != nil {
			refused++
		}
		now = now.Add(time.Minute)
	}
	if all, _ := m.Arena().Idle(); refused != 1 || all != 0 {
		t.Errorf("refused %d times, and %d bytes are idle in the end", refused, all)
	}
	fillRows(t, tb, 100)
	compare(t, tb)
}

func compare(t *testing.T, s *Sequence) {
	t.Helper()
	if !slices.Equal(rowsOf(s), numbers(0, s.Len())) {
		t.Errorf("rows of %q differ", s.Name())
	}
}
