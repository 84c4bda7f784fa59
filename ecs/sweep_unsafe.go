package ecs

import (
	"unsafe"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/views"
)

// aheadBytes is how much of each column of the next batch is asked for before a system
// gets this one: the processor has to notice each run of lines by itself otherwise, which
// costs more than a microsecond at the beginning of each chunk. It is no more than a first
// level of cache has room for, several columns at a time.
const aheadBytes = 32 * chunk.Line

// sweep goes over a sequence that has every column for every row, with nothing to
// test: the columns are the chunks' own. Chunks that lie side by side are one batch.
func (q *query) sweep(f *fixed, into unsafe.Pointer, call func(unsafe.Pointer) bool) bool {
	s := f.seq
	if q.noted != nil {
		q.noted.visit(s, s.Len(), s.ChunkCount())
	}
	if q.pointers {
		for id, n := range s.Chunks() {
			if !q.rows(f.columns, nil, id, n, nil, into, call) {
				return false
			}
		}
		return true
	}
	tick := q.w.m.Tick()
	plain := q.entities < 0 && len(q.presences) == 0
	count := s.ChunkCount()
	for i := 0; i < count; {
		id, n := s.Chunk(i)
		beside := s.Beside(i)
		if beside > 1 {
			_, last := s.Chunk(i + beside - 1)
			n = (beside-1)*s.Capacity() + last
		}
		f.batch(s, i, beside, n, into, tick)
		if i += beside; i < count {
			f.ahead(s, i)
		}
		if !plain {
			q.extras(f.columns, id, 0, n, into)
		}
		if q.fn != nil {
			q.fn(into)
			q.passed++
		} else if !call(into) {
			return false
		}
	}
	return true
}

// batch fills the struct with n rows, of so many chunks side by side from the i-th on.
func (f *fixed) batch(s *memmgr.Sequence, i, chunks, n int, into unsafe.Pointer, tick uint64) {
	id, _ := s.Chunk(i)
	ds := f.direct // read once
	for j := range ds {
		d := &ds[j]
		cell := d.dir.Cell(id)
		h := (*header)(unsafe.Add(into, d.offset))
		h.data, h.len, h.cap = cell.Addr, n, n
		if !d.write {
			continue
		}
		cell.Stamp = tick
		for k := 1; k < chunks; k++ {
			id, _ := s.Chunk(i + k)
			d.dir.Cell(id).Stamp = tick
		}
	}
}

// ahead asks for the beginnings of the i-th chunk's columns.
func (f *fixed) ahead(s *memmgr.Sequence, i int) {
	id, n := s.Chunk(i)
	for j := range f.columns {
		p := f.columns[j].pool
		views.Prefetch(p.c.Dir.Addr(id), min(uintptr(n)*p.size, aheadBytes))
	}
}
