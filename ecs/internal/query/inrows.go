package query

import (
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// firstRows are the numbers of a chunk's rows, as many as one can have.
func firstRows() []uint16 {
	rows := make([]uint16, chunk.MaxRows)
	for i := range rows {
		rows[i] = uint16(i)
	}
	return rows
}

// inRows goes over a source for a struct with a field for the numbers of matching rows:
// columns are passed chunk by chunk as they lie, whatever rows match. What the source lacks
// is gathered for all rows of a chunk.
func (c *Cursor) inRows(s *Source, into raw.Ptr, call func(raw.Ptr) bool) bool {
	tested := s.tested()
	if tested && s.idle() {
		return true
	}
	if tested {
		c.tests.find(s)
	} else if c.all == nil {
		c.all = firstRows()
	}
	c.met, c.walked = 0, 0
	if !s.own {
		c.lend(1)
	}
	c.broken = !s.own
	defer c.leave(s, !s.own)
	more := c.numbered(s, tested, into, call)
	c.broken = false
	return more
}

// numbered is inRows once values are lent.
func (c *Cursor) numbered(s *Source, tested bool, into raw.Ptr, call func(raw.Ptr) bool) bool {
	for i := range s.Seq.ChunkCount() {
		id, n := s.Seq.Chunk(i)
		es := c.base.S.Entities(id, n)
		rows := append(c.matching[:0], c.all[:min(n, len(c.all))]...) // a copy: the system may write it
		c.matching = rows
		if tested {
			rows, _ = c.tests.match(c.matching[:0], i*s.Table.Stride(), es)
			c.matching = rows
		}
		if len(rows) == 0 {
			continue
		}
		c.met += len(rows)
		c.walked++
		tick := c.base.M.Tick()
		for j := range c.Columns {
			x := &c.Columns[j]
			var data raw.Ptr
			if s.own || s.inPlace(j, x) {
				cell := s.direct[j].dir.Cell(id)
				if data = cell.Addr; x.Write {
					cell.Stamp = tick
				}
				if s.gap(j, x) {
					g := &c.columns[j]
					g.allOf(s.bits(x.Comp, i), n)
					g.blank(data, x.Comp.Size, n)
				}
			} else {
				data = c.gathered(j).gather(es)
			}
			raw.SetSlice(into, uint32(x.Offset), data, n)
		}
		raw.SetSlice(into, uint32(c.Rows), raw.Data(rows), len(rows))
		c.fillEntities(into, es)
		c.fillPresences(s, into, n)
		more := call(into)
		for j := range c.Columns {
			if x := &c.Columns[j]; x.Write && !s.own && !s.inPlace(j, x) {
				c.columns[j].scatter(es, tick)
			}
		}
		if !more {
			return false
		}
	}
	return true
}
