package memmgr

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
)

// frame is a frame with two safe points.
func frame(t testing.TB, m *Manager) {
	t.Helper()
	if err := errors.Join(m.SafePoint(), m.SafePoint(), m.CloseFrame()); err != nil {
		t.Fatal(err)
	}
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
}

func adapting(t testing.TB, m *Manager) Adapting {
	t.Helper()
	st, ok := m.adapter.sum()
	if !ok {
		t.Fatal("the manager does not adapt")
	}
	return st
}

// Budgets of bytes and time spread moves over safe points.
func TestBudgets(t *testing.T) {
	for name, b := range map[string]Budget{
		"bytes":    {Bytes: 60 << 10},
		"time":     {Time: 5 * time.Microsecond},
		"very low": {Bytes: 1, Time: 1},
	} {
		m := open(t, Options{})
		s := sequence(t, m, "apart", 8, 8000)
		fillRows(t, s, stripeFrom*s.Capacity())
		m.adapter.begin(AdaptOptions{Budget: b, cold: []string{"apart"}, Clock: ticking(10 * time.Microsecond).tick})
		if adapting(t, m).Waiting != stripeFrom {
			t.Fatal("nothing is to be moved")
		}
		for n := uint64(1); n <= stripeFrom; n++ {
			safePoints(t, m, 1)
			if st := adapting(t, m); st.Moves != n || st.OverBudget != min(n, stripeFrom-1) || st.Bytes != n*uint64(s.Capacity())*8008 || st.Longest != 10*time.Microsecond || st.Time != time.Duration(n)*10*time.Microsecond {
				t.Fatalf("%s: after %d safe points: %+v", name, n, st)
			}
		}
	}
}

// Memory that the system refuses leaves the old places in force.
func TestAdaptingRefused(t *testing.T) {
	for _, op := range []arena.Op{arena.OpCommit, arena.OpDecommit, arena.OpPurge} {
		for n := 1; n < 9; n++ {
			refuse := false
			calls, refused := 0, 0
			m, s := sparse(t, Options{Arena: arena.Options{Backend: arena.OS}.WithFault(func(is arena.Op, _ int, _ uint64) error {
				if refuse && is == op {
					if calls++; calls >= n && calls < n+3 {
						refused++
						return errors.New("injected")
					}
				}
				return nil
			})}, 6)
			if m.Arena().Backend() != arena.OS {
				t.Skip("the heap back end asks for nothing")
			}
			rows := rowsOf(s)
			refuse = true
			o := hurry(AdaptOptions{})
			if n%2 == 0 {
				o.cold = []string{"stays"}
			}
			m.adapter.begin(o)
			failed := false
			for range 60 {
				if err := errors.Join(m.SafePoint(), m.SafePoint(), m.CloseFrame()); err != nil {
					failed = true
				}
				if err := m.Check(); err != nil {
					t.Fatalf("%v %d: %v", op, n, err)
				}
			}
			st := adapting(t, m)
			if refused > 0 && !failed && st.Refused == 0 {
				t.Errorf("%v %d: %d refusals, and nobody says so: %+v", op, n, refused, st)
			}
			if !slices.Equal(rowsOf(s), rows) {
				t.Fatalf("%v %d: rows differ", op, n)
			}
		}
	}
}

// Without Adapt the end of a frame gives whole regions back by their age.
func TestRegionsDecayWithoutAdapting(t *testing.T) {
	m := open(t, Options{})
	c := ticking(0)
	m.adapter.begin(AdaptOptions{Clock: c.tick, Off: true})
	if _, ok := m.adapter.sum(); ok {
		t.Error("adapts though intent says off")
	}
	s := sequence(t, m, "s", 8, 1000)
	for range 32 * 64 * 4 {
		if _, err := s.Append(); err != nil {
			t.Fatal(err)
		}
	}
	s.Truncate(1)
	frame(t, m)
	full := m.Arena().Stats().Committed
	var half uint64
	for i := range 12 {
		c.now = c.now.Add(time.Second)
		frame(t, m)
		if i == 5 {
			half = m.Arena().Stats().Committed
		}
	}
	if end := m.Arena().Stats().Committed; !(full > half && half > end) || end > 2*arena.RegionBytes {
		t.Errorf("committed %d, later %d, in the end %d", full, half, end)
	}
}

func TestSoftLimitAndReclaim(t *testing.T) {
	m, _ := sparse(t, Options{}, 4)
	c := ticking(time.Microsecond)
	m.adapter.begin(AdaptOptions{Every: 2, Clock: c.tick, SoftLimit: 5 << 20})
	for range 60 {
		frame(t, m)
	}
	if got := m.Arena().DirtyBy(arena.PurposeChunks); got > 5<<20 {
		t.Errorf("%d bytes above a soft limit of 5 MiB", got)
	}
	m, s := sparse(t, Options{}, 2)
	m.adapter.begin(AdaptOptions{Clock: c.tick})
	s.Truncate(0)
	frame(t, m)
	if freed, err := m.Reclaim(^uint64(0)); err != nil || freed == 0 || m.Arena().DirtyBy(arena.PurposeChunks) != 0 {
		t.Errorf("Reclaim gave %d back and left %d, %v", freed, m.Arena().DirtyBy(arena.PurposeChunks), err)
	}
}

// Adapting with nothing to do: the extra cost of a frame with five safe points.
func BenchmarkIdleFrame(b *testing.B) {
	for _, on := range []bool{false, true} {
		b.Run(fmt.Sprintf("adapt=%v", on), func(b *testing.B) {
			m, _ := sparse(b, Options{}, 1)
			if on {
				m.adapter.begin(AdaptOptions{})
			}
			for range 2000 {
				m.SafePoint()
				m.CloseFrame()
			}
			for b.Loop() {
				for range 5 {
					m.SafePoint()
				}
				m.CloseFrame()
			}
		})
	}
}
