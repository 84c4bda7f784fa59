package store

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/internal/memmgr"
	"github.com/ashlar-go/ashlar/internal/profile"
)

// move takes an entity's row along an edge, and returns where it is then. What the new
// table has no column for is left behind, and so is one component, if it is optional there.
func (t *Table) move(e Entity, l memmgr.Loc, ed *edge, but *Component) (nl memmgr.Loc, err error) {
	if nl = ed.to.Seq.TryAppend(); nl == 0 {
		if nl, err = ed.to.row(); err != nil {
			return 0, err
		}
	}
	if !t.bare || !ed.to.bare {
		t.besides(l, ed.to, nl, but)
	}
	if t.s.hooks != nil {
		t.passTold(e, l, ed, nl)
		return nl, nil
	}
	t.pass(e, l, ed, nl)
	return nl, nil
}

// carry is move for what is optional in either table.
func (t *Table) carry(l memmgr.Loc, to *Table, nl memmgr.Loc, but *Component) {
	if len(t.opts) > 0 {
		at, mask := t.bit(l)
		for _, x := range t.opts {
			if x.Count > 0 && x.C != but && x.has(at, mask) {
				to.receive(x.C, nl, x.C.At(l))
			}
		}
	}
	for _, x := range to.opts {
		if x.C != but && t.Has(x.C) {
			to.receive(x.C, nl, x.C.At(l))
		}
	}
}

// receive stores a value in a row that has none of that component yet, if the table has
// a column for it.
func (t *Table) receive(c *Component, l memmgr.Loc, v raw.Ptr) {
	if x := t.opt(c); x != nil {
		at, mask := t.bit(l)
		x.set(at, mask)
	} else if !t.Has(c) {
		return
	}
	raw.Copy(c.At(l), v, c.Size)
}

// Add gives an entity a component. It returns ErrStale, ErrPresent (the old value
// stays), or the arena's error; nothing has changed then.
func (s *Store) Add(c *Component, e Entity, v raw.Ptr) error {
	w := c.owner.words.Load(e.Index())
	home := Names(w, e)
	if s.hooks != nil {
		if s.tells() {
			return s.toldAdd(c, e, v)
		}
	} else if home && c.plain {
		if t := s.tableOf(w); t.bare {
			if ed := t.known(c.ID, adding); ed != nil && ed.to.bare {
				if to := ed.to.Seq.TryAppend(); to != 0 {
					raw.Copy(c.At(to), v, c.Size)
					t.pass(e, locOf(w), ed, to)
					return nil
				}
			}
		}
	}
	if home && c.way == Optional && c.thin == nil {
		if is, err := c.addOptional(w, v); is {
			return err
		}
	}
	switch {
	case home && c.holds(w) || c.thin != nil && Names(c.own.Load(e.Index()), e):
		return ErrPresent
	case !home && !s.Alive(e):
		return ErrStale
	case c.way == Thin:
		return s.addThin(c, e, v)
	case home:
		return s.addHome(c, e, locOf(w), v)
	}
	return s.addFirst(c, e, v)
}

