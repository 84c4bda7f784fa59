package views

import (
	"math/bits"

	"github.com/ashlar-go/ashlar/memmgr"
)

// ownerStamps are when each chunk of an owner changed, by cell of the component's
// directory: values, and which rows it holds in which order.
type ownerStamps struct {
	values, order []uint64
}

// gone is the stamp of a cell without a chunk: it counts as changed, because rows that
// were there may be anywhere now.
const gone = ^uint64(0)

// read makes s the stamps of an owner now; see Changes.Find.
func (s *ownerStamps) read(cells []memmgr.Cell, entities *memmgr.Directory, sequences ...*memmgr.Sequence) {
	s.values, s.order = s.values[:0], s.order[:0]
	for range cells {
		s.values, s.order = append(s.values, gone), append(s.order, gone)
	}
	for _, q := range sequences {
		if q == nil {
			continue
		}
		for id := range q.Chunks() {
			i := int(id) & (len(cells) - 1)
			s.values[i], s.order[i] = cells[i].Stamp, entities.Cell(id).Stamp
		}
	}
}

// Changes are the cells that changed at a tick or later: a bit each.
type Changes struct {
	stamps ownerStamps // kept for the next Find
	since  uint64
	cells  int
	hits   []byte   // the two bits of each cell; the last is for rows that lack the component
	values []uint64 // values or order
	order  []uint64
	live   int  // cells with a chunk
	any    bool // a cell with a chunk has changed
	moved  bool // a cell with a chunk has changed its order
}

// Find makes c the changes of an owner since a tick, that tick included. Cells are the component's
// directory, entities is the directory of the column of the rows' entities, and sequences are all
// that have rows with the component; nil ones have none. It costs two loads a chunk and a look at
// each cell. View chunks that were gathered in the same tick can share it.
func (c *Changes) Find(since uint64, cells []memmgr.Cell, entities *memmgr.Directory, sequences ...*memmgr.Sequence) {
	c.stamps.read(cells, entities, sequences...)
	c.find(c.stamps, since)
}

// find makes c the changes since a tick by stamps.
func (c *Changes) find(s ownerStamps, since uint64) {
	n := (len(s.values) + 63) / 64
	c.since, c.cells, c.live, c.any, c.moved = since, len(s.values), 0, false, false
	c.values = append(c.values[:0], make([]uint64, n)...)
	c.order = append(c.order[:0], make([]uint64, n)...)
	c.hits = append(c.hits[:0], make([]byte, max(2*c.cells, 1))...) // noPlace leads to no cell
	for i, v := range s.values {
		o, is := s.order[i], s.order[i] != gone
		if is {
			c.live++
		}
		if v >= since || o >= since {
			c.values[i/64] |= 1 << (i % 64)
			c.hits[i] |= hitValues
			c.any = c.any || is
		}
		if o >= since {
			c.order[i/64] |= 1 << (i % 64)
			c.hits[i] |= hitOrder
			c.moved = c.moved || is
		}
	}
	if c.moved { // a row that lacked the component may have it now, anywhere
		c.hits[len(c.hits)-1] = hitValues | hitOrder
	}
}

const hitValues, hitOrder = 1, 2

// hit tells whether values or order changed in the cell of a place.
func (c *Changes) hit(p Place) byte { return c.hits[int(p>>rowBits)&(len(c.hits)-1)] }

// Verdict is the work that a view chunk needs before it can be read.
type Verdict uint8

const (
	// Valid: nothing, its values equal the owner's.
	Valid Verdict = iota
	// Some: rows in changed cells are gathered again, from the places that were noted:
	// Source.Refresh, Mark.Again.
	Some
	// SomeMoved: the same, but they may lie elsewhere now: Source.Refresh, Mark.Note.
	SomeMoved
	// Places: all rows are gathered, by the places that were noted.
	Places
	// All: all rows are gathered by handle.
	All
)

// Mark is the note of a gather of a view chunk: when, how many rows, and in which
// cells its rows are. The zero Mark is of a view chunk that was never gathered or was
// dropped. The states of a view chunk, as Judge tells them:
//
//	never gathered   ─gather, Note→ valid
//	valid            ─a cell or the chunk's rows change→ stale; ─Scatter, Again→ valid
//	stale            ─gather of some rows or of all; Note, Again→ valid
//	any              ─Drop→ never gathered
type Mark struct {
	tick   uint64 // of the last gather; 0 if the chunk holds nothing
	rows   int
	cells  int      // of the directory then
	live   int      // cells with a chunk
	owners []uint64 // a bit a cell; nil without places
	lacks  bool     // some row lacks the component
}

// Drop makes the mark that of a chunk that holds nothing.
func (m *Mark) Drop() { m.tick = 0 }

// Note notes a gather of all rows, or of the rows that c proves current, at a
// tick; c is the argument of Judge, or any changes of that tick. Places may be
// nil: then the chunk is gathered whole whenever one of the owner's has changed.
func (m *Mark) Note(tick uint64, rows int, places []Place, c *Changes) {
	m.tick, m.rows, m.cells, m.live, m.lacks = tick, rows, c.cells, c.live, false
	if places == nil {
		m.owners = nil
		return
	}
	m.owners = append(m.owners[:0], make([]uint64, (c.cells+63)/64)...)
	for _, p := range places[:rows] {
		if p == noPlace {
			m.lacks = true
			continue
		}
		m.owners[p>>rowBits/64] |= 1 << (p >> rowBits % 64)
	}
}

// Lacks tells whether some row lacked the component at the last gather.
func (m *Mark) Lacks() bool { return m.lacks }

// Again notes a gather by the same places as before. It also notes that the view
// was scattered: the tick is then one that began after that, because a write
// in the tick of the mark counts as a change.
func (m *Mark) Again(tick uint64) { m.tick = tick }

// Judge decides how much of a view chunk is gathered again. Own is the stamp of its own chunk's
// entities, rows how many it has now, c the owner's changes since m.tick or an
// earlier tick. It costs a look at a bit a cell.
//
// A write in the tick of the gather may have come after it, and
// counts as a change.
func (m *Mark) Judge(own uint64, rows int, c *Changes) Verdict {
	if m.tick == 0 || own >= m.tick || rows != m.rows || c.cells != m.cells || c.since > m.tick {
		return All
	}
	if m.owners == nil {
		if c.any || c.live != m.live {
			return All
		}
		return Valid
	}
	var changed, order, all int
	for i, o := range m.owners {
		all += bits.OnesCount64(o)
		changed += bits.OnesCount64(o & c.values[i])
		order += bits.OnesCount64(o & c.order[i])
	}
	lost := m.lacks && c.moved
	switch {
	case changed == 0 && !lost:
		return Valid
	case order == 0 && !lost:
		if somePlaces*changed <= all {
			return Some
		}
		return Places
	case someHandles*changed <= all && all > 0:
		return SomeMoved
	}
	return All
}

// Picking rows out pays while few cells have changed, because every place is looked at and
// fewer rows are gathered side by side. The limit is 1 in 5 cells against gathering all by
// place, and 1 in 3 against gathering all by handle, which is dearer (BenchmarkRefresh;
// docs/results/views.md has the figures).
const somePlaces, someHandles = 5, 3

// Most reports whether so many of all chunks have other rows that a view is gathered as a whole.
func Most(moved, all int) bool { return someHandles*moved > all }
