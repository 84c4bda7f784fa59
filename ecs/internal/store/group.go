package store

import (
	"fmt"
	"math/bits"
	"slices"
)

// Declare is DeclareLevel for a group that observes nothing.
func (s *Store) Declare(name string, comps, opts []*Component) (*Owner, error) {
	v, err := s.DeclareLevel(Group{Name: name, Fixed: comps, Optional: opts})
	if err != nil {
		return nil, err
	}
	return v.owner, nil
}

// DeclareLevel makes a group: of components that are the commons' until now, or within another group,
// or around one. Entities that have some of the components already move their values there. Of a new
// owner, members come in the order of Having. After an error no entity has moved to rows of another
// owner.
//
//	step                                    may fail   undone by
//	checks: ownerFor, find                  yes        nothing was changed
//	insert: the level; its main table       yes        remove, endOwner
//	recap: rows of the owner get new caps   yes        stays: tables differ, entities do not
//	transfer: copies without entries        yes        transfer itself
//	owner and way of the components         no
//	arrive: entries name the copies         no
//	clean: old rows lose their columns      no
//
// So everything that needs memory comes before the first component changes its owner. Clean needs
// memory too, but does without where it is refused. The cost is that of all entities with these
// components, in one call.
func (s *Store) DeclareLevel(g Group) (*Level, error) {
	o, err := s.ownerFor(g)
	if err != nil {
		return nil, err
	}
	v := &Level{Name: g.Name, owner: o, fixed: sorted(g.Fixed), opts: sorted(g.Optional), with: sorted(g.With), without: sorted(g.Without)}
	at, err := o.find(v)
	if err != nil {
		return nil, err
	}
	var comps []*Component
	for _, c := range slices.Concat(g.Fixed, g.Optional) {
		if c.owner == s.Commons {
			comps = append(comps, c)
		}
	}
	others := o.insert(v, at)
	v.Main, err = o.family(v.fixed, len(o.levels)).table(o.opts)
	if o.Main == nil {
		o.Main = v.Main
	} else if err == nil && others {
		err = o.recap(at)
	}
	var list []arrival
	if err == nil {
		list, err = s.transfer(o, leading(comps, rarest(g.Fixed)))
	}
	if err != nil {
		o.remove(v)
		if len(o.levels) == 0 {
			s.endOwner(o)
		}
		return nil, err
	}
	if !slices.Contains(s.owners, o) {
		s.owners = append(s.owners, o)
	}
	o.comps = append(o.comps, comps...)
	s.moving = slices.DeleteFunc(slices.Clone(s.moving), func(c *Component) bool { return slices.Contains(comps, c) })
	// From here on nothing can be refused. Thin rows go before the owner changes, while place and
	// entries still are the component's own.
	for _, c := range comps {
		s.vacate(c)
	}
	for _, c := range comps {
		if c.was, c.wasStated = Fixed, c.stated; c.stated {
			c.was = c.way
		}
		c.give(o, Fixed)
		if slices.Contains(g.Optional, c) {
			c.give(o, Optional)
		}
	}
	s.arrive(list)
	s.clean(s.Commons, comps)
	s.rearranged()
	s.rewatch()
	return v, nil
}

// leading is a list of components that begins with c, if c is one of them.
func leading(comps []*Component, c *Component) []*Component {
	i := slices.Index(comps, c)
	if i < 0 {
		return comps
	}
	return slices.Insert(slices.Delete(slices.Clone(comps), i, i+1), 0, c)
}

// ownerFor is the owner that a group is to be of: that of some of its components, or a new one. A new
// owner takes over the place, the Kin and the entries of one that has ended. Otherwise worlds in which groups come
// and go would come to have a plane for each 64 of these, and an array of entries for each.
func (s *Store) ownerFor(g Group) (o *Owner, err error) {
	if err := g.Fits(); err != nil {
		return nil, err
	}
	for _, c := range slices.Concat(g.Fixed, g.Optional) {
		switch {
		case c.owner == s.Commons:
		case o == nil:
			o = c.owner
		case o != c.owner:
			return nil, fmt.Errorf("component %q is owned by group %q, and another one by group %q: a component has one owner; let this group read it through a query instead", c.Name, c.owner.Name, o.Name)
		}
	}
	if o != nil {
		return o, o.fits(g)
	}
	o = &Owner{store: s, Name: g.Name, families: make(map[string]*family), ways: 1}
	if n := len(s.ended); n > 0 {
		o.replace(s.ended[n-1])
		s.ended = s.ended[:n-1]
		return o, nil
	}
	o.words = makeWords(s.manager.Arena(), s.indexes())
	o.words.owner = o
	o.place = s.newPlace(&o.words, true)
	s.groups = append(s.groups, o)
	o.home.Kin = uint32(len(s.groups))
	return o, nil
}

// replace takes over the place, the Kin and the entries of an owner that has ended. No row is noted there. Indexes
// in blocks of the Kin are from now on those of the new owner's group.
func (o *Owner) replace(was *Owner) {
	o.words, was.words = Words{array: was.words.array, owner: o}, Words{}
	o.place = was.place
	o.place.plane.places[bits.TrailingZeros64(o.place.bit)] = &o.words
	o.home.Kin = was.home.Kin
	o.store.groups[o.home.Kin-1] = o
}

