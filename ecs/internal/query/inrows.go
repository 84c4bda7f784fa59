package query

import "github.com/ashlar-go/ashlar/ecs/internal/raw"

// first are the numbers of a chunk's first n rows.
func (c *Cursor) first(n int) []uint16 {
	for i := len(c.all); i < n; i++ {
		c.all = append(c.all, uint16(i))
	}
	return c.all[:n]
}

// inRows goes over a source for a struct with a field for the numbers of matching rows.
// Columns are passed chunk by chunk in place, whatever rows match. Columns that the source
// lacks are gathered for all rows of a chunk.
func (c *Cursor) inRows(s *Source, into raw.Ptr, call func(raw.Ptr) bool) bool {
	tested := s.tested() || c.tests.hide != nil
	if tested && s.idle() {
		return true
	}
	if tested {
		c.find(&c.tests, s)
	}
	c.met, c.walked = 0, 0
	if !s.plain {
		c.lend(1)
	}
	c.findFew(s)
	c.broken = !s.plain
	defer c.leave(s, !s.plain)
	more := c.numbered(s, tested, into, call)
	c.broken = false
	return more
}

// numbered is inRows once values are lent.
func (c *Cursor) numbered(s *Source, tested bool, into raw.Ptr, call func(raw.Ptr) bool) bool {
	for i := range s.Seq.ChunkCount() {
		id, n := s.Seq.Chunk(i)
		if len(s.near) > 0 && !s.fresh(id, c.since) {
			continue
		}
		es := c.base.S.Entities(id, n)
		var rows []uint16
		if tested {
			words, _, _ := c.tests.match(i*s.Table.Stride(), es)
			rows = raw.Numbers(c.matching[:0], words, 0)
		} else {
			rows = append(c.matching[:0], c.first(n)...) // a copy: the system may write it
		}
		c.matching = rows
		if len(rows) == 0 {
			continue
		}
		c.met += len(rows)
		c.walked++
		tick := c.base.M.Tick()
		c.batch++
		for j := range c.Columns {
			x, g := &c.Columns[j], &c.columns[j]
			var data raw.Ptr
			switch {
			case s.place == nil || c.inPlace(s, j):
				cell := s.direct[j].dir.Cell(id)
				if data = cell.Addr; x.Write {
					cell.Stamp = tick
				}
			case s.place[j] == Nowhere:
				data = g.zeros(x, n)
			case g.few.marks != nil:
				data = c.gatherFew(s, i, j, es, nil)
			case s.place[j] != Absent:
				data = g.pick(x, id, c.first(n))
				c.stamp(x, id)
			default:
				data = c.gather(j, es, nil, false)
			}
			if s.place != nil && s.gap(j, x) {
				g.allOf(s.bits(x.Comp, i), n)
				g.blank(data, x.Part.Size, n)
			}
			raw.SetSlice(into, uint32(x.Offset), data, n)
		}
		raw.SetSlice(into, uint32(c.Rows), raw.Data(rows), len(rows))
		c.showEntities(into, es)
		if len(c.marks) > 0 {
			for _, row := range rows {
				c.mark(es[row:][:1])
			}
		}
		c.fillPresences(s, into, n)
		more := call(into)
		if !s.plain {
			c.putAll(s, id, es)
		}
		if !more {
			return false
		}
	}
	return true
}
