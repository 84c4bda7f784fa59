package ecs

import (
	"fmt"

	"github.com/ashlar-go/ashlar/memmgr"
)

// A plan says where the rows that match a query are, and what has to be tested.
//
// Each sequence guarantees some components for all its rows: a group's those it
// owns, a pool's loose rows that one. An entity that matches has every required
// component in exactly one row of that component's pool, so going over the rows
// of any one required pool, the driver, meets each match once:
//
//	driver d:  rows of the group that owns d   nothing to test if the group owns
//	                                           all that is required
//	           loose rows of d                 none match if all that d's group
//	                                           owns is required: they'd be in it
//
// The driver is the required pool with the fewest rows to visit; the first field
// wins a tie. It depends on counts alone, so it is the same on every machine.

// source is a sequence to go over, and what is left to test there.
type source struct {
	group *group // whose rows they are; nil for loose ones
	seq   *memmgr.Sequence
	all   []*pool // components to test for
	none  []*pool // components to test against
}

// planner is the pure part of a query: sets of pools.
type planner struct {
	required, excluded []*pool
}

// with appends a sequence to go over, and what is left to test in it given the
// components that all its rows have; nothing if they have one that is excluded. Lists
// that dst had behind its end are used again.
func (q *planner) with(dst []source, g *group, seq *memmgr.Sequence, has func(*pool) bool) []source {
	var s source
	if len(dst) < cap(dst) {
		s = dst[:len(dst)+1][len(dst)]
	}
	s.group, s.seq, s.all, s.none = g, seq, s.all[:0], s.none[:0]
	for _, p := range q.required {
		if !has(p) {
			s.all = append(s.all, p)
		}
	}
	for _, p := range q.excluded {
		if has(p) {
			return dst
		}
		s.none = append(s.none, p)
	}
	return append(dst, s)
}

// covered tells whether all that a group owns is required.
func (q *planner) covered(g *group) bool {
	for _, p := range g.pools {
		found := false
		for _, r := range q.required {
			found = found || r == p
		}
		if !found {
			return false
		}
	}
	return true
}

// cost is the number of rows to visit with a driver.
func (q *planner) cost(d *pool) int {
	if d.group != nil && q.covered(d.group) {
		return d.group.seq.Len()
	}
	return d.Len()
}

// sources appends the sequences to go over for the best driver.
func (q *planner) sources(dst []source) []source {
	var driver *pool
	best := 0
	for _, p := range q.required {
		if c := q.cost(p); driver == nil || c < best {
			driver, best = p, c
		}
	}
	if driver == nil || best == 0 {
		return dst
	}
	if g := driver.group; g != nil {
		if g.seq.Len() > 0 {
			dst = q.with(dst, g, g.seq, func(p *pool) bool { return p.group == g })
		}
		if q.covered(g) {
			return dst
		}
	}
	if driver.loose != nil && driver.loose.Len() > 0 {
		dst = q.with(dst, nil, driver.loose, func(p *pool) bool { return p == driver })
	}
	return dst
}

// matches tells whether an entity passes the tests of a source.
func (s *source) matches(e Entity) bool {
	for _, p := range s.all {
		if !p.Has(e) {
			return false
		}
	}
	for _, p := range s.none {
		if p.Has(e) {
			return false
		}
	}
	return true
}

// rebind returns the pool of a group that stands for p: of the same type. Systems
// over several groups of the same shape read each group's own.
func (g *group) rebind(p *pool) (*pool, error) {
	var found *pool
	for _, q := range g.pools {
		if q.typ == p.typ {
			if found != nil {
				return nil, fmt.Errorf("group %q owns two components of type %v", g.name, p.typ)
			}
			found = q
		}
	}
	if found == nil {
		return nil, fmt.Errorf("group %q owns no component of type %v", g.name, p.typ)
	}
	return found, nil
}
