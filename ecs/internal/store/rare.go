package store

import (
	"iter"
	"slices"
)

// Words that were an array and name few rows become a map:
//
//	        1/256 of all entities, and few enough to be moved at once
//	          ↓
//	map ←─────┴───── array
//	 └─────┬───────────↑
//	       ↑
//	      1/64 of all entities
//
// Between the two marks they keep their form, so that nothing goes to and fro.

const (
	rareAgain = 4 * rareOne // an array becomes a map once less than one in so many entities is in it
	rareMost  = 4096        // and at most so many, since they move in one frame
)

// few tells whether an array of n entries, of entities up to a bound, should be a map.
func (w *Words) few(n int, bound uint32) bool {
	return !w.stays && bound > rareSpan && n <= rareMost && uint64(n)*rareAgain < uint64(bound)
}

// makeRare makes a map of entries that are an array. The array reads as zero then, and its
// memory is still to be given back.
func (s *Store) makeRare(w *Words) {
	flat := w.flat
	w.flat, w.rare = nil, make(map[uint32]uint64)
	for e := range s.whose(w) {
		if i := e.Index(); i < uint32(len(flat)) && flat[i] != 0 {
			w.rare[i], flat[i] = flat[i], 0
		}
	}
}

// whose are the entities that may have one of the entries. It costs a pass over the rows that
// those name, and over the bits of optional components.
func (s *Store) whose(w *Words) iter.Seq[Entity] {
	return func(yield func(Entity) bool) {
		for _, t := range s.tables {
			if t != nil && !t.whose(w, yield) {
				return
			}
		}
	}
}

// whose is that of one table; it tells whether to go on.
func (t *Table) whose(w *Words, yield func(Entity) bool) bool {
	var some []uint64
	for _, x := range t.opts {
		if x.C.own == w && x.Count > 0 {
			some = x.Bits
		}
	}
	all := t.words == w || t.place.plane != nil && w == &t.place.sets || slices.ContainsFunc(t.fixed, func(c *Component) bool { return c.own == w })
	if !all && some == nil {
		return true
	}
	for id, n := range t.Seq.Chunks() {
		for k, es := 0, t.s.Entities(id, n); k < n; k += 64 {
			set := ^uint64(0) >> max(0, 64-(n-k))
			if !all {
				set = some[t.s.m.Order(id)*t.stride+k/64]
			}
			for ; set != 0; set &= set - 1 {
				if !yield(es[k+trailingZeros(set)]) {
					return false
				}
			}
		}
	}
	return true
}
