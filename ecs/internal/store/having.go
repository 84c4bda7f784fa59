package store

import (
	"iter"
	"slices"

	"github.com/ashlar-go/ashlar/memmgr"
)

// Having goes over the entities that have all of the components, at least one: run by run, in the
// order of the tables and rows of the component that the fewest have. It asks nothing row by row in
// tables where all of them are fixed. A run is good until rows change.
//
// A row of an optional column counts if the value lies there. During a change-over the entity may have
// it in a thin row instead, which comes later.
func (s *Store) Having(comps []*Component) iter.Seq[[]Entity] {
	return func(yield func([]Entity) bool) {
		for t, all := range havingTables(comps) {
			for id, n := range t.Seq.Chunks() {
				es := s.Entities(id, n)
				if all && !yield(es) {
					return
				}
				for i := 0; i < n && !all; i++ {
					if t.hasAll(comps, es[i], memmgr.MakeLoc(id, uint32(i))) && !yield(es[i:i+1]) {
						return
					}
				}
			}
		}
	}
}

// HavingLen is how many entities Having goes over. Tables where all components are fixed are counted, and none of their
// entities is seen.
func (s *Store) HavingLen(comps []*Component) (sum int) {
	for t, all := range havingTables(comps) {
		if all {
			sum += t.Seq.Len()
			continue
		}
		for id, n := range t.Seq.Chunks() {
			for i, e := range s.Entities(id, n) {
				if t.hasAll(comps, e, memmgr.MakeLoc(id, uint32(i))) {
					sum++
				}
			}
		}
	}
	return sum
}

// havingTables goes over the tables of the component that the fewest have, and tells whether all components are
// fixed there.
func havingTables(comps []*Component) iter.Seq2[*Table, bool] {
	return func(yield func(*Table, bool) bool) {
		if len(comps) == 0 {
			return
		}
		for _, t := range rarest(comps).tables {
			if all := !slices.ContainsFunc(comps, func(c *Component) bool { return !t.Has(c) }); !yield(t, all) {
				return
			}
		}
	}
}

// hasAll tells whether an entity with a row in the table has all components, and the rarest one in that row.
func (t *Table) hasAll(comps []*Component, e Entity, l memmgr.Loc) bool {
	at, has := rarest(comps).Loc(e)
	return has && at == l && !slices.ContainsFunc(comps, func(c *Component) bool { return !c.Has(e) })
}

// rarest is the component that the fewest have: the first of several.
func rarest(comps []*Component) *Component {
	return slices.MinFunc(comps, func(a, b *Component) int { return a.Len() - b.Len() })
}
