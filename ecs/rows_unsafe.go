package ecs

import (
	"unsafe"

	"github.com/ashlar-go/ashlar/chunk"
)

// lanes is what a struct of pointers is filled from along the rows of a chunk.
type lanes struct {
	along  []lane    // columns of the chunk
	astray []*column // those that lie elsewhere, which each row has to be asked for
}

// lane is a field of the struct and the column that it goes along.
type lane struct {
	first       unsafe.Pointer // the value of the chunk's row 0
	field, size uintptr        // offset of the field; from one value to the next
}

// lay fills lanes for a chunk, which has the columns as place says; nil: all of them. It
// marks the columns that are written.
func (q *query) lay(columns []column, place []int8, id chunk.ID) {
	tick, l := q.w.m.Tick(), &q.lanes
	l.along, l.astray = l.along[:0], l.astray[:0]
	for j := range columns {
		c := &columns[j]
		if place != nil && place[j] != fixedIn && (place[j] == absent || c.optional) {
			l.astray = append(l.astray, c)
			continue
		}
		cell := c.pool.c.Dir.Cell(id)
		l.along = append(l.along, lane{unsafe.Add(cell.Addr, c.part.offset), c.offset, c.pool.size})
		if c.write {
			cell.Stamp = tick
		}
	}
}

// rows calls with the struct of pointers for n rows of a chunk: the given ones, or the
// first if none are given.
func (q *query) rows(columns []column, place []int8, id chunk.ID, n int, given []uint16, into unsafe.Pointer, call func(unsafe.Pointer) bool) bool {
	q.lay(columns, place, id)
	along, astray, handles := q.lanes.along, q.lanes.astray, q.w.s.IDs.Addr(id)
	for i := range n {
		row := uintptr(i)
		if given != nil {
			row = uintptr(given[i])
		}
		for j := range along {
			l := &along[j]
			*(*unsafe.Pointer)(unsafe.Add(into, l.field)) = unsafe.Add(l.first, row*l.size)
		}
		if q.entities >= 0 || len(astray) > 0 {
			e := *(*Entity)(unsafe.Add(handles, row*8))
			for _, c := range astray {
				c.point(e, into)
			}
			if q.entities >= 0 {
				*(*Entity)(unsafe.Add(into, q.entities)) = e
			}
		}
		if !call(into) {
			return false
		}
	}
	return true
}

// point fills a struct of pointers for one entity that matches.
func (q *query) point(e Entity, into unsafe.Pointer) {
	for j := range q.columns {
		q.columns[j].point(e, into)
	}
	if q.entities >= 0 {
		*(*Entity)(unsafe.Add(into, q.entities)) = e
	}
}

// point fills the column's field for one entity: nil where it lacks the component.
func (c *column) point(e Entity, into unsafe.Pointer) {
	at, p := (*unsafe.Pointer)(unsafe.Add(into, c.offset)), c.pool
	l, ok := p.c.Loc(e)
	if !ok {
		*at = nil // it is optional
		return
	}
	cell := p.c.Dir.CellOf(l)
	*at = unsafe.Add(cell.Addr, l.Index()*p.size+c.part.offset)
	if c.write {
		cell.Stamp = p.w.m.Tick()
	}
}
