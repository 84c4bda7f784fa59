package query

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// A cursor notes where the columns of a source lie that is one chunk and has nothing to test.
// As long as the manager's layout stays, its next walk needs no more than that: not the
// source, nor directories. There may be hundreds of sources with a few rows each.

// note says that the columns of a source are noted.
type note struct {
	seq    *memmgr.Sequence
	layout uint64 // one more than the manager's then; 0: they are not
}

// spot is a noted column: what filling a struct needs.
type spot struct {
	cell   *memmgr.Cell
	addr   raw.Ptr
	offset uint32 // of the field in the struct
	write  bool
}

// forget makes room for notes of so many sources, none of which is noted.
func (c *Cursor) forget(sources int) {
	c.noted = c.made
	c.notes = slices.Grow(c.notes[:0], sources)[:sources]
	clear(c.notes)
}

// spotsOf are the noted columns of the i-th source.
func (c *Cursor) spotsOf(i int) []spot {
	return c.spots[i*len(c.Columns):][:len(c.Columns)]
}

// note keeps where the columns of the only chunk of the i-th source are.
func (c *Cursor) note(i int, s *Source, layout uint64) {
	if n := len(c.notes) * len(c.Columns); len(c.spots) < n {
		c.spots = append(c.spots, make([]spot, n-len(c.spots))...)
	}
	id, _ := s.Seq.Chunk(0)
	spots := c.spotsOf(i)
	for j := range spots {
		d := &s.direct[j]
		cell := d.dir.Cell(id)
		spots[j] = spot{cell, cell.Addr, d.offset, d.write}
	}
	c.notes[i] = note{s.Seq, layout}
}

// fill fills the struct with n rows of noted columns.
func fill(spots []spot, into raw.Ptr, n int, tick uint64) {
	for j := range spots {
		x := &spots[j]
		raw.SetSlice(into, x.offset, x.addr, n)
		if x.write {
			x.cell.Stamp = tick
		}
	}
}
