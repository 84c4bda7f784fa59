package store

import (
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/memmgr"
)

// Declare makes a group: an owner of components that are the commons' until now. Those of
// opts are optional columns of its rows. Entities that have some of them already move their
// values there, in the order in which the commons have them. After an error nothing has
// changed.
func (s *Store) Declare(name string, comps, opts []*Component) (*Owner, error) {
	all := slices.Concat(comps, opts)
	for i, c := range all {
		if c.owner != s.Commons {
			return nil, fmt.Errorf("component %q is owned by group %q: a component has one owner; let this group read it through a query instead", c.Name, c.owner.Name)
		}
		if slices.Contains(all[:i], c) {
			return nil, fmt.Errorf("component %q is named twice", c.Name)
		}
	}
	if len(comps) == 0 {
		return nil, fmt.Errorf("it owns no component")
	}
	o := &Owner{s: s, Name: name, comps: all, families: make(map[string]*family)}
	o.words = makeWords(s.m.Arena(), s.indexes())
	o.place = s.newPlace(&o.words, true)
	s.groups = append(s.groups, o.place)
	o.home.Kin = uint32(len(s.groups))
	var fixed, optional []*Component
	for _, c := range comps {
		fixed = with(fixed, c)
	}
	for _, c := range opts {
		optional = with(optional, c)
	}
	var err error
	if o.Main, err = o.family(fixed).table(optional); err == nil {
		err = s.admit(o, fixed, optional)
	}
	if err != nil {
		s.revoke(o)
		return nil, err
	}
	s.owners = append(s.owners, o)
	s.moving = slices.DeleteFunc(s.moving, func(c *Component) bool { return slices.Contains(all, c) })
	for _, c := range all {
		s.vacate(c)
	}
	for _, c := range all {
		c.owner, c.stated, c.partial, c.alone = o, true, nil, alone{}
		c.kept.reset()
		c.way, c.own = Fixed, nil
		c.setWords(&o.words)
		c.tracked()
		if slices.Contains(opts, c) {
			c.way = Optional
			c.ownWords()
			c.setWords(c.own)
		}
		s.policy.State(int(c.ID), policies[c.way])
	}
	for _, t := range o.tables {
		t.noteOpts()
	}
	s.clean(all)
	s.rearranged()
	s.declared(o)
	return o, nil
}

// admit copies the values that entities have to the group's tables.
func (s *Store) admit(o *Owner, fixed, opts []*Component) error {
	for _, c := range o.comps {
		for _, from := range slices.Clone(c.tables) {
			if from.owner == o {
				continue
			}
			for id, n := range from.Seq.Chunks() {
				for row, e := range s.Entities(id, n) {
					if x := from.opt(c); x != nil {
						if at, mask := from.bit(s.locAt(id, row)); !x.has(at, mask) {
							continue
						}
					}
					if _, _, done := o.row(e); done {
						continue
					}
					if err := s.admitOne(o, e, fixed, opts); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// admitOne makes an entity's row in the group.
func (s *Store) admitOne(o *Owner, e Entity, fixed, opts []*Component) error {
	has := func(set []*Component) (found []*Component) {
		for _, c := range set {
			if c.Has(e) {
				found = with(found, c)
			}
		}
		return found
	}
	fixed, opts = has(fixed), has(opts)
	t, err := o.family(fixed).table(opts)
	if err == nil {
		err = t.prepare(e, 1)
	}
	var l memmgr.Loc
	if err == nil {
		l, err = t.push(e)
	}
	if err != nil {
		return err
	}
	t.enter(e)
	for _, c := range slices.Concat(fixed, opts) {
		at, _ := c.Loc(e)
		v := c.At(at)
		if x := t.opt(c); x != nil {
			bit, mask := t.bit(l)
			x.set(bit, mask)
		}
		copyOf(c, l, v)
	}
	return nil
}

// revoke undoes what Declare has made of a group.
func (s *Store) revoke(o *Owner) {
	for _, t := range slices.Clone(o.tables) {
		t.evict()
		s.dropTable(t)
	}
}

// evict removes all rows of a table, with the words that name them; components' own words
// are the caller's.
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

// noteOpts writes the words of optional components for all rows that have them. There is
// place for them in maps, if not in arrays.
func (t *Table) noteOpts() {
	for _, x := range t.opts {
		_ = x.C.own.ensure(t.s.Bound()-1, t.s.Bound(), max(1, x.Count)) // refused: the next Add tries again
	}
	for id, n := range t.Seq.Chunks() {
		for row, e := range t.s.Entities(id, n) {
			l := t.s.locAt(id, row)
			at, mask := t.bit(l)
			for _, x := range t.opts {
				if x.has(at, mask) {
					if x.C.own.rare == nil && !x.C.own.covers(e.Index()) {
						x.C.own.rare = make(map[uint32]uint64)
					}
					x.C.own.set(e.Index(), word(e, l))
				}
			}
		}
	}
}

// clean moves rows of the commons to tables without columns of the given components, which
// are owned elsewhere by now. Where memory is refused for that, the columns stay, unused.
func (s *Store) clean(comps []*Component) {
	stale := func(c *Component) bool { return slices.Contains(comps, c) }
	s.Commons.epoch++ // edges may lead to tables with such columns
	for _, t := range slices.Clone(s.Commons.tables) {
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

// moveOut moves all rows of a table to where they belong by now.
func (t *Table) moveOut() error {
	for t.Seq.Len() > 0 {
		l := t.Seq.Last()
		e := t.s.entityAt(l)
		ed, err := t.edge(nil, settling, l)
		if err == nil && ed.to != nil {
			_, err = t.move(e, l, ed, nil)
		} else if err == nil {
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
	t.family = t.owner.family(t.fixed)
	t.family.tables = append(t.family.tables, t)
	t.out.lanes, t.fixedSet = lanesOf(t.fixed, nowhere), setOf(t.fixed)
	t.optSet = setOf(compsOf(t.opts))
	t.s.rearranged()
}
