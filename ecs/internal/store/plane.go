package store

import (
	"math/bits"
	"slices"
)

// placeBits is how many places a plane has.
const placeBits = 64

// newPlace makes a place for rows that are named by entries. Groups and thin components have planes of
// their own: one may be common where the other is rare, and only sets of few are maps. A plane that is full stays
// full. The place of a group that has ended is another's later: see ownerFor.
func (s *Store) newPlace(w *Words, group bool) place {
	for _, p := range s.planes {
		if p.groups == group && len(p.places) < placeBits {
			return p.add(w)
		}
	}
	p := &plane{sets: makeWords(s.manager.Arena(), s.indexes()), groups: group}
	s.planes = append(s.planes, p)
	return p.add(w)
}

// add takes the next bit of a plane, which must have one left.
func (p *plane) add(w *Words) place {
	p.places = append(p.places, w)
	return place{p, 1 << (len(p.places) - 1)}
}

// enter notes that an entity has a row in a table, and leave that it has none there.
//
//	table of                          note
//	the commons                       none: the entry is the entity's record
//	the group of the entity's index   none: whoever looks for rows looks at that group's entries
//	another group, a thin component   a bit in the set of the plane, and one in Store.others
//
// Most entities have no other rows than the first two. Sets would be far away.
func (t *Table) enter(e Entity) {
	if t.noted(e) {
		return
	}
	p, i := t.place, e.Index()
	t.store.others.set(i, t.store.Bound(), true)
	p.sets.set(i, p.sets.Load(i)|p.bit)
}

// leave does not clear the bit in Store.others. It only says that a look is needed.
func (t *Table) leave(e Entity) {
	if t.noted(e) {
		return
	}
	p, i := t.place, e.Index()
	p.sets.set(i, p.sets.Load(i)&^p.bit)
}

// noted tells whether a row of the entity in the table needs no note.
func (t *Table) noted(e Entity) bool { return t.place.plane == nil || t.kin(e) }

// notes is the Kin of blocks whose entities need no note of a row in the table; 0: none does. It is noKin for thin
// components.
func (t *Table) notes() uint32 {
	switch {
	case t.place.plane == nil:
		return 0
	case t.owner == nil:
		return noKin
	}
	return t.owner.home.Kin
}

// noKin is no home's.
const noKin = ^uint32(0)

// kin tells whether an entity's index was taken for the group of the table.
func (t *Table) kin(e Entity) bool {
	return t.owner != nil && t.owner.home.Kin == t.store.ids.Kin(e.Index())
}

// clear makes the sets of indexes below a bound empty. Rows and entries are the caller's.
func (p *plane) clear(bound uint32) {
	flat := p.sets.flat
	clearWritten(flat[:min(len(flat), int(bound))])
	clear(p.sets.rare)
}

// words are the entries that name the row at a set's lowest place. The set is not 0.
func (p *plane) words(set uint64) *Words { return p.places[bits.TrailingZeros64(set)] }

// prepare makes sure that a table's entries and sets of places can be written for an entity, one of
// more that are new. It must come before the first write for an entity that is not ready. Errors are the
// arena's; room that was made stays.
func (t *Table) prepare(e Entity, more int) error {
	if t.ready(e) {
		return nil
	}
	err := t.prepareEntry(e.Index(), more)
	if err != nil || t.noted(e) {
		return err
	}
	return t.place.sets.ensure(e.Index(), t.store.Bound(), more)
}

// prepareEntry is prepare for the entry of an index alone.
func (t *Table) prepareEntry(i uint32, more int) error {
	if uint32(t.Seq.Len()) > t.store.Bound()/2 {
		return t.words.flatten(i, true)
	}
	return t.words.ensure(i, t.store.Bound(), more)
}

// ready tells whether the entry and the set of an entity can be written without prepare. For maps it
// never is, so each new row asks. For the commons it always is: the entry is the record.
func (t *Table) ready(e Entity) bool {
	return t.place.plane == nil || t.covers(e.Index(), t.kin(e))
}

// covers is ready for an index of a group or of a thin component, of kin or not.
func (t *Table) covers(i uint32, kin bool) bool {
	return t.words.covers(i) && (kin || t.place.plane.sets.covers(i))
}

// kinOf is the entries of the group for which an entity's index was taken; nil if it was for none. A dissolved
// group has empty entries. The entity must be alive.
func (s *Store) kinOf(e Entity) *Words {
	if len(s.groups) == 0 {
		return nil
	}
	if kin := s.ids.Kin(e.Index()); kin != 0 {
		return &s.groups[kin-1].words
	}
	return nil
}

// only tells whether entities are alive, and have nothing beyond a row in the table: no other row, no lock and no
// disabled bit. All are named by rows there, holes included: an entity may be dead.
func (t *Table) only(es []Entity) bool {
	s := t.store
	for len(es) > 0 {
		n, kin := len(es), uint32(0)
		if len(s.groups) > 0 {
			kin, n = s.ids.Side(es)
		}
		if !t.onlyOf(kin, es[:n]) {
			return false
		}
		es = es[n:]
	}
	return true
}

// onlyOf is only for entities with indexes in blocks of a Kin.
func (t *Table) onlyOf(kin uint32, es []Entity) bool {
	s := t.store
	records := s.Commons.words.flat
	if t.notes() != kin && t.place.plane != nil {
		return false
	}
	for _, e := range es {
		i := e.Index()
		if uint(i) >= uint(len(records)) {
			return false
		}
		if t.place.plane != nil {
			if records[i] != word(e, 0) {
				return false
			}
		} else if !Names(records[i], e) || kin != 0 && Names(s.groups[kin-1].words.Load(i), e) {
			return false
		}
	}
	return s.others.n+s.guarded.n == 0 || !slices.ContainsFunc(es, s.more)
}

// more tells whether an entity may have rows that planes note, is held by a lock, or has something disabled.
func (s *Store) more(e Entity) bool {
	return s.others.n+s.guarded.n > 0 && (s.others.has(e.Index()) || s.guarded.has(e.Index()))
}
