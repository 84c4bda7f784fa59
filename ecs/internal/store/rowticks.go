package store

import (
	"fmt"
	"math"

	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// A component whose queries ask for single rows has a tick by index of an entity, beside the
// stamps by chunk: 4 bytes, in pages that are made when something there is marked first. What
// is marked follows an entity wherever its rows go, so whatever moves rows need not know of it.
//
//	index  3     4     7          tick = base + what is noted; 0: at base, or before
//	noted  0   120   118          base moves on before a tick does not fit in 32 bits
//
// Stamps by chunk say where to look. A row counts as changed if its chunk and its tick do.
type rowTicks struct {
	pages []*[ticksPage]uint32 // by index; nil: nothing there is marked
	base  uint64
}

// ticksPage is how many entities have their ticks on one page.
const ticksPage = 1024

// AskRows notes in which tick each row's value of a watched component is written from now on,
// or, with added, in which tick each entity gets it.
func (s *Store) AskRows(c *Component, added bool) {
	x := &c.writtenRows
	if added {
		x = &c.addedRows
	}
	if *x == nil {
		*x = &rowTicks{base: s.m.Tick() - 1}
		s.asked = true
	}
}

// AsksRows tells whether some component's ticks are noted row by row.
func (s *Store) AsksRows() bool { return s.asked }

// AsksRows tells whether it is noted row by row what is written.
func (c *Component) AsksRows() bool { return c.writtenRows != nil }

// RowChangedAt is the tick of the last write to an entity's value, or an earlier one than any
// since AskRows was called.
func (c *Component) RowChangedAt(e Entity) uint64 { return c.writtenRows.at(e.Index()) }

// RowAddedAt is the tick in which an entity got the component, likewise.
func (c *Component) RowAddedAt(e Entity) uint64 { return c.addedRows.at(e.Index()) }

// NarrowChanged leaves those bits, one for each entity, whose value was written after a tick, or,
// with added, which entities got the component.
func (c *Component) NarrowChanged(words []uint64, es []Entity, added bool, since uint64) {
	if added {
		c.addedRows.narrow(words, es, since)
	} else {
		c.writtenRows.narrow(words, es, since)
	}
}

// Written notes that an entity's value at l is written.
func (c *Component) Written(e Entity, l memmgr.Loc) {
	c.Dir.CellOf(l).Stamp = c.s.m.Tick()
	if c.writtenRows != nil {
		c.writtenRows.mark(c.s.m.Tick(), e)
	}
}

// writtenRun is Written for n rows from l on.
func (c *Component) writtenRun(l memmgr.Loc, n int) {
	c.Dir.CellOf(l).Stamp = c.s.m.Tick()
	if c.writtenRows != nil {
		c.MarkRows(c.s.entitiesAt(l, n))
	}
}

// MarkRows notes that values of entities are written, of a component that is asked for. Their
// chunks are the caller's.
func (c *Component) MarkRows(es []Entity) { c.writtenRows.mark(c.s.m.Tick(), es...) }

// at is the tick of an index.
func (x *rowTicks) at(i uint32) uint64 {
	if k := int(i / ticksPage); k < len(x.pages) && x.pages[k] != nil {
		return x.base + uint64(x.pages[k][i%ticksPage])
	}
	return x.base
}

// mark notes a tick for entities.
func (x *rowTicks) mark(tick uint64, es ...Entity) {
	if tick-x.base > math.MaxUint32 {
		x.rebase(tick)
	}
	v := uint32(tick - x.base)
	last, page := -1, (*[ticksPage]uint32)(nil)
	for _, e := range es {
		i := e.Index()
		if k := int(i / ticksPage); k != last { // seldom: entities of a chunk share pages
			last, page = k, x.page(k)
		}
		page[i%ticksPage] = v
	}
}

// page is the k-th page, which is made if there is none.
func (x *rowTicks) page(k int) *[ticksPage]uint32 {
	for len(x.pages) <= k {
		x.pages = append(x.pages, nil)
	}
	if x.pages[k] == nil {
		x.pages[k] = new([ticksPage]uint32)
	}
	return x.pages[k]
}

// narrow leaves those bits, one for each entity, of which the tick is later than another one.
func (x *rowTicks) narrow(words []uint64, es []Entity, since uint64) {
	if since < x.base {
		return // so long ago that all may be
	}
	past := since - x.base
	last, page := -1, (*[ticksPage]uint32)(nil)
	for w, left := range words {
		for m := left; m != 0; m &= m - 1 {
			b := trailingZeros(m)
			i := es[w*64+b].Index()
			if k := int(i / ticksPage); k != last {
				if last, page = k, nil; k < len(x.pages) {
					page = x.pages[k]
				}
			}
			if page == nil || uint64(page[i%ticksPage]) <= past {
				left &^= 1 << b
			}
		}
		words[w] = left
	}
}

// rebase makes room for ticks up to 2³¹ later than one. An age of 2³¹ ticks is the highest that
// is kept. A query that has not run for as long sees too many rows, never too few.
func (x *rowTicks) rebase(tick uint64) {
	by := tick - x.base - 1<<31
	x.base += by
	for _, p := range x.pages {
		if p == nil {
			continue
		}
		for i, v := range p {
			p[i] = uint32(uint64(v) - min(uint64(v), by))
		}
	}
}

// drop lets go of pages on which nothing is kept.
func (x *rowTicks) drop(kept func(i uint32) bool) {
	if x == nil {
		return
	}
	for k, p := range x.pages {
		used := false
		for i := uint32(0); p != nil && i < ticksPage && !used; i++ {
			used = p[i] != 0 && kept(uint32(k)*ticksPage+i)
		}
		if !used {
			x.pages[k] = nil
		}
	}
}

// dropTicks lets go of the ticks of those that lack a component.
func (s *Store) dropTicks() {
	for _, c := range s.comps {
		has := func(i uint32) bool { e := s.ids.At(i); return e != 0 && c.Has(e) }
		c.writtenRows.drop(has)
		c.addedRows.drop(has)
	}
}

// checkTicks looks for rows that have changed, by their ticks, and whose chunks have not.
func (c *Component) checkTicks() error {
	if c.writtenRows == nil && c.addedRows == nil {
		return nil
	}
	for _, t := range c.tables {
		for id, n := range t.Seq.Chunks() {
			l := c.s.locAt(id, 0)
			for _, e := range c.s.Entities(id, n) {
				if at, _ := c.Loc(e); at.Chunk() != id {
					continue // it lacks the component, or has it elsewhere
				}
				if x := c.writtenRows; x != nil && x.at(e.Index()) > max(x.base, c.ChangedAt(l)) {
					return fmt.Errorf("%v was written in tick %d, and its chunk says %d", e, x.at(e.Index()), c.ChangedAt(l))
				}
				if x := c.addedRows; x != nil && x.at(e.Index()) > max(x.base, c.AddedAt(l)) {
					return fmt.Errorf("%v was added in tick %d, and its chunk says %d", e, x.at(e.Index()), c.AddedAt(l))
				}
			}
		}
	}
	return nil
}
