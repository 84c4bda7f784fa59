package store

import "slices"

// Groups of an owner may observe components of others, so the table of a row is chosen by two facts:
// the components that the owner has for it, and how many levels its entity satisfies by the rest.
// The second number is the cap. It is part of the key of a family, as the fixed components are, so
// rows with different caps are never in one table, and a walk over a group tests no row:
//
//	levels        0 bodies {Pos}   1 movers {Pos, Vel}   2 hunters {Pos, Vel, Ai} without Asleep
//	awake         cap 3            all three are open to it
//	asleep        cap 2            a hunter in all but name: its row is in another table
//
// A change of an observed component moves the row to the table with its new cap: see regroup.

// met tells whether an entity satisfies With and Without of the level. The function has tells which
// components it has.
func (v *Level) met(has func(*Component) bool) bool {
	return !slices.ContainsFunc(v.with, func(c *Component) bool { return !has(c) }) && !slices.ContainsFunc(v.without, has)
}

// cap is how many levels, from the outermost on, such an entity satisfies by the components that they observe.
// Components of the owner do not count: they are the table's (level).
func (o *Owner) cap(has func(*Component) bool) (n int) {
	for n < len(o.levels) && o.levels[n].met(has) {
		n++
	}
	return n
}

// capOf is cap for an entity as it is now. An owner that observes nothing has one cap for all.
func (o *Owner) capOf(e Entity) int {
	if !o.observes {
		return len(o.levels)
	}
	return o.cap(func(c *Component) bool { return c.Has(e) })
}

// stricter tells whether all members of the level would be members of the level than.
func (v *Level) stricter(than *Level) bool {
	return within(than.fixed, v.fixed) && within(than.with, v.with) && within(than.without, v.without)
}
