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
		if len(comps) == 0 {
			return
		}
		rarest := rarest(comps)
		for _, t := range rarest.tables {
			all := !slices.ContainsFunc(comps, func(c *Component) bool { return !t.Has(c) })
			for id, n := range t.Seq.Chunks() {
				es := s.Entities(id, n)
				if all && !yield(es) {
					return
				}
				for i := 0; i < n && !all; i++ {
					if l, has := rarest.Loc(es[i]); !has || l != memmgr.MakeLoc(id, uint32(i)) {
						continue
					}
					lacks := func(c *Component) bool { return !c.Has(es[i]) }
					if !slices.ContainsFunc(comps, lacks) && !yield(es[i:i+1]) {
						return
					}
				}
			}
		}
	}
}

// rarest is the component that the fewest have: the first of several.
func rarest(comps []*Component) *Component {
	return slices.MinFunc(comps, func(a, b *Component) int { return a.Len() - b.Len() })
}
