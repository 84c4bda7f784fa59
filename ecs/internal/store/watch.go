package store

import (
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// Groups that observe components of others follow those that come and go. Before an entity
// gets one, or loses it, its row moves to the table of rows that meet as many levels then.
// Such groups use the hooks, so a store without them looks at nothing more.

// rewatch notes which components are observed.
func (s *Store) rewatch() {
	for _, c := range s.comps {
		c.watch = nil
	}
	some := false
	for _, o := range s.owners {
		for _, v := range o.levels {
			for _, c := range slices.Concat(v.with, v.without) {
				if some = true; !slices.Contains(c.watch, o) {
					c.watch = append(c.watch, o)
				}
			}
		}
	}
	switch {
	case s.hooks != nil:
		s.hooks.watches = some
		if !some && s.hooks.none {
			s.hooks = nil
		}
	case some:
		s.hooks = &hooks{watches: true, none: true}
	}
}

// regroup moves the rows of an entity in groups that observe a component to where they belong
// once it is present, or is not. After an error they are where they were.
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

// follow is regroup for one owner.
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

// addWatched is Add where some group may observe the component.
func (s *Store) addWatched(c *Component, e Entity, v raw.Ptr) error {
	if len(c.watch) == 0 || c.Has(e) || !s.Alive(e) {
		return s.Add(c, e, v)
	}
	if err := s.regroup(e, c, true); err != nil {
		return c.failed(err)
	}
	err := s.Add(c, e, v)
	if err != nil {
		_ = s.regroup(e, c, false)
	}
	return err
}

// removeWatched is Remove likewise.
func (s *Store) removeWatched(c *Component, e Entity) error {
	if len(c.watch) == 0 || !c.Has(e) {
		return s.Remove(c, e)
	}
	if err := s.regroup(e, c, false); err != nil {
		return c.failed(err)
	}
	err := s.Remove(c, e)
	if err != nil {
		_ = s.regroup(e, c, true)
	}
	return err
}

// fillWatched is Fill likewise: the entity may have had what groups of the bundle's components
// observe, and others may observe those.
func (b *Bundle) fillWatched(e Entity, v raw.Ptr) error {
	if err := b.Fill(e, v); err != nil {
		return err
	}
	var owners []*Owner
	for _, c := range b.comps {
		owners = append(owners, c.watch...)
		if c.owner.observes {
			owners = append(owners, c.owner)
		}
	}
	for _, o := range owners {
		if err := o.follow(e, nil, false); err != nil {
			b.undo(b.parts, e)
			for _, o := range owners {
				_ = o.follow(e, nil, false)
			}
			return err
		}
	}
	return nil
}

// checkCaps looks for rows in tables of those that meet more levels, or fewer.
func (o *Owner) checkCaps() error {
	for _, t := range o.tables {
		for id, n := range t.Seq.Chunks() {
			for _, e := range o.s.Entities(id, n) {
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
