package query

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/internal/chunk"
	"github.com/ashlar-go/ashlar/internal/views"
)

// filter goes over a source of which some rows may not match, or which lacks columns. Matching
// rows are passed in place if they make long runs, and gathered otherwise.
func (c *Cursor) filter(s *Source, into raw.Ptr, call func(raw.Ptr) bool) bool {
	c.met, c.walked = 0, 0
	inPlace := s.given || s.plain && c.tests.hide == nil && !s.tested() // all is passed as it lies
	lent := !c.Pointers && !inPlace
	c.enter(s, lent)
	c.findFew(s)
	c.broken = lent
	defer c.leave(s, lent)
	more := c.filtered(s, into, call)
	c.broken = false
	return more
}

// filtered is filter once values are lent.
func (c *Cursor) filtered(s *Source, into raw.Ptr, call func(raw.Ptr) bool) bool {
	certain := s.certain
	misses, known, looked := 0, false, false
	c.held.clear()
	for i := range s.Seq.ChunkCount() {
		id, n := s.Seq.Chunk(i)
		if len(s.near) > 0 && !s.fresh(id, c.since) {
			continue
		}
		es := c.base.S.Entities(id, n)
		if !looked && c.serving != nil {
			c.serving.Look(es)
			looked = true
		}
		whole := certain && (c.tests.hide == nil || c.tests.hide.all(i*s.Table.Stride(), n))
		if whole && c.fillWhole(s, i, id, es, into) {
			c.walked, c.met = c.walked+1, c.met+n
			if !c.callWhole(s, id, es, into, call) {
				return false
			}
			continue
		}
		if whole { // some row lacks a component, and others may too
			misses++
			certain = misses <= i/4
		}
		words := c.seek(s, i, id, es)
		met, runs := runsOf(words)
		if c.seeks = words != nil; !c.seeks {
			if !known {
				c.find(&c.tests, s)
				known = true
			}
			words, met, runs = c.tests.match(i*s.Table.Stride(), es)
		}
		if met == 0 {
			continue
		}
		c.met += met
		c.walked++
		long := runs == 1 || runs*c.base.RunLength <= met
		if s.plain && !c.Pointers {
			if !long && !s.given {
				c.ask(s, i+1)
				if !c.hold(s, i, id, words, into, call) {
					return false
				}
			} else if !c.passHeld(s, into, call) || !c.runs(s, id, es, words, into, call) {
				return false
			}
			continue
		}
		rows := raw.Numbers(c.matching[:0], words, 0)
		c.matching = rows
		switch {
		case c.Pointers:
			if !c.rows(s, id, len(rows), rows, into, call) {
				return false
			}
		case runs == 1 || !long:
			if !long && !c.seeks { // the tests may be another source's
				c.ask(s, i+1)
			}
			if !c.pass(s, i, es, rows, runs == 1, into, call) {
				return false
			}
		default:
			for len(rows) > 0 {
				k := 1
				for k < len(rows) && rows[k] == rows[0]+uint16(k) {
					k++
				}
				if !c.pass(s, i, es, rows[:k], true, into, call) {
					return false
				}
				rows = rows[k:]
			}
		}
	}
	return c.passHeld(s, into, call)
}

// askedChunks is how many chunks a table must have for ask: eight regions of them. Smaller ones lie
// in the second-level cache in part, and the processor sees some of their rows come: asking would
// only cost.
const askedChunks = 256

// ask asks for what is likely to be gathered of the i-th chunk, if there is one. The rows lie
// apart, so the processor does not see them come.
func (c *Cursor) ask(s *Source, i int) {
	if count := s.Seq.ChunkCount(); count < askedChunks || i >= count {
		return
	}
	id, n := s.Seq.Chunk(i)
	c.ahead = c.tests.likely(c.ahead[:0], i*s.Table.Stride(), n)
	for j := range c.Columns {
		if x := &c.Columns[j]; s.place[j].here() {
			views.PrefetchRows(c.ahead, raw.At(x.Comp.Dir.Addr(id), x.Part.Offset), x.Comp.Size)
		}
	}
}

