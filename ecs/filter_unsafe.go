package ecs

import (
	"unsafe"

	"github.com/ashlar-go/ashlar/chunk"
)

// filter goes over a sequence of which some rows may not match, or which lacks
// columns: matching rows are passed as they lie where they make long runs, and
// gathered otherwise.
func (q *query) filter(s *source, into unsafe.Pointer, call func(unsafe.Pointer) bool) bool {
	for i := range q.columns {
		c := &q.columns[i]
		c.find()
		if !q.pointers {
			c.pool.c.Lent++
		}
	}
	certain := q.certain(s)
	if certain {
		q.serving = q.serve(s.group)
	}
	start := q.serving.begin()
	walked, met, misses := 0, 0, 0
	defer func() {
		for i := range q.columns {
			if !q.pointers {
				q.columns[i].pool.c.Lent--
			}
		}
		q.met += met
		if q.noted != nil {
			q.noted.visit(s.seq, met, walked)
		}
		q.serving.end(q.w, met, walked, start)
		q.serving = nil
	}()
	for i := range s.seq.ChunkCount() {
		id, n := s.seq.Chunk(i)
		handles := q.w.s.Entities(id, n)
		if i == 0 && q.serving != nil && q.w.frame >= q.serving.looked {
			q.look(q.serving, handles)
		}
		if certain && q.fillWhole(s, i, id, handles, into) {
			walked, met = walked+1, met+n
			if !q.callWhole(s, handles, into, call) {
				return false
			}
			continue
		}
		if certain { // some row lacks a component, and others may too
			misses++
			certain = misses <= i/4
		}
		rows, runs := s.match(q.matching[:0], i, handles)
		q.matching = rows
		m := q.matching
		if met += len(m); len(m) > 0 {
			walked++
		}
		switch {
		case len(m) == 0:
		case q.pointers:
			if !q.rows(q.columns, s.place, id, len(m), m, into, call) {
				return false
			}
		case runs*q.w.options.RunLength <= len(m):
			for len(m) > 0 {
				k := 1
				for k < len(m) && m[k] == m[0]+uint16(k) {
					k++
				}
				if !q.batch(s, m[:k], true, id, into, call) {
					return false
				}
				m = m[k:]
			}
		default:
			if !q.batch(s, m, runs == 1, id, into, call) {
				return false
			}
		}
	}
	return true
}

// batch passes the given rows of a chunk: columns that the sequence has are passed
// as they lie if the rows are one run, everything else is gathered before the
// call and, where written, scattered after it.
func (q *query) batch(s *source, rows []uint16, run bool, id chunk.ID, into unsafe.Pointer, call func(unsafe.Pointer) bool) bool {
	n := len(rows)
	handles := unsafe.Slice((*Entity)(q.w.s.IDs.Addr(id)), int(rows[n-1])+1)[rows[0]:]
	if !run {
		q.handles = q.handles[:0]
		for _, row := range rows {
			q.handles = append(q.handles, handles[row-rows[0]])
		}
		handles = q.handles
	}
	if q.entities >= 0 {
		*(*header)(unsafe.Add(into, q.entities)) = header{unsafe.Pointer(unsafe.SliceData(handles)), n, n}
	}
	for j := range q.columns {
		c := &q.columns[j]
		h := header{nil, n, n}
		switch {
		case !c.inPlace(s, j):
			h.data = c.gather(handles[:n])
		case run:
			cell := c.pool.c.Dir.Cell(id)
			h.data = unsafe.Add(cell.Addr, uintptr(rows[0])*c.pool.size)
			if c.write {
				cell.Stamp = q.w.m.Tick()
			}
		default:
			h.data = c.pick(c.pool.c.Dir.Addr(id), rows)
		}
		*(*header)(unsafe.Add(into, c.offset)) = h
	}
	for _, p := range q.presences {
		c := &q.columns[p.column]
		if c.inPlace(s, p.column) {
			c.findPresence(handles[:n])
		}
		*(*Presence)(unsafe.Add(into, p.offset)) = Presence{c.presence}
	}
	more := call(into)
	tick := q.w.m.Tick()
	for j := range q.columns {
		switch c := &q.columns[j]; {
		case !c.write:
		case !c.inPlace(s, j):
			c.scatter(handles[:n], tick)
		case !run:
			c.putBack(c.pool.c.Dir.Cell(id), rows, tick)
		}
	}
	return more
}

// scatterAll copies what was written to gathered columns back.
func (q *query) scatterAll(s *source, handles []Entity) {
	for j := range q.columns {
		if c := &q.columns[j]; c.write && !c.inPlace(s, j) {
			c.scatter(handles, q.w.m.Tick())
		}
	}
}
