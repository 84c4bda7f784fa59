package query

import (
	"math/bits"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/internal/chunk"
)

// runs passes the rows of a chunk whose bits are set, run by run. The source has all columns
// as they are passed.
func (c *Cursor) runs(s *Source, id chunk.ID, es []store.Entity, words []uint64, into raw.Ptr, call func(raw.Ptr) bool) bool {
	along := c.along(s, id)
	for first, n := nextRun(words, 0); n > 0; first, n = nextRun(words, first+n) {
		for j := range along {
			l := &along[j]
			raw.SetSlice(into, uint32(l.field), raw.At(l.first, uintptr(first)*l.size), n)
		}
		if c.Entities >= 0 || len(c.Presences)+len(c.marks) > 0 {
			c.fillEntities(into, es[first:][:n])
			c.fillPresences(s, into, n)
		}
		if !call(into) {
			return false
		}
	}
	return true
}

// along returns the addresses of a chunk's columns, and marks those that are written.
func (c *Cursor) along(s *Source, id chunk.ID) []lane {
	along := c.lanes.along[:0]
	for j := range s.direct {
		d := &s.direct[j]
		cell := d.dir.Cell(id)
		along = append(along, lane{first: cell.Addr, field: uintptr(d.offset), size: uintptr(d.size)})
		if d.write {
			cell.Stamp = c.base.M.Tick()
		}
	}
	c.lanes.along = along
	return along
}

// nextRun returns the first run of rows with set bits, from a row on. It returns where the run
// begins and how long it is; 0 if no bit is set.
func nextRun(words []uint64, from int) (first, n int) {
	i := from / 64
	if i >= len(words) {
		return 0, 0
	}
	m := words[i] >> (from % 64) << (from % 64)
	for ; m == 0; m = words[i] {
		if i++; i == len(words) {
			return 0, 0
		}
	}
	first = i*64 + bits.TrailingZeros64(m)
	ends := ^words[i] >> (first % 64) << (first % 64)
	for ; ends == 0; ends = ^words[i] {
		if i++; i == len(words) {
			return first, i*64 - first
		}
	}
	return first, i*64 + bits.TrailingZeros64(ends) - first
}