// addHome is Add for an entity that has a row of the owner at l.
func (s *Store) addHome(c *Component, e Entity, l memmgr.Loc, v raw.Ptr) error {
	t := s.tableAt(l)
	if c.way == Optional {
		if x := t.opt(c); x != nil {
			s.addBit(t.presence(x, l), v)
			return nil
		}
	}
	ed, err := t.known(c.ID, adding), error(nil)
	if ed == nil || len(t.opts) > 0 {
		if ed, err = t.edge(c, adding, l); err != nil {
			return c.failed(err)
		}
	}
	if l, err = t.move(e, l, ed, nil); err != nil {
		return c.failed(err)
	}
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

// addBit is Add for a component that is optional in the entity's table.
func (s *Store) addBit(h presence, v raw.Ptr) {
	h.x.set(h.at, h.mask)
	c, l := h.x.C, h.l
	raw.Copy(c.At(l), v, c.Size)
	s.stampRow(l)
	c.Dir.CellOf(l).Stamp = s.m.Tick()
	if c.noted != nil {
		c.got(l, 1)
	}
}

// removeBit is Remove for such a component.
func (s *Store) removeBit(h presence) {
	h.x.unset(h.at, h.mask)
	s.m.Shift()
	s.stampRow(h.l)
}

// stampRow notes that who has which row has changed, as far as those go who look for an
// optional component.
func (s *Store) stampRow(l memmgr.Loc) { s.IDs.CellOf(l).Stamp = s.m.Tick() }

// addFirst is Add for an entity that has no row of the owner yet.
func (s *Store) addFirst(c *Component, e Entity, v raw.Ptr) error {
	t, err := s.aloneOf(c, e)
	if err != nil {
		return c.failed(err)
	}
	return s.addRow(t, c, e, v)
}

// aloneOf is the table of entities that have one component of an owner.
func (s *Store) aloneOf(c *Component, e Entity) (*Table, error) {
	if k := &c.alone; k.t != nil && k.epoch == c.owner.epoch && !c.owner.observes {
		return k.t, nil
	}
	return c.findAlone(e)
}

func (c *Component) findAlone(e Entity) (*Table, error) {
	fixed, opts := []*Component(nil), []*Component{c}
	if c.way == Fixed {
		fixed, opts = opts, nil
	}
	t, err := c.owner.family(fixed, c.owner.capOf(e)).table(opts)
	if err == nil {
		c.alone = alone{t, c.owner.epoch}
	}
	return t, err
}

// addThin is Add for a thin component.
func (s *Store) addThin(c *Component, e Entity, v raw.Ptr) error {
	if c.thin == nil {
		if err := s.makeThin(c); err != nil {
			return c.failed(err)
		}
	}
	return s.addRow(c.thin, c, e, v)
}

// addRow is Add where the entity gets a row of its own for it.
func (s *Store) addRow(t *Table, c *Component, e Entity, v raw.Ptr) error {
	if e.Index() >= t.ready() {
		if err := t.prepare(e, 1); err != nil {
			return c.failed(err)
		}
	}
	l := t.Seq.TryAppend()
	if l == 0 {
		var err error
		if l, err = t.row(); err != nil {
			return c.failed(err)
		}
	}
	s.putEntity(l, e)
	t.words.set(e.Index(), word(e, l))
	if len(t.watched) > 0 {
		t.begun(l)
	}
	t.enter(e)
	if c.way == Optional {
		t.receive(c, l, v)
	} else {
		raw.Copy(c.At(l), v, c.Size)
	}
	if c.noted != nil {
		c.got(l, 1)
	}
	return nil
}

// makeThin makes the table of a thin component.
func (s *Store) makeThin(c *Component) error {
	if c.place.plane == nil {
		c.own = makeWords(s.m.Arena(), s.indexes())
		c.own.thin = c
		c.place = s.newPlace(&c.own, false)
	}
	t := &Table{s: s, words: &c.own, fixed: []*Component{c}, place: c.place}
	if err := s.addTable(t, s.freeName(profile.TableName{Fixed: names(t.fixed), Thin: true}.String()), t.fixed, nil); err != nil {
		return err
	}
	c.thin = t
	s.rearranged()
	return nil
}

// Remove takes a component from an entity. It returns ErrStale, ErrAbsent or a LockedError, or
// the arena's error where the row has to move and finds no room; nothing has changed then.
func (s *Store) Remove(c *Component, e Entity) error {
	if s.guarded {
		return s.guardedRemove(c, e)
	}
	if s.hooks != nil {
		if s.tells() {
			return s.toldRemove(c, e)
		}
	} else if w := c.plainEntry(e); w != 0 {
		if t := s.tableOf(w); t.bare {
			if ed := t.known(c.ID, removing); ed != nil && ed.to == nil {
				s.policy.Removed(int(c.ID), 1)
				t.leave(e)
				t.drop(e, locOf(w), 0)
				return nil
			} else if ed != nil && ed.to.bare {
				if to := ed.to.Seq.TryAppend(); to != 0 {
					s.policy.Removed(int(c.ID), 1)
					t.pass(e, locOf(w), ed, to)
					return nil
				}
			}
		}
	}
	if c.way == Optional && c.removeOptional(e) {
		return nil
	}
	l, has := c.Loc(e)
	if !has {
		return s.lacks(e)
	}
	s.policy.Removed(int(c.ID), 1)
	t := s.tableAt(l)
	if x := t.opt(c); x != nil {
		s.removeBit(t.presence(x, l))
		return nil
	}
	return s.removeElse(c, t, e, l)
}

// plainEntry is the entry of an entity's row, if all values of the component are in fixed columns.
// Otherwise it is 0, as for an entity without a row of the owner.
func (c *Component) plainEntry(e Entity) uint64 {
	if c.plain {
		if w := c.owner.words.Load(e.Index()); Names(w, e) {
			return w
		}
	}
	return 0
}

// lacks is the error for an entity that lacks a component.
func (s *Store) lacks(e Entity) error {
	if !s.Alive(e) {
		return ErrStale
	}
	return ErrAbsent
}

// removeElse is Remove where the row goes, or where its way has to be looked for.
func (s *Store) removeElse(c *Component, t *Table, e Entity, l memmgr.Loc) error {
	if t.owner == nil {
		t.leave(e)
		t.takeOut(e, l)
		return nil
	}
	ed, err := t.edge(c, removing, l)
	if err == nil && ed.to != nil {
		_, err = t.move(e, l, ed, c)
	}
	if err != nil {
		return c.failed(err)
	}
	if ed.to == nil {
		t.leave(e)
		t.takeOut(e, l)
		return nil
	}
	return nil
}

// copyOf writes the value of a row.
func copyOf(c *Component, l memmgr.Loc, v raw.Ptr) { raw.Copy(c.At(l), v, c.Size) }
