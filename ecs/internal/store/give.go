package store

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
)

// give stores the value of a component that an entity lacks, in the component's way. Verbs have
// checked that it is alive and lacks it, and note it for observers. moveValue calls it for an entity
// whose old row is thin.
//
//	way       has a row of the owner    effect
//	Thin      either                    a row of the thin table (giveThin)
//	Optional  with a column for it      a bit (giveHere)
//	other     yes                       the row moves to another table (giveHere)
//	other     no                        a first row in the table of c alone (giveFirst)
//
// Holes of rows that move are left in h, or filled at once if it is nil. After an error nothing has
// changed; the error names the component.
func (s *Store) give(c *Component, e Entity, v raw.Ptr, h *holes) error {
	var err error
	if c.way == Thin {
		err = s.giveThin(c, e, v)
	} else if t, l, home := c.owner.row(e); home {
		err = s.giveHere(c, t, e, l, v, h)
	} else {
		return s.giveFirst(c, e, v)
	}
	if err != nil {
		return c.failed(err)
	}
	return nil
}

// giveFirst is give for an entity that has no row of the owner, where the component is not thin.
func (s *Store) giveFirst(c *Component, e Entity, v raw.Ptr) error {
	t, err := s.aloneOf(c, e)
	if err == nil {
		err = t.giveOne(c, e, v)
	}
	if err != nil {
		return c.failed(err)
	}
	return nil
}

// value is a value of the component alone, as incoming: v points at it. Stride 0 gives all rows the
// same.
func (c *Component) value(v raw.Ptr) incoming { return incoming{pieces: c.single[:], v: v} }

// giveHere is give for an entity that has a row of the owner at l of a table. An optional component
// may be missing from an older table of a family; then the row moves to the current one.
func (s *Store) giveHere(c *Component, t *Table, e Entity, l memmgr.Loc, v raw.Ptr, h *holes) error {
	if c.way == Optional {
		if x := t.opt(c); x != nil {
			s.setBit(x.presence(c.Dir.Place(uint64(l)), l), v)
			return nil
		}
	}
	ed, err := t.known(c.ID, adding), error(nil)
	if ed == nil || len(t.opts) > 0 {
		if ed, err = t.edge(c, adding, l); err != nil {
			return err
		}
	}
	if l, err = t.moveRow(e, l, ed, nil, h); err != nil {
		return err
	}
	// moveRow left the new column unwritten: it has the value of the last row there.
	if c.way == Fixed {
		raw.Copy(c.At(l), v, c.Size)
	} else {
		ed.to.receive(c, l, v)
	}
	if c.noted != nil {
		c.got(l, 1)
	}
	return nil
}

// aloneOf is the table of entities that have one component of an owner. The result is cached in
// c.alone by the ways of the owner. An owner that observes components of others has several such
// tables, one for each cap, and is looked up each time.
func (s *Store) aloneOf(c *Component, e Entity) (*Table, error) {
	if k := &c.alone; k.t != nil && !c.owner.ways.Stale(k.seen) && !c.owner.observes {
		return k.t, nil
	}
	fixed, opts := []*Component(nil), []*Component{c}
	if c.way == Fixed {
		fixed, opts = opts, nil
	}
	t, err := c.owner.family(fixed, c.owner.capOf(e)).table(opts)
	if err == nil {
		c.alone = alone{t, c.owner.ways}
	}
	return t, err
}

// giveThin is give for a thin component. The home row of the entity stays where it is.
func (s *Store) giveThin(c *Component, e Entity, v raw.Ptr) error {
	t, err := s.thinOf(c)
	if err != nil {
		return err
	}
	return t.giveOne(c, e, v)
}

// thinOf returns the table of a thin component, and makes it for the first row.
func (s *Store) thinOf(c *Component) (*Table, error) {
	if c.thin != nil {
		return c.thin, nil
	}
	return s.makeThin(c)
}

// makeThin makes the table of a thin component. The place of the component is made once and kept:
// planes never give bits back, while the table may come and go.
func (s *Store) makeThin(c *Component) (*Table, error) {
	if c.place.plane == nil {
		c.own = makeWords(s.manager.Arena(), s.indexes())
		c.own.thin = c
		c.place = s.newPlace(&c.own, false)
	}
	t := &Table{store: s, words: &c.own, fixed: []*Component{c}, place: c.place}
	if err := s.addTable(t, s.freeName(profile.TableName{Fixed: names(t.fixed), Thin: true}.String()), t.fixed, nil); err != nil {
		return nil, err
	}
	c.thin = t
	s.rearranged()
	return t, nil
}

// discard removes a component from the row at l of t, where the entity has it. Verbs have asked locks
// and noted it for observers.
//
//	t has it as      effect
//	optional         the bit is cleared (clearBit)
//	thin table       the thin row goes (takeRow)
//	fixed            the row moves along an edge, or goes with its last component
//
// Holes are left in h, or filled at once if it is nil. Only a move needs memory. After an error
// nothing has changed.
func (s *Store) discard(c *Component, t *Table, e Entity, l memmgr.Loc, h *holes) error {
	if x := t.opt(c); x != nil {
		s.clearBit(x.presence(c.Dir.Place(uint64(l)), l))
		return nil
	}
	if t.owner == nil {
		t.takeRow(e, l, h)
		return nil
	}
	ed, err := t.edge(c, removing, l)
	switch {
	case err != nil:
		return err
	case ed.to == nil:
		t.takeRow(e, l, h)
		return nil
	}
	_, err = t.moveRow(e, l, ed, c, h)
	return err
}

// destroy is Destroy for a live entity that no lock holds. It removes the
// rows first, and frees the handle last, because entries compare versions. It needs no memory.
func (s *Store) destroy(e Entity, h *holes) {
	s.takeFrom(&s.Commons.words, e, h)
	if kin := s.kinOf(e); kin != nil {
		s.takeFrom(kin, e, h)
	}
	if s.guards(e) {
		s.enableAll(e)
	}
	if s.others.n > 0 && s.others.set(e.Index(), 0, false) {
		s.strip(e, h)
	}
	s.ids.Free(e)
}

// takeFrom removes the row of an entity that entries name, if there is one.
func (s *Store) takeFrom(words *Words, e Entity, h *holes) {
	w := words.Load(e.Index())
	if !Names(w, e) {
		return
	}
	if t := s.tableOf(w); t.bare && h == nil {
		t.drop(e, locOf(w), 0)
	} else {
		t.takeLast(e, locOf(w), h)
	}
}

// strip removes the rows of an entity that planes note, and empties its sets. It costs a look at each
// plane, one for 64 places.
func (s *Store) strip(e Entity, h *holes) {
	i := e.Index()
	for _, p := range s.planes {
		set := p.sets.Load(i)
		if set == 0 {
			continue
		}
		p.sets.set(i, 0)
		for ; set != 0; set &= set - 1 {
			l := locOf(p.words(set).Load(i))
			s.tableAt(l).takeLast(e, l, h)
		}
	}
}
