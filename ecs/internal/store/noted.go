package store

import "github.com/ashlar-go/ashlar/memmgr"

// Watch keeps stamps of a component from now on, for good. A value written or added before counts as
// changed now, or not at all: a query that begins to look sees everything. Its tables are not bare any
// more, so moves of rows take the longer way.
func (s *Store) Watch(c *Component) {
	if c.noted != nil {
		return
	}
	c.noted = &noted{}
	for _, t := range c.tables {
		t.watched = append(t.watched, c)
		t.findBare()
	}
	s.ways++ // bundles have to know
}

// watchedComps returns the components of the table that are watched.
func (t *Table) watchedComps() (list []*Component) {
	for _, c := range t.comps() {
		if c.noted != nil {
			list = append(list, c)
		}
	}
	return list
}

// ChangedAt is the tick of the last write to a value of a chunk that has the column of a watched
// component. Rows of the chunk that were not written share it.
func (c *Component) ChangedAt(l memmgr.Loc) uint64 { return c.Dir.CellOf(l).Stamp }

// AddedAt is the last tick in which one of a chunk's entities got the component; 0 if that was never
// noted.
func (c *Component) AddedAt(l memmgr.Loc) uint64 {
	if i := int(l.Chunk()); i < len(c.noted.added) {
		return c.noted.added[i]
	}
	return 0
}

// setAdded sets that tick. The list grows to the number of the chunk.
func (c *Component) setAdded(l memmgr.Loc, tick uint64) {
	i := int(l.Chunk())
	if i >= len(c.noted.added) {
		c.noted.added = append(c.noted.added, make([]uint64, i+1-len(c.noted.added))...)
	}
	c.noted.added[i] = tick
}

// got notes that the entities of n rows from l on have got a watched component. The rows lie in one
// chunk, and their entities are written already. A value that changes over is not new: carried moves
// its stamps instead.
func (c *Component) got(l memmgr.Loc, n int) {
	if c.store.shifting {
		return
	}
	c.writtenRun(l, n)
	c.setAdded(l, c.store.manager.Tick())
	if c.addedRows != nil {
		c.addedRows.mark(c.store.manager.Tick(), c.store.entitiesAt(l, n)...)
	}
}

// carried notes that a value has moved from a row to another. The chunk that it comes to gets the
// later stamps of both. So a query may see neighbours as changed, and never misses a change.
func (c *Component) carried(from, to memmgr.Loc) {
	if from.Chunk() == to.Chunk() {
		return
	}
	cell := c.Dir.CellOf(to)
	cell.Stamp = max(cell.Stamp, c.Dir.CellOf(from).Stamp)
	if at := c.AddedAt(from); at > c.AddedAt(to) {
		c.setAdded(to, at)
	}
}

// begun forgets the notes of a chunk that has this as its first row. The chunk may have been used
// before, by rows that are gone. It must come before the row's own stamps.
func (t *Table) begun(l memmgr.Loc) {
	if l.Row() != 0 {
		return
	}
	for _, c := range t.watched {
		c.Dir.Mark(l, 0)
		if c.AddedAt(l) != 0 {
			c.setAdded(l, 0)
		}
	}
}

// carried notes that a row has moved to another of the same columns.
func (t *Table) carried(from, to memmgr.Loc) {
	for _, c := range t.watched {
		c.carried(from, to)
	}
}

// carriedTo notes that a row has moved to another table, for the components that both have. It begins
// the chunk of the new row first.
func (t *Table) carriedTo(to *Table, from, at memmgr.Loc) {
	to.begun(at)
	for _, c := range to.watched {
		if t.fixedSet.has(c.ID) || t.optSet.has(c.ID) {
			c.carried(from, at)
		}
	}
}

// AskRows begins to note ticks by row for a watched component: of each write, or with added, of each
// entity that gets it. There is no way back. Earlier ticks are unknown, and read as the tick before
// this call.
func (s *Store) AskRows(c *Component, added bool) {
	s.Watch(c)
	x := &c.writtenRows
	if added {
		x = &c.addedRows
	}
	if *x == nil {
		*x = &rowTicks{base: s.manager.Advance()} // chunks that were marked before are not so any more
		s.notesRows = true
		s.finding++
	}
}
