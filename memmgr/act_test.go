package memmgr

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/plan"
	"github.com/ashlar-go/ashlar/profile"
)

// sparse makes a manager with one chunk of "stays" in each of n regions, which a plan
// empties into the first.
func sparse(t testing.TB, o Options, n int) (*Manager, *Sequence) {
	t.Helper()
	if o.Arena.Backend == arena.Auto {
		o.Arena.Backend = arena.Heap // memory goes back by whole regions alone
	}
	m := open(t, o)
	s := sequence(t, m, "stays", 8, 8000) // too wide for blocks
	var serial uint64
	var fillers []*Sequence
	fill := func(s *Sequence, chunks int) {
		want := (s.ChunkCount() + chunks) * int(s.shape.Full.Capacity())
		for s.Len() < want {
			l, err := s.Append()
			if err != nil {
				t.Fatal(err)
			}
			serial++
			put(s, l, serial)
		}
	}
	for range n {
		fill(s, 1)
		for left := arena.SlotsPerRegion - 1; left > 0; left -= min(left, stripeFrom) {
			filler := sequence(t, m, fmt.Sprintf("goes %d", m.Sequences()), 8, 8000)
			fill(filler, min(left, stripeFrom))
			fillers = append(fillers, filler)
		}
	}
	for _, filler := range fillers {
		filler.Truncate(0)
	}
	if _, err := m.Reclaim(0); err != nil { // the spare too
		t.Fatal(err)
	}
	return m, s
}

// frame is a frame with two safe points.
func frame(t testing.TB, m *Manager) {
	t.Helper()
	if err := errors.Join(m.SafePoint(), m.SafePoint(), m.EndFrame()); err != nil {
		t.Fatal(err)
	}
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
}

func adapting(t testing.TB, m *Manager) AdaptStats {
	t.Helper()
	st, ok := m.Adapting()
	if !ok {
		t.Fatal("the manager does not adapt")
	}
	return st
}

func TestEvacuates(t *testing.T) {
	m, s := sparse(t, Options{}, 6)
	rows := rowsOf(s)
	m.Adapt(AdaptOptions{Every: 2, Cooling: 1, Decay: -1, Clock: ticking(time.Microsecond).tick})
	for range 40 {
		frame(t, m)
	}
	st := adapting(t, m)
	if st.Tried != 5 || st.Applied != 5 || st.Moves != 5 || st.Waiting != 0 || len(st.Pairs) != 5 {
		t.Errorf("%+v", st)
	}
	for _, p := range st.Pairs {
		if p.Kind != plan.Evacuate || p.Measured < p.Predicted/2 || p.Measured > 2*p.Predicted {
			t.Errorf("pair %+v", p)
		}
	}
	if got := m.Arena().Stats().Committed; got != arena.RegionBytes {
		t.Errorf("%d bytes are committed for 6 chunks", got)
	}
	if !slices.Equal(rowsOf(s), rows) {
		t.Error("rows differ")
	}
}

// Budgets of bytes and time spread moves over safe points.
func TestBudgets(t *testing.T) {
	for name, b := range map[string]profile.Budget{
		"bytes":    {Bytes: 60 << 10},
		"time":     {Time: 15 * time.Microsecond},
		"very low": {Bytes: 1, Time: 1},
	} {
		m, s := sparse(t, Options{}, 2)
		for range stripeFrom - 2 { // chunks to move by intent
			for n := s.shape.Full.Capacity(); n > 0; n-- {
				if _, err := s.Append(); err != nil {
					t.Fatal(err)
				}
			}
		}
		m.Adapt(AdaptOptions{
			Budget: b, Every: 1, Cooling: 1, Clock: ticking(10 * time.Microsecond).tick,
			Profile: profile.Profile{Intent: profile.Intent{Heat: []profile.Heat{{Group: "stays", Cold: true}}}},
		})
		if err := m.EndFrame(); err != nil {
			t.Fatal(err)
		}
		todo := uint64(len(m.Planned()[0].Moves))
		if todo < stripeFrom-2 {
			t.Fatalf("%d moves planned", todo)
		}
		for n := uint64(1); n <= todo; n++ {
			if err := m.SafePoint(); err != nil {
				t.Fatal(err)
			}
			if st := adapting(t, m); st.Moves != n || n < todo && st.OverBudget != n {
				t.Fatalf("%s: %d moves and %d times over budget after %d safe points", name, st.Moves, st.OverBudget, n)
			}
		}
	}
}

