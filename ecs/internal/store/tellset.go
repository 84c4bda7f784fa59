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

// keepOld copies the values of n entities that follow, also if nothing asks for them yet: something may before they are told.
func (x *Subject) keepOld(old raw.Ptr, n int) {
	if from, bytes := uintptr(len(x.set))*x.Size, uintptr(n)*x.Size; bytes > 0 {
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

// TellSets tells the observer of values that were set, if there are some, and calls its Done.
func (s *Store) TellSets() { s.done() }

// ToldSet is TellSets of one component.
func (s *Store) ToldSet(c *Component) {
	if c.setting != nil {
		s.done()
	}
}

// Set writes a value over the one at an address, which an entity has, while nothing iterates, and tells of it. A value that
// is all there is to tell needs no list.
func (s *Store) Set(c *Component, e Entity, to, v raw.Ptr) {
	x, t := c.setting, s.telling
	switch {
	case x == nil:
		raw.Copy(to, v, c.Size)
	case t.pending():
		x.sets(e, to)
		raw.Copy(to, v, c.Size)
		s.done()
	default:
		if x.asks[1] > 0 {
			raw.Copy(x.sides[1].now.Values, to, c.Size)
		}
		raw.Copy(to, v, c.Size)
		t.single[0] = e
		t.tellSet(x)
	}
}

// pending tells whether there is something to tell, or a verb goes on.
func (t *telling) pending() bool {
	for _, x := range t.setting {
		if len(x.set) > 0 {
			return true
		}
	}
	return t.waits > 0
}

// tellSet tells both sides of the entity of single. All is logged first: see tell.
func (t *telling) tellSet(x *Subject) {
	out, in := &x.sides[1], &x.sides[0]
	if x.Logged {
		x.Log(&out.now)
		x.Log(&in.now)
	}
	done := out.first != nil && t.call(out)
	if in.first != nil && t.call(in) || done {
		t.Done()
	}
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
		if len(l.set) > 0 {
			t.callAll(l.leave(x))
		}
		if l.late {
			l.set = slices.DeleteFunc(l.set, func(e Entity) bool { return !x.Component.Has(e) })
		}
		if len(l.set) > 0 {
			t.callAll(Told{Of: x, Entities: l.set})
		}
	}
}

// forgetSets empties the lists that were told.
func (t *telling) forgetSets() {
	for _, x := range t.setting {
		x.lately.Met(len(x.told.set))
		x.told.set, x.told.late = x.told.set[:0], false
	}
}
