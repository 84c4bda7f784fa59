package query

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// anyOf is a list of components of which rows of a source must have at least one, if that is
// left to test. Optional ones are tested by their bits, ORed a word at a time. Those that are
// stored elsewhere are marked from their side. No row is looked up.
type anyOf struct {
	opts  []*store.Opt       // those that are optional there
	apart []*store.Component // those that lie elsewhere
	fixed []*store.Component // those that all rows have, some of them disabled
}

// oneOf finds a list in a table of a driver. All tells that each row has one of them, ok that
// some row may.
func oneOf(t *store.Table, list []*store.Component, driver *store.Component) (a anyOf, all, ok bool) {
	for _, c := range list {
		switch lies(t, c, driver) {
		case Fixed:
			if !c.Disables() {
				return a, true, true
			}
			a.fixed = append(a.fixed, c)
		case Optional:
			a.opts = append(a.opts, t.Opt(c))
		case Absent:
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

// only returns the bits in place of the only component that any entity has; nil if there is
// none.
func (a anyOf) only() (bits []uint64) {
	if len(a.fixed) > 0 {
		return nil
	}
	for _, c := range a.apart {
		if c.Len() > 0 {
			return nil
		}
	}
	for _, x := range a.opts {
		if x.Count > 0 && bits != nil {
			return nil
		}
		if x.Count > 0 {
			bits = x.Bits
		}
	}
	return bits
}

// mark sets the bits of the rows that have one of them, and not disabled.
func (a anyOf) mark(s *Source, marks []uint64, h *hiding) []uint64 {
	add := func(c *store.Component, bits []uint64) {
		if h != nil {
			bits = h.without(s, c, bits)
		}
		for i, w := range bits[:len(marks)] {
			marks[i] |= w
		}
	}
	for _, x := range a.opts {
		if x.Count > 0 {
			add(x.C, x.Bits)
		}
	}
	for _, c := range a.apart {
		add(c, s.Table.Marked(c))
	}
	if len(a.fixed) > 0 {
		all := slices.Repeat([]uint64{^uint64(0)}, len(marks))
		for _, c := range a.fixed {
			add(c, all)
		}
	}
	return marks
}

// findAny finds the sources if nothing is required but one of several components: the tables of
// the first, then those of the second for entities that lack the first, and so on.
func (p *Plan) findAny() {
	p.sources, p.places, p.settled = nil, nil, true // walks under way may have the old ones
	p.made++
	for k, c := range p.Any[0] {
		q := Spec{Required: []*store.Component{c}, Excluded: slices.Concat(p.Excluded, p.Any[0][:k]), Any: p.Any[1:]}
		for _, t := range c.Tables() {
			if t.Owner() != nil && t.Owner() != c.Owner() {
				continue
			}
			if s, ok := q.find(t, c); ok {
				p.bind(&s, c)
				p.sources = append(p.sources, s)
			}
		}
	}
}
