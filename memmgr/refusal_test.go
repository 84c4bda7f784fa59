package memmgr_test

import (
	"errors"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr"
)

// A log at its limit goes on without an error: the oldest rows go before one is refused. The newest rows
// stay, in order, whatever refuses.
func TestOnRefusal(t *testing.T) {
	budget := arena.NewBudget(4 << 20)
	for name, c := range map[string]struct {
		o     memmgr.Options
		limit uint64 // of the sequence
		is    error
	}{
		"of the manager":  {memmgr.Options{Arena: arena.Options{Limit: 4 << 20}}, 0, arena.ErrLimit},
		"of a budget":     {memmgr.Options{Arena: arena.Options{Budget: budget}}, 0, arena.ErrLimit},
		"of the sequence": {memmgr.Options{}, 1 << 20, memmgr.ErrSequenceLimit},
		"of the system": {memmgr.Options{Arena: arena.Options{Backend: arena.OS}.WithFault(func(op arena.Op, nth int, _ uint64) error {
			if op == arena.OpCommit && nth > 4 {
				return errors.New("no more")
			}
			return nil
		})}, 0, nil},
	} {
		for _, runs := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				if name == "of the system" && memmgrOnHeap(t) {
					t.Skip("the Go heap is not committed")
				}
				m := manager(t, c.o)
				var serial memmgr.Col[uint64]
				s, other := newRows(t, m, "log", &serial), newRows(t, m, "other", new(memmgr.Col[uint64]))
				s.SetLimit(c.limit)
				asked, next := 0, uint64(0)
				m.OnRefusal(func(of *memmgr.Sequence, err error) bool {
					if asked++; of != s || err == nil || c.is != nil && !errors.Is(err, c.is) {
						t.Errorf("asked for %p: %v", of, err)
					}
					for range 3 { // nobody is asked for these, refused or not
						_, _ = other.Append()
					}
					return s.DropFirst(s.Len()/4) > 0
				})
				for next < 2_000_000 {
					n := 1
					var l memmgr.Loc
					var err error
					if runs {
						l, n, err = s.AppendRun(100)
					} else {
						l, err = s.Append()
					}
					if err != nil {
						t.Fatalf("row %d, %d of them there: %v", next, s.Len(), err)
					}
					for i, at := range serial.Slice(l)[:n] {
						_ = at
						serial.Set(l.Plus(uint32(i)), next)
						next++
					}
				}
				if asked == 0 {
					t.Fatal("nothing was refused")
				}
				want := next - uint64(s.Len())
				for _, values := range serial.Chunks(s) {
					for _, v := range values {
						if v != want {
							t.Fatalf("%d is there, want %d", v, want)
						}
						want++
					}
				}
				m.OnRefusal(nil)
				var err error
				for before := asked; err == nil; _, err = s.Append() {
					if asked != before {
						t.Fatal("asked after the end of it")
					}
				}
				if c.is != nil && !errors.Is(err, c.is) {
					t.Error(err)
				}
			})
		}
	}
}

// memmgrOnHeap tells whether managers have the Go heap alone here.
func memmgrOnHeap(t *testing.T) bool {
	m, err := memmgr.New(memmgr.Options{Arena: arena.Options{Backend: arena.OS}})
	if err != nil {
		return true
	}
	defer m.Close()
	return m.Arena().Backend() != arena.OS
}

// One that makes no room is asked once for each refusal, and the error is the first one's or the
// second's. Rows that it removes from the sequence itself make room in the last chunk.
func TestOnRefusalInVain(t *testing.T) {
	m := manager(t, memmgr.Options{})
	var serial memmgr.Col[uint64]
	s := newRows(t, m, "s", &serial)
	s.SetLimit(128 << 10)
	for err := error(nil); err == nil; {
		_, err = s.Append()
	}
	for _, again := range []bool{false, true} {
		asked := 0
		m.OnRefusal(func(*memmgr.Sequence, error) bool {
			asked++
			return again
		})
		if _, err := s.Append(); !errors.Is(err, memmgr.ErrSequenceLimit) || asked != 1 {
			t.Errorf("again %v: %v, asked %d times", again, err, asked)
		}
		if _, n, err := s.AppendRun(9); !errors.Is(err, memmgr.ErrSequenceLimit) || n != 0 || asked != 2 {
			t.Errorf("again %v: %d rows, %v, asked %d times", again, n, err, asked)
		}
	}
	full := s.Len()
	m.OnRefusal(func(*memmgr.Sequence, error) bool {
		s.RemoveRange(full-5, full)
		return true
	})
	if l, err := s.Append(); err != nil || s.Len() != full-4 || l != s.At(full-5) {
		t.Errorf("%d of %d rows, %v, %v", s.Len(), full, l, err)
	}
	for s.Len() < full {
		if _, err := s.Append(); err != nil {
			t.Fatal(err)
		}
	}
	m.OnRefusal(func(*memmgr.Sequence, error) bool { panic("not now") })
	panics(t, func() { _, _ = s.Append() }, "not now")
	asked := false
	m.OnRefusal(func(*memmgr.Sequence, error) bool { asked = true; return false })
	if _, err := s.Append(); err == nil || !asked {
		t.Errorf("after a panic nobody is asked: %v", err)
	}
}

// A manager that belongs to somebody is not asked about.
func TestOnRefusalOfOwned(t *testing.T) {
	m := manager(t, memmgr.Options{})
	disown := m.Own("a world", nil)
	panics(t, func() { m.OnRefusal(nil) }, "OnRefusal of a manager that belongs to a world", "remove entities")
	disown()
	m.OnRefusal(nil)
	panics(t, func() { new(memmgr.Manager).OnRefusal(nil) }, "OnRefusal", "use New")
}
