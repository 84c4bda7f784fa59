package store

import (
	"fmt"
	"slices"
)

// A group updates its members when an observed component comes or goes. Before an entity
// gets one, or loses it, its row moves to the table of rows that meet as many levels then.
//
//	group body {Pos} with Awake      before Add of Awake   {Pos} cap 0   e
//	                                 regroup               {Pos} cap 1   e   it is a member
//	                                 Add                   Awake comes, in the commons
//
// The move comes first because it alone needs memory that may be refused: then nothing has changed.
// It can be undone without memory.

// rewatch finds out which components are observed, by groups or the observer. It sets watch, observed and
// quick of all components, and must follow each change of levels or of told.
func (s *Store) rewatch() {
	for _, c := range s.comps {
		c.watch = nil
	}
	s.watches = false
	for _, o := range s.owners {
		for _, v := range o.levels {
			for _, c := range slices.Concat(v.with, v.without) {
				if s.watches = true; !slices.Contains(c.watch, o) {
					c.watch = append(c.watch, o)
				}
			}
		}
	}
	for _, c := range s.comps {
		c.observed = len(c.watch) > 0 || c.told
		c.shortWays()
	}
}

// regroup moves the rows of an entity in groups that observe a component to where they belong once it
// is present, or is not. It comes before the change itself, while c.Has still gives the old answer.
// After an error the rows are in their former tables.
func (s *Store) regroup(e Entity, c *Component, present bool) error {
	for i, o := range c.watch {
		if err := o.follow(e, c, present); err != nil {
			for _, o := range c.watch[:i] {
				_ = o.follow(e, c, !present) // where there is room still: the row comes from there
			}
			return err
		}
	}
	return nil
}

// follow is regroup for one owner. With a nil component it takes the entity as it is. A row whose cap
// stays the same does not move.
func (o *Owner) follow(e Entity, c *Component, present bool) error {
	t, l, home := o.row(e)
	if !home {
		return nil
	}
	cap := o.cap(func(x *Component) bool { return x == c && present || x != c && x.Has(e) })
	if cap == t.family.cap {
		return nil
	}
	return t.setCap(e, l, cap)
}

// checkCaps proves that each row is in a table of its cap, and that each level is stricter than the
// one before.
func (o *Owner) checkCaps() error {
	for _, t := range o.tables {
		if !o.observes && t.family.cap == 0 {
			continue // so is the cap of any entity, and rows may stay unseen
		}
		for id, n := range t.Seq.Chunks() {
			for _, e := range o.store.Entities(id, n) {
				if cap := o.capOf(e); cap != t.family.cap {
					return fmt.Errorf("%v meets %d groups, and its row is in table %q of those that meet %d", e, cap, t.Seq.Name(), t.family.cap)
				}
			}
		}
	}
	for i, v := range o.levels {
		if i > 0 && !v.stricter(o.levels[i-1]) {
			return fmt.Errorf("group %q is said to stand within group %q", v.Name, o.levels[i-1].Name)
		}
	}
	return nil
}
