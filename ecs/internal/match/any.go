package match

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// anyOf is a list of components. Rows of a table must have at least one, if that is
// left to test. Optional ones are tested by their bits, ORed a word at a time. Components
// that are stored elsewhere are marked from their side. No row is looked up.
//
//	opts    bits of B        0110
//	apart   marks of C     | 0001
//	fixed   all &^ off     | 1000      off: rows that have it disabled
//	                       = 1111      then one more mask of with
//
// The lists are found with the filter, and are never written again. Counts decide in each walk
// which of them still matter: see idle and only.
type anyOf struct {
	opts  []*store.Opt       // columns of the table that are optional there
	apart []*store.Component // components of other tables
	fixed []*store.Component // components of every row, which were disabled once
}

// oneOf finds a list in a table of a driver. All tells that each row has one of them, ok that
// some row may. A fixed component that was never disabled ends the search: every row passes, and
// the list is dropped from the filter. One that was ever disabled stays, because it may be again.
func oneOf(t *store.Table, list []*store.Component, driver *store.Component) (a anyOf, all, ok bool) {
	for _, c := range list {
		switch ExtentFor(t, c, driver) {
		case Every:
			if !c.Disables() {
				return a, true, true
			}
			a.fixed = append(a.fixed, c)
		case Some:
			a.opts = append(a.opts, t.Opt(c))
		case Elsewhere:
			a.apart = append(a.apart, c)
		}
	}
	return a, false, len(a.opts)+len(a.apart)+len(a.fixed) > 0
}

// idle tells whether counts show that no row has one of them.
func (a anyOf) idle() bool {
	return len(a.fixed) == 0 && !slices.ContainsFunc(a.opts, func(x *store.Opt) bool { return x.Count > 0 }) &&
		!slices.ContainsFunc(a.apart, func(c *store.Component) bool { return c.Len() > 0 })
}

// only returns the mask of the only component that any entity has; without bits if there is none.
// One component needs no OR, so its bits serve without a copy. They are the table's: the caller
// must not write them, nor use them while something disabled decides.
func (a anyOf) only() (m mask) {
	if len(a.fixed) > 0 {
		return mask{}
	}
	for _, c := range a.apart {
		if c.Len() > 0 {
			return mask{}
		}
	}
	for _, x := range a.opts {
		if x.Count > 0 && m.bits != nil {
			return mask{}
		}
		if x.Count > 0 {
			m = maskOf(x)
		}
	}
	return m
}

// mark finds the bits of the rows that have one of them, and not disabled. The result is scratch
// of the tests, good until Begin. It costs a pass over the table's words for each component, plus
// the marking of components that lie elsewhere.
func (t *Tests) mark(f *Filter, a anyOf) []uint64 {
	marks := t.bitsOf(f)
	add := func(c *store.Component, has []uint64) {
		for i, w := range t.enabled(f, c, mask{bits: has}).bits[:len(marks)] {
			marks[i] |= w
		}
	}
	for _, x := range a.opts {
		if x.Count > 0 {
			add(x.C, x.Bits)
		}
	}
	for _, c := range a.apart {
		add(c, f.Table.Marked(c))
	}
	if len(a.fixed) > 0 {
		all := slices.Repeat([]uint64{^uint64(0)}, len(marks))
		for _, c := range a.fixed {
			add(c, all)
		}
	}
	return marks
}
