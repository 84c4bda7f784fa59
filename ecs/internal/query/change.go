package query

import (
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/internal/chunk"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// Change is what must have happened to a row since the last walk: a component's value was
// written, or added. It is known chunk by chunk, so it goes for all rows of a chunk where it
// goes for one. Rows that have moved there from a changed chunk are among them.
type Change struct {
	// Comp is the component.
	Comp *store.Component
	// Added says that only adding it counts.
	Added bool
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
	return ok && (since == 0 || x.at(l, since))
}

// fresh tells whether all that must have happened to a chunk's rows has, after a tick, as far
// as the chunk has the columns.
func (s *Source) fresh(id chunk.ID, since uint64) bool {
	for i := range s.near {
		if since > 0 && !s.near[i].at(memmgr.MakeLoc(id, 0), since) {
			return false
		}
	}
	return true
}

// skips tells whether a walk looks at chunks before it passes them.
func (c *Cursor) skips() bool { return len(c.Changes) > 0 && c.since > 0 }

// seen notes that a walk has come to its end: what is written from now on is new to the next
// one. What was written meanwhile is not, whoever wrote it.
func (c *Cursor) seen() {
	c.since = c.base.M.Tick()
	c.base.M.Advance()
}
