package order

import (
	"iter"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// Respect brings the rows of tables into the order in which entities come, once: listed entities
// are first, the others follow as they were. Each table is ordered by itself. It costs
// a look at an entry for each entity and table, and 5 bytes a row meanwhile, beside the memory of
// Permute.
func Respect(tables []*store.Table, entities iter.Seq[store.Entity]) {
	var p store.Permuter
	for _, t := range tables {
		n := t.Seq.Len()
		rows, first := make([]uint32, 0, n), make([]bool, n)
		for e := range entities {
			if row := t.Row(e); row >= 0 {
				rows, first[row] = append(rows, uint32(row)), true
			}
		}
		for row, is := range first {
			if !is {
				rows = append(rows, uint32(row))
			}
		}
		p.Permute(t, 0, rows)
	}
}

// Each goes over the entities of all rows of tables that have a component, in order; nil: over
// the entities of all rows.
func Each(b *walk.Base, tables []*store.Table, c *store.Component) iter.Seq[store.Entity] {
	return func(yield func(store.Entity) bool) {
		for _, t := range tables {
			x := opt(t, c)
			at := 0
			for id, n := range t.Seq.Chunks() {
				for i, e := range b.Store.Entities(id, n) {
					if (x == nil || x.Bits[at+i/64]>>(i%64)&1 != 0) && !yield(e) {
						return
					}
				}
				at += t.Stride()
			}
		}
	}
}

// opt is the table's record of a component that is optional there; nil if it is not.
func opt(t *store.Table, c *store.Component) *store.Opt {
	if c == nil {
		return nil
	}
	return t.Opt(c)
}