// fits returns an error if a group can't be one of the owner's levels. The messages say what to
// declare instead.
func (o *Owner) fits(g Group) error {
	for _, c := range g.Fixed {
		if slices.Contains(o.opts, c) {
			return fmt.Errorf("component %q is optional in group %q, so a group that shares its components can't require it: make it a component of an inner group that %q does not have", c.Name, o.Name, o.Name)
		}
	}
	for _, c := range g.Optional {
		if c.owner == o && !slices.Contains(o.opts, c) {
			return fmt.Errorf("component %q is optional here, and group %q, which shares components with this one, has it in all its members' rows: leave it out, because the entities that have it are that group", c.Name, o.Name)
		}
	}
	for _, v := range o.levels {
		for _, c := range slices.Concat(v.with, v.without) {
			if slices.Contains(g.Fixed, c) || slices.Contains(g.Optional, c) {
				return fmt.Errorf("component %q is observed by group %q, which shares components with this one: remove it from one of the two", c.Name, v.Name)
			}
		}
	}
	for _, c := range slices.Concat(g.With, g.Without) {
		if c.owner == o {
			return fmt.Errorf("component %q is observed, and group %q, which shares components with this one, owns it: declare a group within or around that one instead", c.Name, o.Name)
		}
	}
	return nil
}

// give makes a component another owner's, to be stored in the way w there. The way counts as stated,
// so the policy leaves it from then on. Thin entries are forgotten: the thin table must be empty, or
// gone (vacate).
func (c *Component) give(o *Owner, w Way) {
	s := c.store
	c.owner, c.way, c.stated = o, w, true
	c.own.reset()
	c.settled()
	s.policy.State(int(c.ID), policies[w])
}

// Dissolve ends a group. Components that only it owned go back to the commons, and are stored as they
// were registered. Members stay in rows of the groups around and within it. After an error nothing has
// changed; only the copies need memory.
//
//	transfer   copies of these components' values in rows of the commons; may fail
//	remove     the level goes, and the components get their owner
//	arrive     entries name the copies
//	clean      old rows lose the columns, or endOwner drops all tables
//	restate    the policy decides on components again that code did not state; others that were
//	           optional or thin change over, in later frames
func (s *Store) Dissolve(v *Level) error {
	o := v.owner
	if v.index() < 0 {
		return nil
	}
	var comps []*Component
	for _, c := range o.comps {
		kept := slices.ContainsFunc(o.levels, func(x *Level) bool {
			return x != v && (slices.Contains(x.fixed, c) || slices.Contains(x.opts, c))
		})
		if !kept {
			comps = append(comps, c)
		}
	}
	list, err := s.transfer(s.Commons, comps)
	if err != nil {
		return err
	}
	o.comps = slices.DeleteFunc(o.comps, func(c *Component) bool { return slices.Contains(comps, c) })
	o.remove(v)
	for _, c := range comps {
		c.give(s.Commons, Fixed)
	}
	s.arrive(list)
	if len(o.levels) == 0 {
		s.endOwner(o)
	} else {
		s.clean(o, comps)
		o.merge()
	}
	s.rearranged()
	s.rewatch()
	for _, c := range comps {
		c.restate()
	}
	return nil
}

// restate has a component stored as it was registered, after give has made it fixed and stated.
func (c *Component) restate() {
	c.stated = false
	if !c.wasStated {
		c.store.policy.Release(int(c.ID))
		return
	}
	c.store.Change(c, c.was)
	c.stated = true
	c.store.policy.State(int(c.ID), policies[c.was])
}

// endOwner drops tables, entries and home of an owner that owns no component any more. The owner stays
// in Store.groups, because indexes keep the Kin of their blocks, until another one takes its place.
func (s *Store) endOwner(o *Owner) {
	for _, t := range slices.Clone(o.tables) {
		t.evict()
		s.dropTable(t)
	}
	o.words.reset()
	if s.tidier.words == &o.words {
		s.tidier.words, s.tidier.at = nil, 0
	}
	s.ids.Drop(&o.home)
	s.owners = slices.DeleteFunc(s.owners, func(x *Owner) bool { return x == o })
	s.ended = append(s.ended, o)
}

// vacate removes the rows and the table of a component that was thin. Its values were copied by
// transfer before.
func (s *Store) vacate(c *Component) {
	if c.thin != nil {
		c.thin.evict()
		s.dropTable(c.thin)
		c.thin = nil
	}
}

// clean moves rows of an owner to tables without columns of the given components, which are owned
// elsewhere by now. Where memory is refused for that, the columns stay, unused (shed).
func (s *Store) clean(o *Owner, comps []*Component) {
	stale := func(c *Component) bool { return slices.Contains(comps, c) }
	o.ways++ // edges may lead to tables with such columns
	for _, t := range slices.Clone(o.tables) {
		if !slices.ContainsFunc(t.comps(), stale) {
			continue
		}
		if t.moveOut() {
			s.dropTable(t)
		} else {
			t.shed(stale)
		}
	}
}

// shed makes a table forget its columns of stale components. The columns stay in its chunks, and cost
// memory until the rows move. The table changes its family, because the fixed components are others.
func (t *Table) shed(stale func(*Component) bool) {
	gone := func(u *Table) bool { return u == t }
	for _, c := range t.comps() {
		if stale(c) {
			c.tables = slices.DeleteFunc(c.tables, gone)
		}
	}
	t.leaveFamily()
	t.fixed = slices.DeleteFunc(slices.Clone(t.fixed), stale)
	t.opts = slices.DeleteFunc(slices.Clone(t.opts), func(x *Opt) bool { return stale(x.C) })
	t.family = t.owner.family(t.fixed, t.family.cap)
	t.family.tables = append(t.family.tables, t)
	t.lanes, t.fixedSet = lanesOf(t.fixed), setOf(t.fixed)
	t.optSet = setOf(compsOf(t.opts))
	t.findBare()
	t.store.rearranged()
}
