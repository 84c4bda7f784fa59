package store

import (
	"math/bits"

	"github.com/ashlar-go/ashlar/ecs/internal/entities"
)

// placeBits is how many places a plane has.
const placeBits = 64

// newPlace makes a place for rows that are named by entries. Groups and thin components have planes of
// their own: sets of groups are arrays, sets of thin ones may be maps. A plane that is full stays full. The place of a
// group that has ended is another's later: see ownerFor.
func (s *Store) newPlace(w *Words, group bool) place {
	for _, p := range s.planes {
		if p.groups == group && len(p.places) < placeBits {
			return p.add(w)
		}
	}
	p := &plane{sets: makeWords(s.m.Arena(), s.indexes()), groups: group}
	s.planes = append(s.planes, p)
	return p.add(w)
}

// add takes the next bit of a plane, which must have one left.
func (p *plane) add(w *Words) place {
	p.places = append(p.places, w)
	return place{p, 1 << (len(p.places) - 1)}
}

// prepare makes sure that the set of an entity, one of more that are new, can be written.
func (p place) prepare(i, bound uint32, more int) error {
	if p.groups {
		return p.sets.keep(i, false)
	}
	return p.sets.ensure(i, bound, more)
}

// enter notes that an entity has a row in a table, and leave that it has none there.
//
//	table of                          note
//	the commons                       the flag inCommons
//	the group of the entity's index   the flag inKin
//	another group, a thin component   the flag inOthers, and a bit in the set of the plane
//
// For the group that an entity was spawned into, its record has the note: the caller has read the
// record already, and sets would be far away.
func (t *Table) enter(e Entity) {
	ids := &t.s.ids
	switch p := t.place; {
	case p.plane == nil:
		ids.SetFlag(e, inCommons)
	case t.kin(e):
		ids.SetFlag(e, inKin)
	default:
		ids.SetFlag(e, inOthers)
		p.sets.set(e.Index(), p.sets.Load(e.Index())|p.bit)
	}
}

// leave does not clear inCommons and inOthers. They only say that a look is needed.
func (t *Table) leave(e Entity) {
	switch p := t.place; {
	case p.plane == nil:
	case t.kin(e):
		t.s.ids.ClearFlag(e, inKin)
	default:
		p.sets.set(e.Index(), p.sets.Load(e.Index())&^p.bit)
	}
}

// flag is the flag that notes a row in the table without a set. It does so for entities in blocks of
// kin; 0 is any. Tables of thin components have no such flag: f is 0 and kin is noKin.
func (t *Table) flag() (f entities.Flags, kin uint32) {
	switch {
	case t.place.plane == nil:
		return inCommons, 0
	case t.owner == nil:
		return 0, noKin
	}
	return inKin, t.owner.home.Kin
}

// noKin is no home's.
const noKin = ^uint32(0)

// kin tells whether an entity's index was taken for the group of the table.
func (t *Table) kin(e Entity) bool {
	return t.owner != nil && t.owner.home.Kin == t.s.ids.Kin(e.Index())
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
	if err != nil || t.place.plane == nil || t.kin(e) {
		return err
	}
	return t.place.prepare(e.Index(), t.s.Bound(), more)
}

// prepareEntry is prepare for the entry of an index alone.
func (t *Table) prepareEntry(i uint32, more int) error {
	switch {
	case t.place.plane == nil:
		return t.words.keep(i, true)
	case uint32(t.Seq.Len()) > t.s.Bound()/2:
		return t.words.flatten(i, true)
	}
	return t.words.ensure(i, t.s.Bound(), more)
}

// ready tells whether the entry and the set of an entity can be written without prepare. For maps it
// never is, so each new row asks. The set of an entity that its record notes is not written: see enter.
func (t *Table) ready(e Entity) bool { return t.covers(e.Index(), t.kin(e)) }

// covers is ready for an index, of kin or not.
func (t *Table) covers(i uint32, kin bool) bool {
	return t.words.covers(i) && (t.place.plane == nil || kin || t.place.plane.sets.covers(i))
}

// Flags of entities: which rows there are to look for.
const (
	inCommons entities.Flags = 2 // it may have a row in the commons
	inKin     entities.Flags = 4 // it has one in the group that its index was taken for
	inOthers  entities.Flags = 8 // it may have others, as planes say, or may be held by a lock, or disabled
)

// kinOf is the entries of the group for which an entity's index was taken. Precondition: its Kin is
// not 0, as with the flag inKin. A dissolved group has empty entries.
func (s *Store) kinOf(e Entity) *Words {
	return &s.groups[s.ids.Kin(e.Index())-1].words
}
