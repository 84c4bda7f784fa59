package store

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// A value that a call sets leaves, and another one arrives. Rows do not move, so a value may be set while something
// iterates, and by systems side by side, which set other components. So each subject has a list of its own.
//
//	nothing iterates      Sets, the value is written, TellSets
//	something iterates    Sets, the value is written, …         TellSets at the safe point, component by component

// Sets notes that a call is about to overwrite the value at an address, which an entity has.
func (s *Store) Sets(c *Component, e Entity, old raw.Ptr) {
	if x := c.setting; x != nil {
		x.sets(e, old)
	}
}

func (x *Subject) sets(e Entity, old raw.Ptr) {
	x.keepOld(old, 1)
	x.set = append(x.set, e)
}

// setsAll is sets of entities with values side by side.
func (x *Subject) setsAll(es []Entity, old raw.Ptr) {
	x.keepOld(old, len(es))
	x.set = append(x.set, es...)
}

// keepOld copies the values of n entities that follow.
func (x *Subject) keepOld(old raw.Ptr, n int) {
	if from, bytes := uintptr(len(x.set))*x.Size, uintptr(n)*x.Size; x.asks[1] > 0 && bytes > 0 {
		x.old = raw.Room(x.old, from+bytes)
		raw.CopyAll(raw.At(raw.Data(x.old), from), old, bytes)
	}
}

// SetLater has the values of a component that were set so far be told at the next safe point.
func (s *Store) SetLater(c *Component) {
	if x := c.setting; x != nil {
		x.late = true
	}
}

// TellSets tells the observer of values that were set.
func (s *Store) TellSets() {
	if t := s.telling; t != nil && len(t.setting) > 0 {
		s.done()
	}
}

// ToldSet is TellSets of one component.
func (s *Store) ToldSet(c *Component) {
	if c.setting != nil {
		s.toldSet(c.setting)
	}
}

// toldSet tells of one component. A single value needs no list.
func (s *Store) toldSet(x *Subject) {
	if t := s.telling; len(x.set) != 1 || x.late || !t.only(x) {
		s.done()
	} else if t.toldValue(x) {
		t.Done()
	}
}

// only tells whether values of a component are all that there is to tell, and may be told now.
func (t *telling) only(x *Subject) bool {
	for _, y := range t.setting {
		if y != x && len(y.set) > 0 {
			return false
		}
	}
	return t.waits == 0 && len(t.notices) == 0
}

// toldValue tells of a single value. Observers may set values again, so the old one is in the other list.
func (t *telling) toldValue(x *Subject) (done bool) {
	t.single[0], x.set = x.set[0], x.set[:0]
	if x.asks[1] > 0 {
		x.old, x.told.old = x.told.old, x.old
		x.single[1].Values = raw.Data(x.told.old)
	}
	if x.Logged {
		x.Log(&x.single[1])
		x.Log(&x.single[0])
	}
	if x.asks[1] > 0 {
		done = x.Told(&x.single[1])
	}
	if x.asks[0] > 0 {
		done = x.Told(&x.single[0])
	}
	return done
}

// logSets logs values that were set, and has tellSets tell them. It tells whether there are some. Observers may set
// values again: these wait in the other list.
func (t *telling) logSets() (some bool) {
	for _, x := range t.setting {
		if len(x.set) == 0 {
			continue
		}
		some = true
		x.setList, x.told = x.told, x.setList
		if x.Logged {
			t.now = x.told.leave(x)
			t.now.Of.Log(&t.now)
			t.now = Told{Of: x, Entities: x.told.set}
			t.now.Of.Log(&t.now)
		}
	}
	return some
}

// leave is the values that were overwritten.
func (l *setList) leave(x *Subject) (t Told) {
	t = Told{Of: x, Left: true, Entities: l.set}
	if x.Size > 0 {
		t.Values = raw.Data(l.old)
	}
	return t
}

// tellSets tells of each component: first of the values that were overwritten.
func (t *telling) tellSets() {
	for _, x := range t.setting {
		l := &x.told
		if len(l.set) > 0 && x.asks[1] > 0 {
			t.now = l.leave(x)
			t.now.Of.Told(&t.now)
		}
		if l.late {
			l.set = slices.DeleteFunc(l.set, func(e Entity) bool { return !x.Component.Has(e) })
		}
		if len(l.set) > 0 && x.asks[0] > 0 {
			t.now = Told{Of: x, Entities: l.set}
			t.now.Of.Told(&t.now)
		}
	}
}

// forgetSets empties the lists that were told.
func (t *telling) forgetSets() {
	for _, x := range t.setting {
		x.told.set, x.told.late = x.told.set[:0], false
	}
}
