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

// tellSets tells of each component: first of the values that were overwritten.
func (t *telling) tellSets() {
	for _, x := range t.setting {
		if len(x.set) > 0 {
			t.tellSet(x)
		}
	}
}

// tellSet tells of one component. Observers may set values of it again: these wait in the other list.
func (t *telling) tellSet(x *Subject) {
	es, old, late := x.set, x.old, x.late
	x.set, x.old, x.late = x.told.set[:0], x.told.old, false
	x.told.set, x.told.old = es, old
	if x.asks[1] > 0 {
		t.now = Told{Of: x, Left: true, Entities: es}
		if x.Size > 0 {
			t.now.Values = raw.Data(old)
		}
		t.Told(&t.now)
	}
	if x.asks[0] == 0 {
		return
	}
	if late {
		es = slices.DeleteFunc(es, func(e Entity) bool { return !x.Component.Has(e) })
	}
	if len(es) > 0 {
		t.now = Told{Of: x, Entities: es}
		t.Told(&t.now)
	}
}
