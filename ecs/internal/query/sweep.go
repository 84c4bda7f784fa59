package query

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/internal/chunk"
	"github.com/ashlar-go/ashlar/internal/memmgr"
	"github.com/ashlar-go/ashlar/internal/views"
)

// aheadBytes is how much of each column of the next batch is prefetched before this one is
// passed. Otherwise the processor has to notice each run of lines by itself. That costs more
// than a microsecond at the beginning of each chunk. It is no more than a first level of cache
// has room for, several columns at a time.
const aheadBytes = 32 * chunk.Line

// sweep passes all rows of a source that has every column for every row, with nothing to test.
// Adjacent chunks are one batch.
func (c *Cursor) sweep(s *Source, into raw.Ptr, call func(raw.Ptr) bool) bool {
	seq := s.Seq
	if c.Pointers {
		for id, n := range seq.Chunks() {
			if !c.rows(s, id, n, nil, into, call) {
				return false
			}
		}
		return true
	}
	ds := s.direct
	plain := c.Entities < 0 && len(c.Presences)+len(c.marks) == 0
	count := seq.ChunkCount()
	for i := 0; i < count; {
		id, n := seq.Chunk(i)
		beside := seq.Beside(i)
		if beside > 1 {
			_, last := seq.Chunk(i + beside - 1)
			n = (beside-1)*seq.Capacity() + last
		}
		batch(ds, seq, i, beside, n, into, c.base.M.Tick())
		if i += beside; i < count {
			ahead(ds, seq, i)
		}
		if !plain {
			c.fillEntities(into, raw.Slice[store.Entity](c.base.S.IDs.Addr(id), n))
			c.fillPresences(s, into, n)
		}
		if c.Fn != nil {
			c.Fn(into)
			c.Passed++
		} else if !call(into) {
			return false
		}
	}
	return true
}

// batch fills the struct with n rows, of so many chunks side by side from the i-th on.
func batch(ds []direct, seq *memmgr.Sequence, i, chunks, n int, into raw.Ptr, tick uint64) {
	id, _ := seq.Chunk(i)
	for j := range ds {
		d := &ds[j]
		cell := d.dir.Cell(id)
		raw.SetSlice(into, d.offset, cell.Addr, n)
		if !d.write {
			continue
		}
		cell.Stamp = tick
		for k := 1; k < chunks; k++ {
			id, _ := seq.Chunk(i + k)
			d.dir.Cell(id).Stamp = tick
		}
	}
}

// ahead asks for the beginnings of the i-th chunk's columns.
func ahead(ds []direct, seq *memmgr.Sequence, i int) {
	id, n := seq.Chunk(i)
	for j := range ds {
		views.Prefetch(ds[j].dir.Addr(id), min(uintptr(n)*uintptr(ds[j].size), aheadBytes))
	}
}

// fillEntities fills the field for entities, if there is one, for rows that are all passed to
// be written, if anything is.
func (c *Cursor) fillEntities(into raw.Ptr, es []store.Entity) {
	c.showEntities(into, es)
	if len(c.marks) > 0 {
		c.mark(es)
	}
}

// showEntities is fillEntities alone.
func (c *Cursor) showEntities(into raw.Ptr, es []store.Entity) {
	if c.Entities >= 0 {
		raw.SetSlice(into, uint32(c.Entities), raw.Data(es), len(es))
	}
}
