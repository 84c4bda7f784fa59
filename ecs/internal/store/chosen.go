package store

import "github.com/ashlar-go/ashlar/ecs/internal/raw"

// Changes of rows that a predicate has chosen. The rows that stay keep their order, however few go:
// the predicate has looked at all of them anyway, and packing goes front to back.
//
//	chosen   a [b] c [d] e  f        stay   a  c  e  f
//
// All tables leave holes until the end of the call. So rows that were chosen stay where they are
// while entities of other tables change. Rows may arrive behind them, and bits say nothing of these.

// DestroyChosen destroys the entities of rows of several tables, of which none is named twice, and
// returns how many. Locked entities are skipped. The entities of a chunk go together if they have no
// other rows, locks or disabled bits: a pass over their records and entries. Otherwise they go one by
// one.
func (s *Store) DestroyChosen(list []Rows) (destroyed int) {
	if s.TellsEnds() {
		var es []Entity
		for _, r := range list {
			es = r.Entities(es)
		}
		s.leaving(s.dying(es), func() { destroyed = s.destroyChosen(list) })
		return destroyed
	}
	return s.destroyChosen(list)
}

// destroyChosen is DestroyChosen behind the notice.
func (s *Store) destroyChosen(list []Rows) (destroyed int) {
	h := &s.holes
	h.kept = true
	defer h.close()
	for _, r := range list {
		t := r.Table
		for i := range len(r.Bits) / t.stride {
			words := r.Bits[i*t.stride:][:t.stride]
			es := t.chosenIn(i, words)
			if len(es) == 0 {
				continue
			}
			if t.only(es) {
				t.freeRows(es)
				h.markBits(t, i, words, len(es))
				destroyed += len(es)
				continue
			}
			for _, e := range es {
				if s.destroyIn(e, h) == nil {
					destroyed++
				}
			}
		}
	}
	return destroyed
}

// chosenIn returns the entities of rows of the i-th chunk, as bits say: good until the next call, or
// until rows change.
func (t *Table) chosenIn(i int, words []uint64) []Entity {
	s := t.store
	s.nums = raw.Numbers(s.nums[:0], words, 0)
	if len(s.nums) == 0 {
		return nil // and rows stay unseen
	}
	id, n := t.Seq.Chunk(i)
	all := s.Entities(id, n)
	if len(s.nums) == n {
		return all
	}
	if cap(s.gone) < len(s.nums) {
		s.gone = make([]Entity, t.Seq.Capacity())
	}
	s.gone = s.gone[:len(s.nums)]
	for k, row := range s.nums {
		s.gone[k] = all[row]
	}
	return s.gone
}
