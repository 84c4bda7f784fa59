package store

import "iter"

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
	w.rare = make(map[uint32]uint64)
	w.setFlat(nil)
	for e := range s.whose(w) {
		if i := e.Index(); i < uint32(len(flat)) && flat[i] != 0 {
			w.rare[i], flat[i] = flat[i], 0
		}
	}
}

// whose are the entities that may have one of the entries. It costs a pass over the rows that
// those name.
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
	if t.words != w && (t.place.plane == nil || w != &t.place.sets) {
		return true
	}
	for id, n := range t.Seq.Chunks() {
		for _, e := range t.s.Entities(id, n) {
			if !yield(e) {
				return false
			}
		}
	}
	return true
}
