package store

import (
	"math/bits"

	"github.com/ashlar-go/ashlar/ecs/internal/entities"
)

// plane is sets of places, up to 64, where entities have rows besides their home: those of
// groups, or those of thin components, of which few entities have any.
//
//	sets   index 3: 0000…0101      places[0] group "body"
//	       index 7: 0000…0001      places[2] group "soul"
type plane struct {
	sets   Words    // by index
	places []*Words // by bit: the entries that name the rows there
	groups bool
}

// placeBits is how many places a plane has.
const placeBits = 64

// newPlace makes a place for rows that are named by entries.
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

func (p *plane) add(w *Words) place {
	p.places = append(p.places, w)
	return place{p, 1 << (len(p.places) - 1)}
}

// place is the bit of entities that have a row in certain tables; the zero value is no place.
type place struct {
	*plane
	bit uint64
}

// prepare makes sure that the set of an entity, one of so many, can be written.
func (p place) prepare(i, bound uint32, more int) error {
	if p.groups {
		return p.sets.dense(i)
	}
	return p.sets.ensure(i, bound, more)
}

// enter notes that an entity has a row in a table, and leave that it has none there. For the
// group that an entity was spawned into, its record has the note: the caller has read the
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

func (t *Table) leave(e Entity) {
	switch p := t.place; {
	case p.plane == nil:
	case t.kin(e):
		t.s.ids.ClearFlag(e, inKin)
	default:
		p.sets.set(e.Index(), p.sets.Load(e.Index())&^p.bit)
	}
}

// flag is the one that stands for a row in the table without a set, and the Kin of the
// blocks for whose entities it does; 0 is any. For tables of thin components none does.
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

// clear makes the sets of indexes below a bound empty.
func (p *plane) clear(bound uint32) {
	flat := p.sets.flat
	clearWritten(flat[:min(len(flat), int(bound))])
	clear(p.sets.rare)
}

// words are the entries that name the row at a set's first place.
func (p *plane) words(set uint64) *Words { return p.places[bits.TrailingZeros64(set)] }
