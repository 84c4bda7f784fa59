package store

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/memmgr/frames"
)

// The policy knows counts, and neither tables nor entities. This file shows it what it may see:
//
//	Remove, RemoveAll …   ─ Removed ─→  policy   rows that lost a component in this frame
//	EndFrame              ─ counts ──→           rows that have it, rows passed by systems
//	EndFrame              ─ Tables ──→           tables with rows: are they too small?
//	Change                ←─ Decision ─          a component that changes over
//
// All of them follow from the calls made, so the ways of components are the same on every machine.

// countLiving counts tables of the commons that have rows, and drops some of those that have none. It
// runs every livingEvery frames, and once rows have settled. A table is dropped when it was empty for
// deadAfter frames, or earlier if there are too many such tables.
func (s *Store) countLiving() {
	s.recount = s.working // counts go out of date while rows move: they are made again after that
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
	deadAfter = frames.Many
	deadMost  = 32
)

// livingEvery is for how many frames the number of tables with rows is taken as it was.
const livingEvery = frames.Few

// ways are the policy's.
var ways = [...]Way{policy.Fixed: Fixed, policy.Optional: Optional, policy.Thin: Thin}

// counts returns the counts of a component that the policy decides by. Among is the rows of the
// owner's tables that have a column; a thin component has the number of the time before. With merges,
// the more costly count is made, too.
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

// merges is how many tables with rows would merge with another if a component were not fixed. It costs
// one look-up of a family for each table of the component.
func (s *Store) merges(c *Component) (n int) {
	for _, t := range c.tables {
		if t.owner != c.owner || t.Seq.Len() == 0 || !t.Has(c) {
			continue
		}
		f := t.owner.known(without(t.fixed, c), t.family.cap)
		if f != nil && slices.ContainsFunc(f.tables, func(u *Table) bool { return u.Seq.Len() > 0 }) {
			n++
		}
	}
	return n
}

// Report tells how a component is stored, and why.
func (c *Component) Report() policy.Report { return c.s.policy.Report(int(c.ID)) }
