package ecs

import (
	"slices"
	"unsafe"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/views"
)

// certain tells whether gathering its columns answers whether a row of a source
// matches: nothing is excluded, and what is tested for is gathered.
func (q *query) certain(s *source) bool {
	if q.pointers || len(s.none)+len(s.with)+len(s.sans) > 0 {
		return false
	}
	for _, p := range s.all {
		if !slices.ContainsFunc(q.columns, func(c column) bool { return c.pool == p && !c.optional }) {
			return false
		}
	}
	return true
}

// fillWhole fills the struct with all rows of a chunk, what the sequence has as it
// lies and the rest gathered, if they all match. Columns under an alias are left to
// callWhole.
func (q *query) fillWhole(s *source, i int, id chunk.ID, handles []Entity, into unsafe.Pointer) bool {
	n := len(handles)
	q.aliased = false
	for j := range q.columns {
		c := &q.columns[j]
		switch {
		case c.inPlace(s, j):
			c.data = c.pool.c.Dir.Addr(id)
		case q.aliasOf(j, handles):
			c.data, q.aliased = nil, true
			continue
		default:
			if c.data = q.fillColumn(j, i, id, handles); c.data == nil {
				return false
			}
		}
		*(*header)(unsafe.Add(into, c.offset)) = header{c.data, n, n}
	}
	for j := range q.columns {
		if c := &q.columns[j]; c.write && c.inPlace(s, j) {
			c.pool.c.Dir.Cell(id).Stamp = q.w.m.Tick()
		}
	}
	if q.entities >= 0 {
		*(*header)(unsafe.Add(into, q.entities)) = header{unsafe.Pointer(unsafe.SliceData(handles)), n, n}
	}
	for _, p := range q.presences {
		c := &q.columns[p.column]
		if c.inPlace(s, p.column) {
			c.findPresence(handles)
		}
		*(*Presence)(unsafe.Add(into, p.offset)) = Presence{c.presence}
	}
	return true
}

// callWhole calls with what fillWhole has filled, and scatters what was written: in one
// call, or a call for each stretch of rows for which the columns under an alias lie
// side by side in one of the owner's chunks.
func (q *query) callWhole(s *source, handles []Entity, into unsafe.Pointer, call func(unsafe.Pointer) bool) bool {
	more := true
	if !q.aliased {
		more = call(into)
	}
	for row := 0; q.aliased && more && row < len(handles); {
		n := len(handles) - row
		for j := range q.columns {
			if c := &q.columns[j]; c.data == nil {
				l, run := follow(c.pool, handles[row:][:n])
				n = run
				(*header)(unsafe.Add(into, c.offset)).data = c.pool.c.At(l)
			} else {
				(*header)(unsafe.Add(into, c.offset)).data = unsafe.Add(c.data, uintptr(row)*c.part.size)
			}
		}
		if q.entities >= 0 {
			*(*header)(unsafe.Add(into, q.entities)) = header{unsafe.Pointer(&handles[row]), n, n}
		}
		for j := range q.columns {
			h := (*header)(unsafe.Add(into, q.columns[j].offset))
			h.len, h.cap = n, n
		}
		more = call(into)
		row += n
	}
	q.scatterAll(s, handles)
	return more
}

// runs is how many stretches follow would return for a chunk's rows, or -1 if some row
// lacks the component.
func (c *column) runs(handles []Entity) (n int) {
	next := memmgr.Loc(0)
	for _, e := range handles {
		l, ok := c.pool.c.Loc(e)
		if !ok {
			return -1
		}
		if l != next {
			n++
		}
		next = l.Plus(1)
	}
	return n
}

// aliasOf tells whether a column is to be passed as it lies in its owner's chunks: if
// that is the strategy, and its rows lie there in long stretches.
func (q *query) aliasOf(j int, handles []Entity) bool {
	if q.serving == nil || q.serving.by(j, views.Alias) == nil {
		return false
	}
	n := q.columns[j].runs(handles)
	return n >= 0 && n <= 1+len(handles)/aliasRun
}

// aliasRun is how long the stretches under an alias have to be on average.
const aliasRun = 128

// follow returns where the first entity's value is, and how many of those after it have
// theirs right behind it. All must have the component.
func follow(p *pool, handles []Entity) (l memmgr.Loc, n int) {
	l, _ = p.c.Loc(handles[0])
	for n = 1; n < len(handles); n++ {
		if next, _ := p.c.Loc(handles[n]); next != l.Plus(uint32(n)) {
			break
		}
	}
	return l, n
}
