package source

import (
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/views"
)

// Serving is a way to get columns that a table lacks which is better than to gather them for each
// call. Package shared makes it. Functions are fields here, because shared imports this package.
//
//	Begin ─► Bind of each column ─► { Direct, Kept, Where for each column and chunk; Again }…
//
// Each answer is advice: a set that gathers instead passes the same values.
type Serving struct {
	// Begin is called before a walk over the table. Again is called within a walk after values
	// were written that are not the table's.
	Begin, Again func()
	// Bind tells that the table lacks the j-th column. It is called for all such columns before
	// anything is asked of one, since values kept of one may lie elsewhere once another is known.
	Bind func(j int)
	// Direct tells whether the j-th column is to be passed as its owner has it, where the
	// rows es of a chunk lie in long runs there.
	Direct func(j int, es []store.Entity) bool
	// Kept returns the j-th column's values for the rows of the i-th chunk, if they are kept;
	// else nil. They are good until something is changed.
	Kept func(j, i int, id chunk.ID, es []store.Entity, from *views.Source) raw.Ptr
	// Where returns where the rows of the i-th chunk have the j-th column's component, if several
	// readers share that; else nil. If it is not known, the places are to be filled in at once.
	// They are good until something is changed.
	Where func(j, i int, id chunk.ID, es []store.Entity, from *views.Source) (places []views.Place, known bool)
}

// directRun is how many rows the stretches of direct columns must have on average. Each stretch is
// a call of the system, so shorter ones cost more than a copy saves.
const directRun = 128

// Along tells whether entities are in long stretches in the owner's order, as direct columns need
// them. It counts the stretches, and returns -1 if some entities lack the component. It looks up each entity. So a batch asks
// only where Direct says that the column may pass.
func Along(of *store.Component, es []store.Entity) (stretches int, long bool) {
	next := memmgr.Loc(0)
	for _, e := range es {
		l, ok := of.Loc(e)
		if !ok {
			return -1, false
		}
		if l != next {
			stretches++
		}
		next = l.Plus(1)
	}
	return stretches, stretches <= 1+len(es)/directRun
}
