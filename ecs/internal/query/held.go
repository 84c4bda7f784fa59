package query

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/internal/chunk"
)

// held is matching rows of a source that are to be gathered and were not passed yet. Few rows of a
// chunk may match, above all where rows are wide. What a call costs for each chunk would be a large
// part of the time. So rows of chunks side by side, whose columns are one, are passed together.
type held struct {
	rows   []uint16   // counted from the first row of the first chunk
	chunks []chunk.ID // those that have some of them
	first  int        // the first one's place in the sequence
	last   int        // and the last one's
	end    int        // of the chunks that are known to be side by side
}

const (
	heldRows = 256     // how many are enough for a call: their values are in the first-level cache
	heldMost = 1 << 16 // how many rows chunks can have together, since their numbers are of 16 bits
)

// clear begins with a source.
func (h *held) clear() { h.rows, h.chunks, h.end = h.rows[:0], h.chunks[:0], 0 }

// hold adds rows of the i-th chunk to those that are held, and passes these if they are many, or
// if other chunks could not be held with them.
func (c *Cursor) hold(s *Source, i int, id chunk.ID, words []uint64, into raw.Ptr, call func(raw.Ptr) bool) bool {
	h, capacity := &c.held, s.Seq.Capacity()
	if len(h.rows) > 0 && (i >= h.end || (i-h.first+1)*capacity > heldMost) && !c.passHeld(s, into, call) {
		return false
	}
	if len(h.rows) == 0 {
		if h.first = i; i >= h.end {
			h.end = i + s.Seq.Beside(i)
		}
	}
	h.rows = raw.Numbers(h.rows, words, (i-h.first)*capacity)
	h.chunks, h.last = append(h.chunks, id), i
	// What a call writes by handle may have the next chunk's rows match: it has to be tested later.
	if len(h.rows) >= heldRows || len(c.Changes) > 0 || s.certain {
		return c.passHeld(s, into, call)
	}
	return true
}

// passHeld passes the rows that are held, if there are any: gathered, and put back where the struct
// writes them.
func (c *Cursor) passHeld(s *Source, into raw.Ptr, call func(raw.Ptr) bool) bool {
	h := &c.held
	if len(h.rows) == 0 {
		return true
	}
	id, rows := h.chunks[0], h.rows
	if c.Entities >= 0 || len(c.Presences)+len(c.marks) > 0 {
		n := (h.last - h.first + 1) * s.Seq.Capacity()
		c.fillEntities(into, c.pickEntities(c.base.S.Entities(id, n), rows))
		c.fillPresences(s, into, len(rows))
	}
	for j := range c.Columns {
		x := &c.Columns[j]
		if x.Write && len(c.marks) > 0 {
			h.stamp(x, c.base.M.Tick())
		}
		raw.SetSlice(into, uint32(x.Offset), c.columns[j].pick(x, id, rows), len(rows))
	}
	more := call(into)
	for j := range c.Columns {
		if x := &c.Columns[j]; x.Write {
			c.columns[j].putBack(x, id, rows, c.base.M.Tick())
			h.stamp(x, c.base.M.Tick())
		}
	}
	h.rows, h.chunks = h.rows[:0], h.chunks[:0]
	return more
}

// stamp marks a column of the chunks.
func (h *held) stamp(x *Column, tick uint64) {
	for _, id := range h.chunks {
		x.Comp.Dir.Cell(id).Stamp = tick
	}
}