// A region that somebody else fills while it is emptied gives nothing back: the
// action is taken back, and not asked for again for a while.
func TestTakenBack(t *testing.T) {
	m, s := sparse(t, Options{}, 2)
	if _, ok, err := m.Arena().AllocAt(arena.Normal, 20); !ok || err != nil { // the first region can't be emptied
		t.Fatal(ok, err)
	}
	m.Adapt(AdaptOptions{Every: 2, Cooling: 1, Clock: ticking(time.Microsecond).tick})
	next := func() {
		if err := errors.Join(m.SafePoint(), m.EndFrame()); err != nil {
			t.Fatal(err)
		}
	}
	for len(m.Planned()) == 0 {
		next()
	}
	victim := m.Planned()[0].Empties[0]
	intruder, ok, err := m.Arena().AllocAt(victim.Range, victim.Number*arena.SlotsPerRegion+20)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	_, before := m.Arena().PlaceOf(m.table.at(s.chunks[1]).spot.slot)
	_, first := m.Arena().PlaceOf(m.table.at(s.chunks[0]).spot.slot)
	for range 20 {
		next()
	}
	_, after := m.Arena().PlaceOf(m.table.at(s.chunks[1]).spot.slot)
	_, firstNow := m.Arena().PlaceOf(m.table.at(s.chunks[0]).spot.slot)
	st := adapting(t, m)
	if st.Reverted != 1 || st.Applied != 0 || st.Tried != 1 || after != before || first != firstNow || st.BackedOff != 1 {
		t.Errorf("%+v; the chunks were at %d and %d, are at %d and %d", st, first, before, firstNow, after)
	}
	m.Arena().Free(intruder)
	for range 2000 {
		next()
	}
	if st := adapting(t, m); st.Applied != 1 || st.BackedOff != 0 {
		t.Errorf("after the back-off: %+v", st)
	}
	m.Arena().Free(m.Arena().SlotAt(arena.Normal, 20))
}

func TestPinnedAreSkipped(t *testing.T) {
	m, s := sparse(t, Options{}, 3)
	m.Adapt(AdaptOptions{Every: 2, Cooling: 1, Decay: -1, Clock: ticking(time.Microsecond).tick})
	for len(m.Planned()) == 0 {
		frame(t, m)
	}
	mv := m.Planned()[0].Moves[0]
	id := s.chunks[mv.Order]
	base := s.Directory(0).Addr(id)
	m.Pin(id)
	for range 30 {
		frame(t, m)
	}
	if st := adapting(t, m); st.Skipped == 0 || m.Stats().Counts.SkippedPinned == 0 || s.Directory(0).Addr(id) != base {
		t.Errorf("%+v, %+v", st, m.Stats().Counts)
	}
	m.Unpin(id)
}

