package store

import (
	"errors"
	"fmt"
	"slices"
)

// Group is what a group is declared with.
type Group struct {
	Name string
	// Fixed are the components that members have in its rows, and Optional others that they
	// may have there.
	Fixed, Optional []*Component
	// With and Without are components that members have elsewhere, and lack.
	With, Without []*Component
}

// Declare is DeclareLevel for a group that observes nothing.
func (s *Store) Declare(name string, comps, opts []*Component) (*Owner, error) {
	v, err := s.DeclareLevel(Group{Name: name, Fixed: comps, Optional: opts})
	if err != nil {
		return nil, err
	}
	return v.owner, nil
}

// DeclareLevel makes a group: of components that are the commons' until now, or within
// another one, or around one. Entities that have some of them already move their values
// there, in the order in which the commons have them. After an error no entity has moved to
// other rows but those of the same owner.
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
		list, err = s.transfer(o, comps)
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
	s.moving = slices.DeleteFunc(s.moving, func(c *Component) bool { return slices.Contains(comps, c) })
	for _, c := range comps {
		s.vacate(c)
	}
	for _, c := range comps {
		if c.was = Fixed; c.stated {
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
	s.tellArrived(list)
	return v, nil
}

// sorted is components as a set.
func sorted(comps []*Component) (set []*Component) {
	for _, c := range comps {
		set = with(set, c)
	}
	return set
}

// ownerFor is the owner that a group is to be of: that of some of its components, or a new one.
func (s *Store) ownerFor(g Group) (o *Owner, err error) {
	seen := slices.Concat(g.Fixed, g.Optional, g.With, g.Without)
	for i, c := range seen {
		if slices.Contains(seen[:i], c) {
			return nil, fmt.Errorf("component %q is named twice", c.Name)
		}
	}
	if len(g.Fixed) == 0 {
		return nil, fmt.Errorf("it owns no component")
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
	o = &Owner{s: s, Name: g.Name, families: make(map[string]*family), epoch: 1}
	o.words = makeWords(s.m.Arena(), s.indexes())
	o.words.owner = o
	o.place = s.newPlace(&o.words, true)
	s.groups = append(s.groups, o)
	o.home.Kin = uint32(len(s.groups))
	return o, nil
}

// fits returns an error if a group can't be one of the owner's.
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

// give gives a component to an owner, to be stored in some way there and left so.
func (c *Component) give(o *Owner, w Way) {
	s := c.s
	c.owner, c.way, c.stated = o, w, true
	c.own.reset()
	c.settled(w == Fixed)
	s.policy.State(int(c.ID), policies[w])
}

// Dissolve ends a group. What only it owned goes back to the commons, and is stored as it was
// registered. Members stay in rows of the groups around and within it. After an error nothing has
// changed.
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
		if c.was != Fixed {
			c.stated = false
			s.Change(c, c.was)
			c.stated = true
			s.policy.State(int(c.ID), policies[c.was])
		}
	}
	s.tellArrived(list)
	return nil
}

// endOwner drops what an owner has made. Its components are others' by now.
func (s *Store) endOwner(o *Owner) {
	for _, t := range slices.Clone(o.tables) {
		t.evict()
		s.dropTable(t)
	}
	o.words.reset()
	s.ids.Drop(&o.home)
	s.owners = slices.DeleteFunc(s.owners, func(x *Owner) bool { return x == o })
}

// evict removes all rows of a table, with the entries that name them.
func (t *Table) evict() {
	for id, n := range t.Seq.Chunks() {
		for _, e := range t.s.Entities(id, n) {
			t.leave(e)
			t.words.set(e.Index(), 0)
		}
	}
	t.s.m.Shift()
	t.Seq.Truncate(0)
	for _, x := range t.opts {
		clear(x.Bits)
		x.Count = 0
	}
}

// vacate empties the table of a component that was thin.
func (s *Store) vacate(c *Component) {
	if c.thin != nil {
		c.thin.evict()
		s.dropTable(c.thin)
		c.thin = nil
	}
}

// clean moves rows of an owner to tables without columns of the given components, which
// are owned elsewhere by now. Where memory is refused for that, the columns stay, unused.
func (s *Store) clean(o *Owner, comps []*Component) {
	stale := func(c *Component) bool { return slices.Contains(comps, c) }
	o.epoch++ // edges may lead to tables with such columns
	for _, t := range slices.Clone(o.tables) {
		if !slices.ContainsFunc(t.fixed, stale) && !slices.ContainsFunc(t.opts, func(x *Opt) bool { return stale(x.C) }) {
			continue
		}
		if t.moveOut() == nil {
			s.dropTable(t)
		} else {
			t.shed(stale)
		}
	}
}

// errStays says that a row belongs where it is.
var errStays = errors.New("store: a row belongs where it is")

// moveOut moves all rows of a table to where they belong by now. It stops at one that belongs
// where it is.
func (t *Table) moveOut() error {
	for t.Seq.Len() > 0 {
		l := t.Seq.Last()
		e := t.s.entityAt(l)
		ed, err := t.edge(nil, settling, l)
		switch {
		case err != nil:
			return err
		case ed.to == t:
			return errStays
		case ed.to != nil:
			_, err = t.move(e, l, ed, nil)
		default:
			t.leave(e)
			t.takeOut(e, l)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// shed has a table forget its columns of stale components, which stay in its chunks.
func (t *Table) shed(stale func(*Component) bool) {
	gone := func(u *Table) bool { return u == t }
	for _, c := range t.fixed {
		if stale(c) {
			c.tables = slices.DeleteFunc(c.tables, gone)
		}
	}
	for _, x := range t.opts {
		if stale(x.C) {
			x.C.tables = slices.DeleteFunc(x.C.tables, gone)
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
	t.s.rearranged()
}
