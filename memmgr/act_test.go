package memmgr

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/plan"
	"github.com/ashlar-go/ashlar/profile"
)

// sparse makes a manager with one chunk of "stays" in each of n regions of the
// huge range, which a plan empties into the first.
func sparse(t testing.TB, o Options, n int) (*Manager, *Sequence) {
	t.Helper()
	o.Topology = huge()
	m := open(t, o)
	s := sequence(t, m, "stays", 0, 8, 1000)
	filler := sequence(t, m, "goes", 0, 8, 1000)
	var serial uint64
	fill := func(s *Sequence, chunks int) {
		want := (s.ChunkCount() + chunks) * int(s.full.Capacity())
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
		fill(filler, arena.SlotsPerRegion-1)
	}
	filler.Truncate(0)
	if _, err := m.Reclaim(0); err != nil { // the spare too
		t.Fatal(err)
	}
	return m, s
}

// frame is a frame with two safe points.
func frame(t testing.TB, m *Manager) {
	t.Helper()
	if err := errors.Join(m.SafePoint(), m.SafePoint(), m.EndFrame(time.Millisecond, nil)); err != nil {
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
		if p.Kind != plan.Evacuate || !p.Bytes || p.Measured < p.Predicted/2 || p.Measured > 2*p.Predicted {
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
		for range 31 { // the second region has 32 chunks to move by intent
			for n := s.full.Capacity(); n > 0; n-- {
				if _, err := s.Append(); err != nil {
					t.Fatal(err)
				}
			}
		}
		m.Adapt(AdaptOptions{
			Budget: b, Every: 1, Cooling: 1, Clock: ticking(10 * time.Microsecond).tick,
			Profile: profile.Profile{Intent: profile.Intent{Heat: []profile.Heat{{Group: "stays", Cold: true}}}},
		})
		if err := m.EndFrame(0, nil); err != nil {
			t.Fatal(err)
		}
		todo := uint64(len(m.Planned()[0].Moves))
		if todo < 30 {
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
	if m.Arena().Serves(arena.Huge) != arena.Huge {
		t.Skip("no huge range on this back end; the rule by which actions are taken back is TestJudgeBytes's")
	}
	if _, ok, err := m.Arena().AllocAt(arena.Huge, 20); !ok || err != nil { // the first region can't be emptied
		t.Fatal(ok, err)
	}
	m.Adapt(AdaptOptions{Every: 2, Cooling: 1, Clock: ticking(time.Microsecond).tick})
	next := func() {
		if err := errors.Join(m.SafePoint(), m.EndFrame(time.Millisecond, nil)); err != nil {
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
	_, before := m.Arena().PlaceOf(m.table[s.chunks[1]].slot)
	_, first := m.Arena().PlaceOf(m.table[s.chunks[0]].slot)
	for range 20 {
		next()
	}
	_, after := m.Arena().PlaceOf(m.table[s.chunks[1]].slot)
	_, firstNow := m.Arena().PlaceOf(m.table[s.chunks[0]].slot)
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
	m.Arena().Free(m.Arena().SlotAt(arena.Huge, 20))
}

func TestPinnedAreSkipped(t *testing.T) {
	m, s := sparse(t, Options{}, 3)
	m.Adapt(AdaptOptions{Every: 2, Cooling: 1, Decay: -1, Clock: ticking(time.Microsecond).tick})
	for len(m.Planned()) == 0 {
		frame(t, m)
	}
	mv := m.Planned()[0].Moves[0]
	id := s.chunks[mv.Order]
	base := m.Base(id)
	m.Pin(id)
	for range 30 {
		frame(t, m)
	}
	if st := adapting(t, m); st.Skipped == 0 || m.Stats().Counts.SkippedPinned == 0 || m.Base(id) != base {
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
				if err := errors.Join(m.SafePoint(), m.SafePoint(), m.EndFrame(0, nil)); err != nil {
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
	s := sequence(t, m, "s", 0, 8, 1000)
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

// A group grows into its run whatever grows beside it, and a group that nobody
// expected does not take its place.
func TestRunsAreKept(t *testing.T) {
	m := open(t, Options{Topology: huge()})
	p := profile.Profile{Frames: 10, Groups: []profile.Group{{Name: "a", Rows: 10 * 640, Last: 640}, {Name: "b", Rows: 10 * 640, Last: 640}}}
	m.Adapt(AdaptOptions{Profile: p, Clock: ticking(time.Microsecond).tick})
	var seqs []*Sequence
	for _, n := range []string{"stranger", "a", "b"} {
		seqs = append(seqs, sequence(t, m, n, 0, 8, 1000))
	}
	for range 640 {
		for _, s := range seqs {
			if _, err := s.Append(); err != nil {
				t.Fatal(err)
			}
		}
	}
	var got []string
	for _, c := range m.Placement().Chunks {
		got = append(got, fmt.Sprintf("%d.%d %v", c.Group, c.Order, c.At))
	}
	if lines := strings.Join(got, "; "); !strings.Contains(lines, "1.0 huge 0:00; 1.1 huge 0:01; 1.2 huge 0:02") || !strings.Contains(lines, "2.0 huge 0:10; 2.1 huge 0:11") || !strings.Contains(lines, "0.0 huge 1:00") {
		t.Errorf("placed %s", lines)
	}
	if st := adapting(t, m); st.Hinted != 20 {
		t.Errorf("%d chunks were made in their places, want 20", st.Hinted)
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
	s := sequence(b, m, "s", 0, 8, 16, 16)
	var serial uint64
	appendRows(b, s, int(s.full.Capacity())*2, &serial)
	id := s.chunks[0]
	bytes := int64(s.full.Capacity()) * int64(s.full.RowBytes())
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
			for c := range s.full.Columns() {
				n := uintptr(s.full.Capacity()) * uintptr(s.full.Spec(c).Size)
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
				m.EndFrame(time.Millisecond, nil)
			}
			for b.Loop() {
				for range 5 {
					m.SafePoint()
				}
				m.EndFrame(time.Millisecond, nil)
			}
		})
	}
}
