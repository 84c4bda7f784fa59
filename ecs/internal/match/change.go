package match

import (
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Change is a condition on a row since the last walk: a component's value was
// written, or added. It is known chunk by chunk, or row by row. By chunk, it goes for all rows of
// a chunk if it goes for one. Rows that have moved there from a changed chunk are among them.
//
// A stamp for a chunk costs a writer one store for each call, and is the default. Ticks row
// by row cost one store for each row, and are kept only where a query asks for them.
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

// has tells whether an entity has the component, and it has happened after a tick. It looks the
// entity up, and is for changes of columns that the table lacks. The chunk's stamp is tested
// first: it is one load, and decides alone unless the change is known row by row.
func (x *Change) has(e store.Entity, since uint64) bool {
	l, ok := x.Comp.Loc(e)
	return ok && (since == 0 || x.at(l, since) && (!x.Rows || x.row(e, since)))
}

// row tells whether it has happened to an entity after a tick, by the ticks kept row by row. It is
// asked only after at has said so of the entity's chunk.
func (x *Change) row(e store.Entity, since uint64) bool {
	if x.Added {
		return x.Comp.RowAddedAt(e) > since
	}
	return x.Comp.RowChangedAt(e) > since
}

// Fresh tells whether all changes that are asked for have happened to a chunk's rows after a
// tick. A tick of 0 says that there was no walk yet, and all is new. It looks at the columns that the chunk has.
// Walks skip a chunk that is not fresh before they read any of its rows. An unchanged
// chunk costs one load for each change that is asked for.
func (f *Filter) Fresh(id chunk.ID, since uint64) bool {
	for i := range f.near {
		if since > 0 && !f.near[i].at(memmgr.MakeLoc(id, 0), since) {
			return false
		}
	}
	return true
}
