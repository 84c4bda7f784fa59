package store

import (
	"bytes"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// Clear destroys all entities, locked ones too; their handles become stale, and the lowest
// indexes are used first from then on. It costs a pass over the records and over rows or entries.
func (s *Store) Clear() {
	if s.hooks != nil && s.tells() {
		s.toldClear()
	}
	for _, t := range s.tables {
		if t != nil {
			t.clearWords()
		}
	}
	for _, p := range s.planes {
		p.clear(s.Bound())
	}
	s.ids.Clear()
	s.unguard()
	s.dropTicks()
}

// clearWords empties a table with the entries of its rows.
func (t *Table) clearWords() {
	flat, bound := t.words.flat, int(t.s.Bound())
	whole := len(flat) > 0 && t.Seq.Len() > bound/4
	if whole { // cheaper than one by one
		clearWritten(flat[:min(len(flat), bound)])
	}
	if !whole {
		for id, n := range t.Seq.Chunks() {
			t.words.clearRun(t.s.Entities(id, n))
		}
	}
	for _, x := range t.opts {
		clear(x.Bits)
		x.Count = 0
	}
	t.s.m.Shift()
	t.Seq.Truncate(0)
}

// DestroyBatch destroys entities and returns how many: handles that are not alive, are locked,
// or come twice, are passed over. Entities that are the last rows of a table, in row order, and have
// nothing else go as a block.
func (s *Store) DestroyBatch(es []Entity) (destroyed int) {
	if t, alike := s.tailOf(es); t != nil && s.hooks == nil && (alike || !s.guarded) {
		t.words.clearRun(es)
		if !alike {
			for _, e := range es {
				t.leave(e)
			}
		}
		s.ids.FreeN(es)
		s.m.Shift()
		t.Seq.Truncate(t.Seq.Len() - len(es))
		return len(es)
	}
	warms := s.Warms()
	for i, e := range es {
		if warms && i%WarmMost == 0 {
			s.Warm(es[i:min(i+WarmMost, len(es))])
		}
		if s.Destroy(e) == nil {
			destroyed++
		}
	}
	return destroyed
}

// tailOf returns the table of which the entities are the last rows, if they have no other
// rows; nil if there is no such table. They are alike if the flags of all say that of
// themselves.
func (s *Store) tailOf(es []Entity) (t *Table, alike bool) {
	if len(es) < 2 || !s.Alive(es[0]) { // one alone is less work than looking
		return nil, false
	}
	t = s.onlyTable(es[0])
	if t == nil || len(es) > t.Seq.Len() || len(t.opts) > 0 {
		return nil, false
	}
	rest := es
	for i := t.Seq.Len() - len(es); len(rest) > 0; {
		l := t.Seq.At(i)
		_, rows := t.Seq.Chunk(s.m.Order(l.Chunk()))
		n := min(rows-int(l.Row()), len(rest))
		row, want := raw.Slice[byte](s.IDs.At(l, 8), n*8), raw.Slice[byte](raw.Data(rest), n*8)
		if !bytes.Equal(row, want) {
			return nil, false
		}
		rest, i = rest[n:], i+n
	}
	if f, kin := t.flag(); s.ids.OnlyFlagN(es, f, kin) {
		return t, true
	}
	for _, e := range es[1:] {
		if !t.only(e) {
			return nil, false
		}
	}
	return t, false
}

// only tells whether an entity that has a row in the table has no other.
func (t *Table) only(e Entity) bool {
	s, i := t.s, e.Index()
	flags, kin := s.ids.Flags(e), t.place.plane != nil && t.kin(e)
	if t.place.plane != nil && flags&inCommons != 0 && s.Commons.words.Load(i) != 0 || flags&inKin != 0 && !kin {
		return false
	}
	if flags&inOthers == 0 {
		return true
	}
	for _, p := range s.planes {
		here := uint64(0)
		if p == t.place.plane && !kin {
			here = t.place.bit
		}
		if p.sets.Load(i) != here {
			return false
		}
	}
	return true
}

// onlyTable is the table of the only row of an entity; nil if it has none or several.
func (s *Store) onlyTable(e Entity) (t *Table) {
	flags := s.ids.Flags(e)
	if w := s.Commons.words.Load(e.Index()); flags&inCommons != 0 && Names(w, e) {
		t = s.tableAt(locOf(w))
	}
	if flags&inKin != 0 {
		if t != nil {
			return nil
		}
		t = s.tableAt(locOf(s.kinOf(e).Load(e.Index())))
	}
	if flags&inOthers == 0 {
		return t
	}
	for _, p := range s.planes {
		set := p.sets.Load(e.Index())
		if set == 0 {
			continue
		}
		if t != nil || set&(set-1) != 0 {
			return nil
		}
		t = s.tableAt(locOf(p.words(set).Load(e.Index())))
	}
	return t
}
