package query

import (
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/internal/chunk"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// Change is what must have happened to a row since the last walk: a component's value was
// written, or added. It is known chunk by chunk, so it goes for all rows of a chunk where it
// goes for one, and rows that have moved there from a changed chunk are among them; or row by
// row.
type Change struct {
	// Comp is the component.
	Comp *store.Component
	// Added says that only adding it counts.
	Added bool
	// Rows says that it is known row by row, as Store.AskRows was asked.
	Rows bool
}

// at tells whether it has happened after a tick in the chunk of a location that has the
// column.
func (x *Change) at(l memmgr.Loc, since uint64) bool {
	if x.Added {
		return x.Comp.AddedAt(l) > since
	}
	return x.Comp.ChangedAt(l) > since
}

// has tells whether an entity has the component, and it has happened after a tick.
func (x *Change) has(e store.Entity, since uint64) bool {
	l, ok := x.Comp.Loc(e)
	return ok && (since == 0 || x.at(l, since) && (!x.Rows || x.row(e, since)))
}

// row tells whether it has happened after a tick to an entity in whose chunk it has, where it
// is known row by row.
func (x *Change) row(e store.Entity, since uint64) bool {
	if x.Added {
		return x.Comp.RowAddedAt(e) > since
	}
	return x.Comp.RowChangedAt(e) > since
}

// fresh tells whether all changes that are asked for have happened to a chunk's rows after a
// tick. It looks at the columns that the chunk has.
func (s *Source) fresh(id chunk.ID, since uint64) bool {
	for i := range s.near {
		if since > 0 && !s.near[i].at(memmgr.MakeLoc(id, 0), since) {
			return false
		}
	}
	return true
}

// byRow are those of a source's own changes that are known row by row.
func (s *Source) byRow() (list []Change) {
	for _, x := range s.near {
		if x.Rows {
			list = append(list, x)
		}
	}
	return list
}

// marked is a component that a struct writes, and of which it is noted row by row.
type marked struct {
	c    *store.Component
	away bool // the source lacks it
}

// findMarked finds those of a source.
func (c *Cursor) findMarked(s *Source) {
	c.marks = c.marks[:0]
	var comps []*store.Component // what columns stand for
	if s.given {
		comps = c.Comps(s.Seq)
	}
	for j := range c.Columns {
		x := &c.Columns[j]
		of := x.Comp
		if s.given {
			of = comps[j]
		}
		if x.Write && of.AsksRows() && (s.given || s.place[j] != Nowhere) {
			c.marks = append(c.marks, marked{of, !s.given && s.place[j] == Absent})
		}
	}
}

// mark notes that the rows of entities are passed to be written. Their chunks are marked where
// they are passed, but for values that lie elsewhere.
func (c *Cursor) mark(es []store.Entity) {
	for _, x := range c.marks {
		if x.c.MarkRows(es); !x.away {
			continue
		}
		for _, e := range es {
			if l, has := x.c.Loc(e); has {
				x.c.Written(e, l)
			}
		}
	}
}

// skips tells whether a walk looks at chunks before it passes them.
func (c *Cursor) skips() bool { return len(c.Changes) > 0 && c.since > 0 }

// seen notes the end of a walk: what is written from now on is new to the next one. What was
// written during the walk is not, whether by its function or by others.
func (c *Cursor) seen() {
	if c.since = c.base.M.Tick(); !c.parallel {
		c.base.M.Advance()
	}
}
