package adapt

import (
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

const (
	stripeFrom = 8                      // chunks of a sequence before it is striped
	budgetTime = 200 * time.Microsecond // the budget that is not stated
)

// Manager is a manager and its adapter, as programs have them.
type Manager struct {
	*memmgr.Manager
	*Adapter
}

func (m *Manager) EndFrame() error        { return m.Adapter.EndFrame() }
func (m *Manager) Stats() Stats           { return m.Adapter.Stats() }
func (m *Manager) Adapting() (Done, bool) { return m.Adapter.Done() }

// open makes a manager and, at the end of the test, checks and closes it.
func open(t testing.TB, o memmgr.Options) *Manager {
	t.Helper()
	m := made(t, o)
	t.Cleanup(func() {
		if err := m.Check(); err != nil {
			t.Error(err)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

func made(t testing.TB, o memmgr.Options) *Manager {
	t.Helper()
	m, err := memmgr.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return &Manager{m, New(m)}
}

func sequence(t testing.TB, m *Manager, name string, sizes ...uint32) *memmgr.Sequence {
	t.Helper()
	columns := make([]memmgr.ColumnSpec, len(sizes))
	for i, n := range sizes {
		columns[i].Spec = chunk.Spec{Size: n, Align: 8}
	}
	s, err := m.MakeSequence(name, columns)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// rowsOf reads column 0 of a sequence, which has 8 bytes, in logical order.
func rowsOf(s *memmgr.Sequence) (rows []uint64) {
	for id := range s.Chunks() {
		rows = append(rows, memmgr.Slice[uint64](s, 0, id)...)
	}
	return rows
}

func put(s *memmgr.Sequence, l memmgr.Loc, v uint64) {
	memmgr.Slice[uint64](s, 0, l.Chunk())[l.Row()] = v
}

// fillRows adds rows, whose values count on.
func fillRows(t testing.TB, s *memmgr.Sequence, n int) {
	t.Helper()
	for range n {
		l, err := s.Append()
		if err != nil {
			t.Fatal(err)
		}
		put(s, l, uint64(s.Len()-1))
	}
}

// numbers are lo, … hi-1.
func numbers(lo, hi int) (all []uint64) {
	for i := lo; i < hi; i++ {
		all = append(all, uint64(i))
	}
	return all
}

func safePoints(t testing.TB, m *Manager, n int) {
	t.Helper()
	for range n {
		if err := m.SafePoint(); err != nil {
			t.Fatal(err)
		}
	}
}

// stopped is a clock by which no budget of time is ever spent.
func stopped() time.Time { return time.Time{} }

func chunksOf(s *memmgr.Sequence) (ids []chunk.ID) {
	for id := range s.Chunks() {
		ids = append(ids, id)
	}
	return ids
}

// slotOf is the slot in which a chunk is.
func slotOf(m *Manager, id chunk.ID) arena.Slot {
	for p := range m.Placements() {
		if p.Chunk == id {
			return p.Slot
		}
	}
	return arena.NoSlot
}

// rangeOf is the range in which a chunk is.
func rangeOf(m *Manager, id chunk.ID) arena.Range {
	r, _ := m.Arena().PlaceOf(slotOf(m, id))
	return r
}
