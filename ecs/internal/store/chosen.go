package store

import (
	"cmp"
	"errors"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

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
	s := t.s
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

// RemoveChosen removes a component from the entities of rows of several tables, of which none is
// named twice, and returns how many. Entities that lack it are skipped, and so are locked ones: then
// the error is the first one's. After another error some of the others lack the component.
//
// Rows of groups that observe the component move at once and leave no holes, so the entities are
// listed before.
func (s *Store) RemoveChosen(c *Component, list []Rows) (removed int, err error) {
	h := &s.holes
	h.kept = true
	s.begin()
	defer s.end()
	defer h.close()
	if len(c.watch) > 0 {
		var es []Entity
		for _, r := range list {
			es = r.Entities(es)
		}
		return s.removeList(c, es, h)
	}
	for _, r := range list {
		n, one := s.removeChosen(c, r.grown(), h)
		if removed += n; errors.Is(one, ErrLocked) {
			err = cmp.Or(err, one)
		} else if one != nil {
			return removed, one
		}
	}
	return removed, err
}

// grown is the rows with bits for chunks that the table has got since.
func (r Rows) grown() Rows {
	if more := r.Table.Seq.ChunkCount()*r.Table.stride - len(r.Bits); r.Bits != nil && more > 0 {
		r.Bits = append(r.Bits[:len(r.Bits):len(r.Bits)], make([]uint64, more)...)
	}
	return r
}

// removeChosen is RemoveChosen for rows of one table. Its short ways are those of RemoveRows.
func (s *Store) removeChosen(c *Component, r Rows, h *holes) (removed int, err error) {
	t := r.Table
	direct := s.direct(c, t)
	switch {
	case direct && !t.Has(c) && t.opt(c) == nil:
		return 0, nil
	case s.guarded.n > 0 && s.guardsAny(c, r) || !direct && t != c.thin:
		return s.removeList(c, r.Entities(nil), h)
	case t.opt(c) != nil:
		r = r.withBit(t.opt(c), true)
		s.noting(c, r, false)
		s.picked = r.runs(s.picked[:0])
		t.clearBits(t.opt(c), s.picked)
	case t == c.thin:
		s.takeChosen(c, r, h)
	default:
		ed := t.edgeForAll(c, removing)
		if ed == nil {
			return s.removeList(c, r.Entities(nil), h)
		}
		if ed.to == nil {
			s.takeChosen(c, r, h)
			break
		}
		at := s.noting(c, r, false)
		s.picked = r.runs(s.picked[:0])
		if t.moveRows(s.picked, ed, r.N, incoming{}) != nil {
			s.cut(at)
			return s.removeList(c, r.Entities(nil), h)
		}
		h.markAll(t, s.picked)
	}
	s.policy.Removed(int(c.ID), r.N)
	return r.N, nil
}

// takeChosen removes rows with their entries, which leave holes.
func (s *Store) takeChosen(c *Component, r Rows, h *holes) {
	s.noting(c, r, false)
	s.picked = r.runs(s.picked[:0])
	r.Table.takeRows(s.picked)
	h.markAll(r.Table, s.picked)
}
