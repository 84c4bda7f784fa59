package store

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/policy"
)

// Visits tells how many rows scheduled systems went over in this frame that require a
// component, and that exclude it.
type Visits func(c *Component) (required, excluded int)

// decide has the policy look at the frame, and begins what it comes to.
func (s *Store) decide() {
	if s.frame%livingEvery == 1 || s.recount && !s.working {
		s.countLiving()
	}
	for _, d := range s.policy.EndFrame(policy.Tables{Living: s.living, Rows: s.rows, Busy: s.working}) {
		s.Change(s.comps[d.Component], ways[d.To])
	}
}

// countLiving counts tables that have rows, and drops some of those that have none.
func (s *Store) countLiving() {
	s.recount = s.working // or more would change over for tables that are gone
	s.living, s.rows = 0, 0
	var dead []*Table
	for _, t := range s.Commons.tables {
		switch n := t.Seq.Len(); {
		case n > 0:
			s.living++
			s.rows += n
			t.empty = 0
		case t.empty == 0:
			t.empty = s.frame
		default:
			dead = append(dead, t)
		}
	}
	// Tables that are empty cost each system a look; to make one anew costs much more.
	if len(dead) > s.living+deadMost || len(dead) > 0 && s.frame%deadAfter == 1 {
		s.dropTables(slices.DeleteFunc(dead, func(t *Table) bool { return s.frame-t.empty < deadAfter && len(dead) <= s.living+deadMost }))
	}
}

// deadAfter is for how many frames a table without rows is kept, and deadMost how many of
// them more than those with rows.
const (
	deadAfter = 64
	deadMost  = 32
)

// livingEvery is for how many frames the number of tables with rows is taken as it was.
const livingEvery = 8

// ways are the policy's.
var ways = [...]Way{policy.Fixed: Fixed, policy.Optional: Optional, policy.Thin: Thin}

// counts is what the policy wants to know of a component.
func (s *Store) counts(i int, merges bool) (n policy.Counts) {
	c := s.comps[i]
	if s.visits != nil {
		n.Required, n.Excluded = s.visits(c)
	}
	for _, t := range c.tables {
		n.Have += t.Count(c)
		if t.owner == c.owner {
			n.Among += t.Seq.Len()
		}
	}
	if c.way == Thin { // as it was when it lay in tables
		n.Among = max(n.Among, c.among, n.Have)
	} else {
		c.among = n.Among
	}
	if merges {
		n.Merges = s.merges(c)
	}
	return n
}

// merges is how many tables with rows would merge with another if a component were not
// fixed.
func (s *Store) merges(c *Component) (n int) {
	for _, t := range c.tables {
		if t.owner != c.owner || t.Seq.Len() == 0 || !t.Has(c) {
			continue
		}
		f := t.owner.families[familyKey(without(t.fixed, c), t.family.cap)]
		if f != nil && slices.ContainsFunc(f.tables, func(u *Table) bool { return u.Seq.Len() > 0 }) {
			n++
		}
	}
	return n
}

// Report tells how a component is stored, and why.
func (c *Component) Report() policy.Report { return c.s.policy.Report(int(c.ID)) }
