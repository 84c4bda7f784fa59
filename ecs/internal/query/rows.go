package query

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/internal/chunk"
)

// lanes is what a struct of pointers is filled from along the rows of a chunk.
type lanes struct {
	along  []lane    // columns of the chunk
	astray []*Column // those that lie elsewhere, which each row has to be asked for
}

// lane is a field of the struct and the column that it goes along.
type lane struct {
	first       raw.Ptr // the value of the chunk's row 0
	field, size uintptr // offset of the field; from one value to the next
	next        uintptr // the value of the row under way
}

// lay fills lanes for a chunk, and marks the columns that are written.
func (c *Cursor) lay(s *Source, id chunk.ID) {
	tick, l := c.base.M.Tick(), &c.lanes
	l.along, l.astray = l.along[:0], l.astray[:0]
	for j := range s.direct {
		switch x := &c.Columns[j]; {
		case s.place != nil && s.place[j] == Nowhere:
			l.along = append(l.along, lane{field: x.Offset}) // nil in each row
			continue
		case !s.has(j, x.Optional):
			l.astray = append(l.astray, x)
			continue
		}
		d := &s.direct[j]
		cell := d.dir.Cell(id)
		l.along = append(l.along, lane{first: raw.At(cell.Addr, uintptr(d.part)), field: uintptr(d.offset), size: uintptr(d.size)})
		if d.write {
			cell.Stamp = tick
		}
	}
}

// rows calls with the struct of pointers for n rows of a chunk: the given ones, or the
// first if none are given.
func (c *Cursor) rows(s *Source, id chunk.ID, n int, given []uint16, into raw.Ptr, call func(raw.Ptr) bool) bool {
	c.lay(s, id)
	along, astray, handles := c.lanes.along, c.lanes.astray, c.base.S.IDs.Addr(id)
	if given == nil && len(astray)+len(c.marks) == 0 {
		return c.each(along, handles, n, into, call)
	}
	for i := range n {
		row := uintptr(i)
		if given != nil {
			row = uintptr(given[i])
		}
		for j := range along {
			l := &along[j]
			*raw.As[raw.Ptr](raw.At(into, l.field)) = raw.At(l.first, row*l.size)
		}
		if c.Entities >= 0 || len(astray)+len(c.marks) > 0 {
			c.mark(raw.Slice[store.Entity](raw.At(handles, row*8), 1))
			e := *raw.As[store.Entity](raw.At(handles, row*8))
			for _, x := range astray {
				c.pointAt(x, e, into)
			}
			if c.Entities >= 0 {
				*raw.As[store.Entity](raw.At(into, uintptr(c.Entities))) = e
			}
		}
		if !call(into) {
			return false
		}
	}
	return true
}

// each is rows for the first n rows, at least one, of a chunk that has all columns: its
// addresses move on from row to row, never beyond the last.
func (c *Cursor) each(along []lane, handles raw.Ptr, n int, into raw.Ptr, call func(raw.Ptr) bool) bool {
	for j := range along {
		l := &along[j]
		l.next = raw.Address(l.first)
		*raw.As[raw.Ptr](raw.At(into, l.field)) = l.first
	}
	for i, entities := 0, c.Entities; ; {
		if entities >= 0 {
			*raw.As[store.Entity](raw.At(into, uintptr(entities))) = *raw.As[store.Entity](raw.At(handles, uintptr(i)*8))
		}
		if !call(into) {
			return false
		}
		if i++; i == n {
			return true
		}
		for j := range along {
			l := &along[j]
			l.next += l.size
			raw.SetAddress(raw.At(into, l.field), l.next)
		}
	}
}

// Point fills a struct of pointers for one entity that matches. It panics if the struct has
// what mustNotMeetLent refuses.
func (c *Cursor) Point(e store.Entity, into raw.Ptr) {
	if c.base.Walks.Busy != "" {
		c.mustNotMeetLent()
	}
	for j := range c.Columns {
		c.pointAt(&c.Columns[j], e, into)
	}
	if c.Entities >= 0 {
		*raw.As[store.Entity](raw.At(into, uintptr(c.Entities))) = e
	}
}

// pointAt fills a column's field for one entity: nil where it lacks the component.
func (c *Cursor) pointAt(x *Column, e store.Entity, into raw.Ptr) {
	at := raw.As[raw.Ptr](raw.At(into, x.Offset))
	l, ok := x.Comp.Loc(e)
	if !ok {
		*at = nil // it is optional
		return
	}
	*at = raw.At(x.Comp.At(l), x.Part.Offset)
	if x.Write {
		x.Comp.Written(e, l)
	}
}