// enter begins with a source that is filtered: where they are gathered, values of the columns are lent.
func (c *Cursor) enter(s *Source, lends bool) {
	if lends {
		c.lend(1)
	}
	if !c.Pointers && s.certain && !s.own && c.Serve != nil {
		if c.serving = c.Serve(s); c.serving != nil {
			c.serving.Begin()
		}
	}
}

// leave ends with a source, after a panic too.
func (c *Cursor) leave(s *Source, lent bool) {
	if lent {
		defer c.lend(-1) // Sealed names them
		if c.broken {
			c.tellSealed()
		}
	}
	c.Met += c.met
	if c.Visit != nil {
		c.Visit(s.Seq, c.met, c.walked)
	}
	if c.serving != nil {
		c.serving.End(c.met, c.walked)
		c.serving = nil
	}
}

// pass passes the given rows of the i-th chunk. If the rows are one run, whole columns that
// the source has are passed in place. All other columns are gathered before the call and, if
// they are written, put back after it.
func (c *Cursor) pass(s *Source, i int, es []store.Entity, rows []uint16, run bool, into raw.Ptr, call func(raw.Ptr) bool) bool {
	id, _ := s.Seq.Chunk(i)
	n, first := len(rows), uintptr(rows[0])
	c.batch++
	if !s.own || c.Entities >= 0 || len(c.Presences)+len(c.marks) > 0 {
		if run {
			es = es[first:][:n]
		} else {
			es = c.pickEntities(es, rows)
		}
		c.fillEntities(into, es)
	}
	if c.seeks {
		c.sift(rows)
	}
	for j := range c.Columns {
		x, g := &c.Columns[j], &c.columns[j]
		var data raw.Ptr
		switch {
		case g.few.marks != nil:
			data = c.gatherFew(s, i, j, es, rows)
		case s.place[j] == Absent:
			data = c.gather(j, es, nil, false)
		case s.place[j] == Nowhere:
			data = g.zeros(x, n)
		case run && c.inPlace(s, j):
			cell := x.Comp.Dir.Cell(id)
			data = raw.At(cell.Addr, first*x.Comp.Size)
			if x.Write {
				cell.Stamp = c.base.M.Tick()
			}
		default:
			data = g.pick(x, id, rows)
			c.stamp(x, id)
		}
		if s.gap(j, x) {
			g.present(s.bits(x.Comp, i), rows)
			g.blank(data, x.Part.Size, n)
		}
		raw.SetSlice(into, uint32(x.Offset), data, n)
	}
	c.fillPresences(s, into, n)
	more := call(into)
	tick := c.base.M.Tick()
	for j := range c.Columns {
		switch x, g := &c.Columns[j], &c.columns[j]; {
		case !x.Write || s.place[j] == Nowhere:
		case g.few.marks != nil:
			g.scatterFew(tick)
		case s.place[j] == Absent:
			c.scatter(j, es, tick)
		case !run || !c.inPlace(s, j):
			g.putBack(x, id, rows, tick)
		}
	}
	return more
}

// stamp marks the chunk of a column that is passed as a copy, to be written and put back, where
// it is noted row by row that it is: after a panic, too, rows have not changed without their chunk.
func (c *Cursor) stamp(x *Column, id chunk.ID) {
	if x.Write && len(c.marks) > 0 {
		x.Comp.Dir.Cell(id).Stamp = c.base.M.Tick()
	}
}

// pickEntities copies the entities of some rows side by side.
func (c *Cursor) pickEntities(es []store.Entity, rows []uint16) []store.Entity {
	c.handles = c.handles[:0]
	for _, row := range rows {
		c.handles = append(c.handles, es[row])
	}
	return c.handles
}

// fillPresences fills presence fields for n rows.
func (c *Cursor) fillPresences(s *Source, into raw.Ptr, n int) {
	for _, p := range c.Presences {
		g := &c.columns[p.Column]
		if s.place == nil || s.place[p.Column] == Fixed {
			g.allPresent(n)
		}
		*raw.As[[]uint64](raw.At(into, p.Offset)) = g.presence
	}
}