// Memory that the system refuses leaves the old places in force.
func TestAdaptingRefused(t *testing.T) {
	for _, op := range []arena.Op{arena.OpCommit, arena.OpDecommit, arena.OpPurge} {
		for n := 1; n < 9; n++ {
			refuse := false
			calls := 0
			m, s := sparse(t, Options{Arena: arena.Options{Backend: arena.OS, Fault: func(c arena.Call) error {
				if refuse && c.Op == op {
					if calls++; calls >= n && calls < n+3 {
						return errors.New("injected")
					}
				}
				return nil
			}}}, 6)
			if m.Arena().Backend() != arena.OS {
				t.Skip("the heap back end asks for nothing")
			}
			rows := rowsOf(s)
			refuse = true
			m.Adapt(AdaptOptions{Every: 2, Cooling: 1, Decay: -1, Clock: ticking(time.Microsecond).tick,
				Profile: profile.Profile{Intent: profile.Intent{Heat: []profile.Heat{{Group: "stays", Cold: n%2 == 0}}}}})
			failed := false
			for range 60 {
				if err := errors.Join(m.SafePoint(), m.SafePoint(), m.EndFrame()); err != nil {
					failed = true
				}
				if err := m.Check(); err != nil {
					t.Fatalf("%v %d: %v", op, n, err)
				}
			}
			st := adapting(t, m)
			if refused := m.Arena().Stats().Refused[op]; refused > 0 && !failed && st.Refused == 0 {
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
	m.Adapt(AdaptOptions{Clock: c.tick, Profile: profile.Profile{Intent: profile.Intent{Off: true}}})
	if _, ok := m.Adapting(); ok {
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

func TestSoftLimitAndRelease(t *testing.T) {
	m, _ := sparse(t, Options{}, 4)
	c := ticking(time.Microsecond)
	m.Adapt(AdaptOptions{Every: 2, Cooling: 1, Clock: c.tick, SoftLimit: 5 << 20})
	for range 60 {
		frame(t, m)
	}
	if got := m.Arena().DirtyChunks(); got > 5<<20 {
		t.Errorf("%d bytes above a soft limit of 5 MiB", got)
	}
	m, s := sparse(t, Options{}, 2)
	m.Adapt(AdaptOptions{Clock: c.tick})
	s.Truncate(0)
	frame(t, m)
	if freed, err := m.Release(); err != nil || freed == 0 || m.Arena().DirtyChunks() != 0 {
		t.Errorf("Release gave %d back and left %d, %v", freed, m.Arena().DirtyChunks(), err)
	}
}

func TestOffAndBack(t *testing.T) {
	m, s := sparse(t, Options{}, 3)
	c := ticking(time.Microsecond).tick
	m.Adapt(AdaptOptions{Every: 1, Cooling: 1, Clock: c})
	for len(m.Planned()) == 0 {
		frame(t, m)
	}
	victim := m.Planned()[0].Empties[0]
	m.Adapt(AdaptOptions{Clock: c, Profile: profile.Profile{Intent: profile.Intent{Off: true}}})
	if len(m.Planned()) != 0 || m.Arena().Held(victim.Range, victim.Number) {
		t.Error("what was planned is still held")
	}
	before := m.Stats().Counts.Moved
	for range 10 {
		frame(t, m)
	}
	if m.Stats().Counts.Moved != before {
		t.Error("moves while off")
	}
	s.Drop()
	m.Adapt(AdaptOptions{Every: 1, Clock: c})
	frame(t, m)
}

func BenchmarkMove(b *testing.B) {
	m := open(b, Options{})
	s := sequence(b, m, "s", 8, 16, 16)
	var serial uint64
	appendRows(b, s, int(s.shape.Full.Capacity())*2, &serial)
	id := s.chunks[0]
	bytes := int64(s.shape.Full.Capacity()) * int64(s.shape.Full.RowBytes())
	b.Run("what=move", func(b *testing.B) {
		b.SetBytes(bytes)
		for b.Loop() {
			if _, err := m.Move(id); err != nil {
				b.Fatal(err)
			}
			m.SafePoint()
		}
	})
	b.Run("what=copy", func(b *testing.B) {
		b.SetBytes(bytes)
		other := s.chunks[1]
		for b.Loop() {
			for c := range s.shape.Full.Columns() {
				n := uintptr(s.shape.Full.Capacity()) * uintptr(s.shape.Full.Spec(c).Size)
				chunk.CopyBytes(s.dirs[c].Addr(other), s.dirs[c].Addr(id), n)
			}
		}
	})
}

// Adapting with nothing to do: what a frame with five safe points costs more.
func BenchmarkIdleFrame(b *testing.B) {
	for _, on := range []bool{false, true} {
		b.Run(fmt.Sprintf("adapt=%v", on), func(b *testing.B) {
			m, _ := sparse(b, Options{}, 1)
			if on {
				m.Adapt(AdaptOptions{})
			}
			for range 2000 {
				m.SafePoint()
				m.EndFrame()
			}
			for b.Loop() {
				for range 5 {
					m.SafePoint()
				}
				m.EndFrame()
			}
		})
	}
}
