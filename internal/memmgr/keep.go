package memmgr

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/ashlar-go/ashlar/internal/arena"
	"github.com/ashlar-go/ashlar/internal/chunk"
)

// keep is where the chunks of some sequences are to be, by name.
type keep struct{ cold, fixed []string }

// Keep says that chunks in slots of their own are brought to the cold range if they are of a
// sequence that cold names, and that chunks of those that fixed names are left where they are. It
// replaces what it said before, and holds for sequences that are made later too.
func (m *Manager) Keep(cold, fixed []string) {
	m.mustBeMade("Keep")
	m.keep = keep{cold, fixed}
	for _, s := range m.live() {
		if s.asked(); s.cold {
			m.goAstray(s.chunks...)
		}
	}
}

// asked notes what Keep says of the sequence.
func (s *Sequence) asked() {
	k := &s.m.keep
	s.stays = slices.Contains(k.fixed, s.name)
	s.cold = !s.stays && slices.Contains(k.cold, s.name)
}

// walk is the order in which sequences are walked: the named ones, then the others as they were made.
type walk struct {
	names []string
	ranks map[string]int // of the names
}

func walkOf(names []string) walk {
	w := walk{names, make(map[string]int, len(names))}
	for i, name := range slices.Backward(names) {
		w.ranks[name] = i
	}
	return w
}

// rank is a sequence's place among the names, or behind them.
func (w *walk) rank(s *Sequence) int {
	if i, named := w.ranks[s.name]; named {
		return i
	}
	return len(w.names)
}

// nearestMost is how many names and sequences are looked at for one.
const nearestMost = 64

// nearest returns the sequence before another one, as they are walked, whose last chunk is in a slot
// of its own: the nearest one, or nil.
func (m *Manager) nearest(s *Sequence) *Sequence {
	left, rank := nearestMost, m.walk.rank(s)
	is := func(t *Sequence) bool {
		return t != nil && m.walk.rank(t) == rank && len(t.chunks) > 0 && m.table.at(t.tail.Chunk()).spot.form == whole
	}
	for at := s.place; at > 0 && rank == len(m.walk.names) && left > 0; left-- {
		if at--; is(m.seqs[at]) {
			return m.seqs[at]
		}
	}
	for ; rank > 0 && left > 0; left-- {
		rank--
		if t := m.names[m.walk.names[rank]]; is(t) {
			return t
		}
	}
	return nil
}

// whole tells whether memory goes back by whole regions alone, as on the Go heap: then it may
// pay to empty one.
func (m *Manager) whole() bool { return m.arena.Backend() == arena.Heap }

// settleIn and moveOut note which chunk is in a slot of its own, if regions may be emptied.
func (m *Manager) settleIn(at spot, id chunk.ID) {
	if at.form == whole && m.whole() {
		if m.tenants == nil {
			m.tenants = make(map[arena.Slot]chunk.ID)
		}
		m.tenants[at.slot] = id
	}
}

func (m *Manager) moveOut(at spot) {
	if at.form == whole {
		delete(m.tenants, at.slot)
	}
}

// Movable tells whether all that is in use of a region can be moved elsewhere: chunks in slots of
// their own, on the Go heap. A spare is freed before long, so it is not moved. It costs a look at
// each slot.
func (m *Manager) Movable(r arena.RegionInfo) bool {
	m.mustBeMade("Movable")
	for left := ^r.Free; left != 0; left &= left - 1 {
		id := m.tenants[r.First+arena.Slot(bits.TrailingZeros32(left))]
		if e := m.table.at(id); id == 0 || e.order == spareOrder || e.seq.stays || e.pins.Load() != 0 {
			return false
		}
	}
	return true
}

// Leave has the next safe points move all chunks out of a region that is movable. Until Stay it is
// held, so that new chunks go elsewhere. Order names sequences in the order in which they are walked;
// the others come behind them, as they were made. A chunk goes behind the one before it, if that is
// in a region that is half full. A first chunk goes behind the last one of the sequence that is
// walked before. Others go into the fullest region, and stay if there is no room.
func (m *Manager) Leave(r arena.RegionInfo, order []string) {
	m.mustBeMade("Leave")
	m.walk = walkOf(order)
	m.arena.Hold(r.Range, r.Number, true)
	var ids []chunk.ID
	for slot := r.First; slot < r.First+arena.SlotsPerRegion; slot++ {
		if id := m.tenants[slot]; id != 0 {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(i, j chunk.ID) int {
		a, b := m.table.at(i), m.table.at(j)
		return cmp.Or(m.walk.rank(a.seq)-m.walk.rank(b.seq), a.seq.place-b.seq.place, cmp.Compare(a.order, b.order))
	})
	slices.Reverse(ids[min(1, len(ids)):]) // after the first one, the last is brought first
	m.goAstray(ids...)
}

// Stay ends Leave.
func (m *Manager) Stay(r arena.RegionInfo) {
	m.mustBeMade("Stay")
	m.walk = walk{}
	m.arena.Hold(r.Range, r.Number, false)
}

// leaves tells whether a chunk in a slot of its own is in a region that is held.
func (m *Manager) leaves(e *entry) bool {
	kind, place := m.arena.PlaceOf(e.spot.slot)
	return m.arena.Held(kind, place/arena.SlotsPerRegion)
}

// lodging finds a place for a chunk of a region that is held. It takes no new region; ok is false
// if the others are full.
func (m *Manager) lodging(e *entry) (at spot, ok bool) {
	s := e.seq
	if e.order > s.first {
		at, ok = m.beside(s, e.order)
	} else if before := m.nearest(s); before != nil {
		at, ok = m.behind(before.tail.Chunk(), s.kind())
	}
	if !ok {
		at.slot, ok = m.arena.AllocFullest(m.rangeOf(e.spot))
	}
	return at, ok
}

// beside takes the slot behind the chunk before the one of an order, if that is a place that costs
// no more than others.
func (m *Manager) beside(s *Sequence, order uint32) (at spot, ok bool) {
	if i := order - s.first; i > 0 {
		return m.behind(s.chunks[i-1], s.kind())
	}
	return spot{}, false
}

// behind takes the slot behind a chunk, if it is in the range and costs no more than others there.
func (m *Manager) behind(id chunk.ID, kind arena.Range) (at spot, ok bool) {
	if before := m.table.at(id).spot; before.form == whole && m.rangeOf(before) == kind {
		at.slot, ok = m.arena.AllocNext(before.slot)
	}
	return at, ok
}
