package store

import (
	"cmp"
	"errors"
	"iter"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/internal/arena"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// AddBatch adds a component with one value to entities and returns how many: it passes over
// those that are not alive or have it already. After an error those before it have it.
func (s *Store) AddBatch(c *Component, es []Entity, v raw.Ptr) (added int, err error) {
	for len(es) > 0 {
		if n := s.moveRun(c, adding, es, v); n > 0 {
			added, es = added+n, es[n:]
			continue
		}
		e := es[0]
		es = es[1:]
		switch err := s.Add(c, e, v); err {
		case nil:
			added++
		case ErrStale, ErrPresent:
		default:
			return added, err
		}
	}
	return added, nil
}

// RemoveBatch removes a component from entities and returns how many: it passes over those
// that are not alive or lack it. It passes over those that are locked, too; then the error is
// the first one's. After another error those before it lack it.
func (s *Store) RemoveBatch(c *Component, es []Entity) (removed int, err error) {
	var locked error
	for len(es) > 0 {
		if n := s.moveRun(c, removing, es, nil); n > 0 {
			removed, es = removed+n, es[n:]
			continue
		}
		e := es[0]
		es = es[1:]
		switch err := s.Remove(c, e); err {
		case nil:
			removed++
		case ErrStale, ErrAbsent:
		default:
			if !errors.Is(err, ErrLocked) {
				return removed, err
			}
			locked = cmp.Or(locked, err)
		}
	}
	return removed, locked
}

// ClearComponent takes a component from all that have it. It passes over those that are locked;
// then the error is the first one's.
func (s *Store) ClearComponent(c *Component) error {
	var locked error
	for _, t := range slices.Clone(c.tables) {
		x := t.opt(c)
		for i := t.Seq.Len() - 1; i >= 0 && (x == nil || x.Count > 0); i-- {
			l := t.Seq.At(i)
			if x != nil {
				if at, mask := t.bit(l); !x.has(at, mask) {
					continue
				}
			}
			switch err := s.Remove(c, s.entityAt(l)); {
			case errors.Is(err, ErrLocked): // it may move into rows that were looked at
				locked = cmp.Or(locked, err)
			case err != nil:
				return err
			}
		}
	}
	return locked
}

// Forget drops all addresses after the memory has gone. No entity is alive any more.
func (s *Store) Forget() {
	s.ids.Close()
	s.unguard()
	s.Commons.words = Words{}
	for _, o := range s.owners {
		o.words = Words{}
	}
	for _, c := range s.comps {
		c.own, c.tables, c.thin = Words{}, nil, nil
		c.point()
	}
	s.planes, s.groups, s.moving, s.tables = nil, nil, nil, nil
	s.rearranged()
}

// Shrink gives back pages of entries that name no row, and makes maps of arrays that name few. It returns the bytes given back, and
// costs a pass over the entries.
func (s *Store) Shrink() (freed uint64, err error) {
	if t := &s.tidier; t.at != 0 && len(t.words.flat) == 0 { // a map by now, whose array is on its way
		freed += uint64(t.words.array.Len()) * 8
		if err := t.words.array.Free(); err != nil {
			return freed, err
		}
		t.at = 0
	}
	s.shrinkDisabled()
	s.dropMarks()
	s.dropTicks()
	s.countNamed()
	for w := range s.allWords {
		if w.few(w.named, s.Bound()) {
			freed += uint64(len(w.flat)) * 8
			s.makeRare(w)
			if err := w.array.Free(); err != nil {
				return freed, err
			}
			continue
		}
		n, err := w.array.Purge(func(lo, hi uint32) bool {
			if !w.array.Reserved() { // what is left becomes shorter, and its last element stays 0
				lo = max(lo, 1) - 1
			}
			return allZero(w.array, lo, hi)
		})
		w.setFlat(w.array.Span(0))
		freed += n
		if err != nil {
			return freed, err
		}
	}
	return freed, nil
}

// allWords goes over all entries that are arrays.
func (s *Store) allWords(yield func(*Words) bool) {
	if len(s.Commons.words.flat) > 0 && !yield(&s.Commons.words) {
		return
	}
	for _, o := range s.owners {
		if len(o.words.flat) > 0 && !yield(&o.words) {
			return
		}
	}
	for _, c := range s.comps {
		if len(c.own.flat) > 0 && !yield(&c.own) {
			return
		}
	}
	for _, p := range s.planes {
		if len(p.sets.flat) > 0 && !yield(&p.sets) {
			return
		}
	}
}

func allZero(a arena.Array[uint64], lo, hi uint32) bool {
	for i := lo; i < hi; i++ {
		if a.Load(i) != 0 {
			return false
		}
	}
	return true
}

// Swap exchanges two rows of a table.
func (t *Table) Swap(a, b memmgr.Loc) { t.swap(a, b) }

// Word is what says that an entity has its row at a location.
func Word(e Entity, l memmgr.Loc) uint64 { return word(e, l) }

// Home is the entry of an entity in an owner's tables; 0 if it has no row there.
func (o *Owner) Home(e Entity) uint64 { return o.words.Load(e.Index()) }

// LocOf is the location in an entry.
func LocOf(word uint64) memmgr.Loc { return locOf(word) }

// Tables goes over all tables.
func (s *Store) Tables() iter.Seq[*Table] {
	return func(yield func(*Table) bool) {
		for _, t := range s.tables {
			if t != nil && !yield(t) {
				return
			}
		}
	}
}
