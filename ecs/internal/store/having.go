package store

import (
	"iter"
	"slices"
)

// Having goes over the entities that have all of the components, at least one: run by run, in the
// order of the tables and rows of the component that the fewest have. It asks nothing row by row in
// tables where all of them are fixed. A run is good until rows change.
func (s *Store) Having(comps []*Component) iter.Seq[[]Entity] {
	return func(yield func([]Entity) bool) {
		if len(comps) == 0 {
			return
		}
		rarest := slices.MinFunc(comps, func(a, b *Component) int { return a.Len() - b.Len() })
		for _, t := range rarest.tables {
			all := !slices.ContainsFunc(comps, func(c *Component) bool { return !t.Has(c) })
			for id, n := range t.Seq.Chunks() {
				es := s.Entities(id, n)
				if all && !yield(es) {
					return
				}
				for i := 0; i < n && !all; i++ {
					lacks := func(c *Component) bool { return !c.Has(es[i]) }
					if !slices.ContainsFunc(comps, lacks) && !yield(es[i:i+1]) {
						return
					}
				}
			}
		}
	}
}
