package query

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/internal/chunk"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// A cursor notes where the columns of a source lie that is one chunk and has nothing to test.
// As long as the manager's layout stays, its next walk needs no more than that: not the
// source, nor directories. There may be hundreds of sources with a few rows each.

// note says that the columns of a source are noted.
type note struct {
	seq    *memmgr.Sequence
	layout uint64 // one more than the manager's then; 0: they are not
	spots  []spot // a cursor's are side by side
}

// spot is a noted column: what filling a struct needs.
type spot struct {
	cell   *memmgr.Cell
	addr   raw.Ptr
	offset uint32 // of the field in the struct
	write  bool
}

// noting tells whether a walk for a spec can note anything: it passes columns alone, and tests
// nothing that may change from one batch to the next.
func (s *Spec) noting() bool {
	return !s.Pointers && s.Entities < 0 && !s.InRows && len(s.Presences)+len(s.Disabled)+len(s.Changes) == 0
}

// writes tells whether rows that a walk passes may have to be marked one by one.
func (c *Cursor) writes() bool {
	return slices.ContainsFunc(c.Columns, func(x Column) bool { return x.Write && (c.given != nil || x.Comp.AsksRows()) })
}

// forget makes room for notes of so many sources, none of which is noted.
func (c *Cursor) forget(sources int) {
	k := len(c.Columns)
	spots := make([]spot, sources*k)
	c.noted, c.notes = c.made, make([]note, sources)
	for i := range c.notes {
		c.notes[i].spots = spots[i*k:][:k]
	}
}

// note keeps where the columns of the only chunk of the i-th source are.
func (c *Cursor) note(i int, s *Source, id chunk.ID) {
	x := &c.notes[i]
	x.seq, x.layout = s.Seq, c.base.M.Layout()+1
	for j := range x.spots {
		d := &s.direct[j]
		cell := d.dir.Cell(id)
		x.spots[j] = spot{cell, cell.Addr, d.offset, d.write}
	}
}

// passOne passes the n rows of the i-th source, which has nothing to test and one chunk. It notes
// where the columns are, if no chunk has come or gone since the last walk: in frames where some do,
// notes would serve no walk.
func (c *Cursor) passOne(i int, s *Source, id chunk.ID, n int, into raw.Ptr, call func(raw.Ptr) bool) bool {
	m := c.base.M
	c.Met += n
	for j := range s.direct {
		d := &s.direct[j]
		cell := d.dir.Cell(id)
		raw.SetSlice(into, d.offset, cell.Addr, n)
		if d.write {
			cell.Stamp = m.Tick()
		}
	}
	if c.Fn != nil {
		c.Fn(into)
		c.Passed++
	} else if !call(into) {
		return false
	}
	if c.laid != m.Layout() {
		c.laid, c.laidIn = m.Layout(), c.walk
	}
	if c.Visit != nil || c.laidIn != c.walk {
		c.note(i, s, id)
	}
	if c.Visit != nil {
		c.tellFirst(i, s.Seq, n)
	}
	return true
}

// passNoted passes the rows of sources from the i-th on, as long as they are noted. It returns the
// first that is not, and -1 if call has ended the walk.
func (c *Cursor) passNoted(i int, into raw.Ptr, call func(raw.Ptr) bool) int {
	m := c.base.M
	for layout := m.Layout() + 1; i < len(c.notes) && c.notes[i].layout == layout; i++ {
		x := &c.notes[i]
		n := x.seq.TailLen()
		if n == 0 {
			continue
		}
		c.Met += n
		for j := range x.spots {
			s := &x.spots[j]
			raw.SetSlice(into, s.offset, s.addr, n)
			if s.write {
				s.cell.Stamp = m.Tick()
			}
		}
		if c.Fn != nil {
			c.Fn(into)
			c.Passed++
		} else if !call(into) {
			return -1
		}
	}
	return i
}
