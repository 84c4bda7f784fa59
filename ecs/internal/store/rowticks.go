package store

import (
	"math"

	"github.com/ashlar-go/ashlar/memmgr"
)

// AsksRows tells whether some component's ticks are noted row by row.
func (s *Store) AsksRows() bool { return s.notesRows }

// AsksRows tells whether writes are noted row by row.
func (c *Component) AsksRows() bool { return c.noted != nil && c.writtenRows != nil }

// RowChangedAt is the tick of the last write to an entity's value. If that was before AskRows, it is
// an earlier tick than any since. AsksRows must be true.
func (c *Component) RowChangedAt(e Entity) uint64 { return c.writtenRows.at(e.Index()) }

// RowAddedAt is the tick in which an entity got the component, likewise.
func (c *Component) RowAddedAt(e Entity) uint64 { return c.addedRows.at(e.Index()) }

// NarrowChanged clears the bits of entities with a value that was not written after the tick since. With
// added it asks when they got the component. Bit i of the words is es[i]. It costs one look for each
// bit that is set.
func (c *Component) NarrowChanged(words []uint64, es []Entity, added bool, since uint64) {
	if added {
		c.addedRows.narrow(words, es, since)
	} else {
		c.writtenRows.narrow(words, es, since)
	}
}

// Written notes that an entity's value at l is written: the stamp of the chunk, and the tick of the
// entity if a query asks for it. Writers call it before or after the write, within the same tick.
func (c *Component) Written(e Entity, l memmgr.Loc) {
	c.Dir.CellOf(l).Stamp = c.now()
	if c.AsksRows() {
		c.writtenRows.mark(c.store.manager.Tick(), e)
	}
}

// WriteIn has values that are written where they lie, by handle or by a query, be written in a tick of a system beside
// others; 0: in the manager's. No other system may use the component then.
func (c *Component) WriteIn(tick uint64) {
	c.writing.tick = tick
	c.store.manager.MarkIn(&c.Dir, &c.mark, tick)
}

// WriteTick is the tick that WriteIn was given.
func (c *Component) WriteTick() uint64 { return c.writing.tick }

// now is the tick of values that are written by handle.
func (c *Component) now() uint64 {
	if c.writing.tick > 0 {
		return c.writing.tick
	}
	return c.store.manager.Tick()
}

// writtenRun is Written for n rows from l on.
func (c *Component) writtenRun(l memmgr.Loc, n int) {
	c.Dir.CellOf(l).Stamp = c.store.manager.Tick()
	if c.AsksRows() {
		c.MarkRows(c.store.entitiesAt(l, n))
	}
}

// MarkRows notes that values of entities are written, of a component that is asked for. Their
// chunks are the caller's.
func (c *Component) MarkRows(es []Entity) { c.writtenRows.mark(c.store.manager.Tick(), es...) }

// at is the tick of an index; base if nothing is noted.
func (x *rowTicks) at(i uint32) uint64 {
	if k := int(i / ticksPage); k < len(x.pages) && x.pages[k] != nil {
		return x.base + uint64(x.pages[k][i%ticksPage])
	}
	return x.base
}

// mark notes a tick for entities. Ticks never go back, so a mark only raises. It allocates pages that
// are missing.
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

// narrow clears the bits of entities with a tick not later than since. A tick before base keeps all
// bits, because older marks are not told apart.
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

// drop frees pages on which no index is kept. It does nothing for nil, which is a component that is
// not asked for.
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

// dropTicks frees the ticks of entities that lack the component.
func (s *Store) dropTicks() {
	for _, c := range s.comps {
		if c.noted == nil {
			continue
		}
		has := func(i uint32) bool { e := s.ids.At(i); return e != 0 && c.Has(e) }
		c.writtenRows.drop(has)
		c.addedRows.drop(has)
	}
}
