package memmgr

import (
	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

// Four functions change which chunks there are and where. Each leaves the table, the directories
// and the book in agreement:
//
//	newChunk    a number, a spot that was taken     → used
//	freeChunk   used                                → free, or left while pinned
//	arrive      used, at an old spot                → used, at a new one, rows copied
//	publish     the line of the table and the cells, as part of newChunk and arrive
//
// Callers take spots before, and give old ones back after. So a refusal leaves all as it was.

// newChunk takes a number for the next chunk of a sequence, at a spot taken for it, and enters its
// columns' addresses. After ErrChunks the spot is free again.
func (m *Manager) newChunk(s *Sequence, at spot.At) (chunk.ID, error) {
	id, ok := m.table.choose(s.dirs)
	if !ok {
		m.book.Free(s.shape, at)
		return 0, ErrChunks
	}
	e := m.table.at(id)
	e.seq, e.order = s, s.first+uint32(len(s.chunks))
	m.publish(id, at)
	for _, d := range s.dirs {
		d.Cell(id).Stamp = m.tick
	}
	s.growAhead()
	m.counts.made++
	return id, nil
}

// growAhead doubles one directory of the sequence that is nearly full. All would be full with the same
// chunk, and doubling all of them at once is the longest pause of a table with many columns.
func (s *Sequence) growAhead() {
	for _, d := range s.dirs {
		if d.nearlyFull() {
			d.resize(2 * (d.mask + 1))
			s.manager.resized++
			return
		}
	}
}

// publish makes a place that of a chunk: its line of the table and one cell per column.
func (m *Manager) publish(id chunk.ID, at spot.At) {
	e := m.table.at(id)
	e.seq.lay()
	e.spot = at
	e.gen++
	m.book.Settle(e.seq.shape, at, id)
	for i, d := range e.seq.dirs {
		cells := d.mask
		d.set(id, e.seq.key, e.seq.partial != nil && e.seq.partial[i], m.book.Address(e.seq.shape, at, i))
		if d.mask != cells {
			m.resized++
		}
	}
}

// freeChunk gives a chunk's number and place back, or has them wait while it is pinned.
func (m *Manager) freeChunk(id chunk.ID) {
	e := m.table.at(id)
	e.seq.lay()
	for _, d := range e.seq.dirs {
		d.clear(id)
	}
	m.freeAnnex(id)
	s := e.seq.shape
	at := e.spot
	m.book.Unsettle(s, at)
	e.seq, e.spot, e.order, e.moves, e.copied = nil, spot.At{}, 0, 0, 0
	e.gen++
	if e.pins.Load() != 0 {
		m.waiting = append(m.waiting, waiting{id, s, at, true})
	} else {
		m.book.Discard(s, at)
		m.table.free = append(m.table.free, id)
	}
	m.counts.freed++
}

// lay counts that a chunk of the sequence is at another place than before, or in another one of it.
func (s *Sequence) lay() {
	s.manager.layout++
	s.laid++
}

// freeAnnex makes the slots of a chunk's annex free, if it has one.
func (m *Manager) freeAnnex(id chunk.ID) {
	e := m.table.at(id)
	if e.annex.slots == 0 {
		return
	}
	for i := range e.annex.slots {
		m.book.Discard(nil, spot.At{Slot: e.annex.first + arena.Slot(i)})
	}
	e.annex = annex{}
}

// moveTo copies a chunk's rows to a spot taken for it and publishes that. It returns the old spot,
// which is still taken. Rows must fit.
func (m *Manager) moveTo(id chunk.ID, at spot.At) (old spot.At) {
	e := m.table.at(id)
	old = e.spot
	m.book.Unsettle(e.seq.shape, old)
	m.arrive(id, at, old)
	return old
}

// arrive publishes a chunk at a spot taken for it, and copies its rows from the old one, which it
// has left.
func (m *Manager) arrive(id chunk.ID, at, old spot.At) {
	e := m.table.at(id)
	m.publish(id, at)
	e.seq.Shift()
	e.moves++
	e.copied += m.copyRows(id, old)
	if s := e.seq; s.tail.Chunk() == id {
		s.end = s.tail.Plus(s.shape.Capacity(at.Form))
		s.watch()
	}
}

// rowsOf is the number of rows in a chunk.
func (m *Manager) rowsOf(id chunk.ID) uint32 {
	e := m.table.at(id)
	switch s := e.seq; {
	case e.order == spareOrder:
		return 0
	case e.order-s.first == uint32(len(s.chunks)-1):
		return s.tailRows()
	default:
		return s.shape.Full.Capacity()
	}
}

// goAstray has the next safe points bring chunks where they belong.
func (m *Manager) goAstray(ids ...chunk.ID) {
	for _, id := range ids {
		if e := m.table.at(id); !e.astray {
			m.astray, e.astray = append(m.astray, id), true
		}
	}
}

// freeUnpinned frees the places of chunks that are no longer pinned.
func (m *Manager) freeUnpinned() {
	keep := m.waiting[:0]
	for _, w := range m.waiting {
		if m.table.at(w.id).pins.Load() != 0 {
			keep = append(keep, w)
			continue
		}
		m.book.Discard(w.shape, w.at)
		if w.whole {
			m.table.free = append(m.table.free, w.id)
		}
	}
	clear(m.waiting[len(keep):])
	m.waiting = keep
}

// CountIn has the sequence count in *shifts, beside the count of its manager, whatever makes addresses
// of its values bad. The manager counts chunks that move, and Shift rows. Several sequences may share
// a count.
func (s *Sequence) CountIn(shifts *uint64) { s.shifts = shifts }

// Shift counts that the user has moved rows of the sequence, or removed some.
func (s *Sequence) Shift() {
	if s.shifts == nil {
		s.manager.mustBeMade("Shift")
	}
	s.manager.shifts++
	*s.shifts++
}
