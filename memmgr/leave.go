package memmgr

import (
	"cmp"
	"math"
	"slices"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

// A region of slots is emptied when the others have room for its chunks. The adapter says which
// one, and when. Here stands how: its chunks are astray, and new ones go elsewhere, until Stay.
//
//	slots in use   ▂▂ ▆▆ ██ ▅▅
//	               held: its chunks go ─→ behind the chunk before it, into a slot with free blocks,
//	                     or into the fullest region that has room
//	               all free: given back as a whole

// keep says that chunks in slots of their own are brought to the cold range if they are of a
// sequence that cold names. It replaces the lists of earlier calls, and is valid for sequences that are made
// later too. So is how many rows are expected.
func (m *Manager) keep(cold []string, rows []expected) {
	m.mustBeMade("Keep")
	m.cold, m.expected = cold, rows
	for _, s := range m.live() {
		if s.asked(); s.cold {
			m.goAstray(s.chunks...)
		}
	}
}

// asked notes whether the sequence is cold, and how many rows are expected, as keep says.
func (s *Sequence) asked() {
	s.cold = slices.Contains(s.manager.cold, s.name)
	s.expected = 0
	if i := slices.IndexFunc(s.manager.expected, func(x expected) bool { return x.name == s.name }); i >= 0 {
		s.expected = uint64(min(max(s.manager.expected[i].rows, 0), math.MaxInt32))
	}
	s.home.Expected = uint32(s.expected / uint64(s.shape.Capacity(spot.Whole)))
}

// regionBytes is how much of a region chunks have, blocks counted one by one.
func (m *Manager) regionBytes(r arena.RegionInfo) uint64 {
	m.mustBeMade("Bytes")
	return m.book.Bytes(r)
}

// movable reports whether all that is in use of a region can be moved to others of its range, which
// have so many free slots: chunks in slots and blocks that are not pinned. A spare is freed
// before long, so it is not moved. It costs a look at each slot and block of the region.
func (m *Manager) movable(r arena.RegionInfo, slots int) bool {
	m.mustBeMade("Movable")
	ids, ok := m.book.Chunks(r, slots)
	return ok && !slices.ContainsFunc(ids, func(id chunk.ID) bool {
		e := m.table.at(id)
		return e.order == spareOrder || e.pins.Load() != 0
	})
}

// leave has the next safe points move all chunks out of a region that is movable. Until stay it is
// held, so that new chunks go elsewhere. Order names sequences in the order in which they are walked;
// the others come behind them, as they were made. A chunk goes behind the one before it, if that is
// in a region that is half full. A first chunk goes behind the last one of the sequence that is
// walked before. Others go into the fullest region, and stay if there is no room.
func (m *Manager) leave(r arena.RegionInfo, order []string) {
	m.mustBeMade("Leave")
	m.walk = walkOf(order)
	m.arena.Hold(r.Range, r.Number, true)
	ids, _ := m.book.Chunks(r, arena.SlotsPerRegion)
	type walked struct {
		rank, place int
		order       uint32
		id          chunk.ID
	}
	list := make([]walked, 0, len(ids))
	for _, id := range ids {
		if id != 0 {
			e := m.table.at(id)
			list = append(list, walked{m.walk.rank(e.seq), e.seq.place, e.order, id})
		}
	}
	slices.SortFunc(list, func(a, b walked) int {
		return cmp.Or(a.rank-b.rank, a.place-b.place, cmp.Compare(a.order, b.order))
	})
	slices.Reverse(list[min(1, len(list)):]) // after the first one, the last is brought first
	for _, w := range list {
		m.goAstray(w.id)
	}
}

// stay ends leave.
func (m *Manager) stay(r arena.RegionInfo) {
	m.mustBeMade("Stay")
	m.walk = walk{}
	m.arena.Hold(r.Range, r.Number, false)
}

// Reclaim gives free memory back to the operating system, whole regions first, at
// most about maxBytes of it, and returns how much. Only at safe points. It panics as EndFrame does.
func (m *Manager) Reclaim(maxBytes uint64) (uint64, error) {
	m.mustRest("Reclaim")
	defer m.use("Reclaim")()
	if m.closed {
		return 0, m.isClosed("Reclaim")
	}
	m.makeSpace(nil)
	m.book.Release(true)
	return m.arena.Purge(maxBytes)
}
