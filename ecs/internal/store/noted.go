package store

import (
	"slices"

	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// A component is watched for queries that see what has changed. From then on two stamps of
// each of its chunks say when the last of their values was written, and when the last came
// to be. The first is the column's, which writers set; the second is kept here.
//
//	write or add at l        both are now (Mut and systems: the column's alone)
//	row moves from a to b    b has the later of the two stamps of a and b
//	first row of a chunk     none: values that were there before are gone
//
// So a move is no change, and no change is lost by a move. Rows that were not written count as
// changed where they lie beside one that was.
type noted struct {
	added []uint64 // by number of the chunk
}

// Watch keeps stamps of a component from now on. What was written or added before counts as
// changed now, or not at all: a query that begins to look sees everything.
func (s *Store) Watch(c *Component) {
	if c.noted != nil {
		return
	}
	c.noted = &noted{}
	for _, t := range c.tables {
		t.watched = append(t.watched, c)
		t.findBare()
	}
	s.changes++ // bundles have to know
}

// watchedOf are those of a table's components that are watched.
func watchedOf(fixed []*Component, opts []*Opt) (list []*Component) {
	for _, c := range slices.Concat(fixed, compsOf(opts)) {
		if c.noted != nil {
			list = append(list, c)
		}
	}
	return list
}

// ChangedAt is the tick of the last write to a value of a chunk that has the column of a
// watched component.
func (c *Component) ChangedAt(l memmgr.Loc) uint64 { return c.Dir.CellOf(l).Stamp }

// AddedAt is the tick in which one of a chunk's entities got the component, the last of them.
func (c *Component) AddedAt(l memmgr.Loc) uint64 {
	if i := int(l.Chunk()); i < len(c.noted.added) {
		return c.noted.added[i]
	}
	return 0
}

// setAdded notes such a tick.
func (c *Component) setAdded(l memmgr.Loc, tick uint64) {
	i := int(l.Chunk())
	if i >= len(c.noted.added) {
		c.noted.added = append(c.noted.added, make([]uint64, i+1-len(c.noted.added))...)
	}
	c.noted.added[i] = tick
}

// got notes that the entities of n rows from l on have got a watched component. A value that
// changes over is not new.
func (c *Component) got(l memmgr.Loc, n int) {
	if c.s.shifting {
		return
	}
	c.writtenRun(l, n)
	c.setAdded(l, c.s.m.Tick())
	if c.addedRows != nil {
		c.addedRows.mark(c.s.m.Tick(), c.s.entitiesAt(l, n)...)
	}
}

// carried notes that a value has moved from a row to another.
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

// begun forgets what was noted of a chunk whose first row this is.
func (t *Table) begun(l memmgr.Loc) {
	if l.Row() != 0 {
		return
	}
	for _, c := range t.watched {
		c.Dir.CellOf(l).Stamp = 0
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

// carriedTo notes that a row has moved to another table, where it has what both have.
func (t *Table) carriedTo(to *Table, from, at memmgr.Loc) {
	to.begun(at)
	for _, c := range to.watched {
		if t.fixedSet.has(c.ID) || t.optSet.has(c.ID) {
			c.carried(from, at)
		}
	}
}
