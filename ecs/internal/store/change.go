package store

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
)

// move takes an entity's row along an edge, and returns where it is then. What the new
// table has no column for is left behind, and so is one component, if it is optional there.
func (t *Table) move(e Entity, l memmgr.Loc, ed *edge, but *Component) (memmgr.Loc, error) {
	to := ed.to
	nl, err := to.push(e)
	if err != nil {
		return 0, err
	}
	w := word(e, nl)
	for _, c := range ed.same {
		raw.Copy(c.At(nl), c.At(l), c.Size)
	}
	if to.tracks {
		to.track(e, w)
	}
	if ed.opts {
		t.carry(e, l, to, nl, but)
	}
	t.drop(l)
	return nl, nil
}

// carry is move for what is optional in either table.
func (t *Table) carry(e Entity, l memmgr.Loc, to *Table, nl memmgr.Loc, but *Component) {
	if len(t.opts) > 0 {
		at, mask := t.bit(l)
		for _, x := range t.opts {
			if x.Count > 0 && x.C != but && x.has(at, mask) {
				to.receive(x.C, e, nl, x.C.At(l))
			}
		}
	}
	for _, x := range to.opts {
		if x.C != but && t.Has(x.C) {
			to.receive(x.C, e, nl, x.C.At(l))
		}
	}
}

// receive stores a value in a row that has none of that component yet, if the table has
// a column for it.
func (t *Table) receive(c *Component, e Entity, l memmgr.Loc, v raw.Ptr) {
	if x := t.opt(c); x != nil {
		at, mask := t.bit(l)
		x.set(at, mask)
	} else if !t.Has(c) {
		return
	}
	raw.Copy(c.At(l), v, c.Size)
	c.note(e, l)
}

// Add gives an entity a component. It returns ErrStale, ErrPresent (the old value
// stays), or the arena's error; nothing has changed then.
func (s *Store) Add(c *Component, e Entity, v raw.Ptr) error {
	if w := c.Words.Load(e.Index()); Names(w, e) && c.Dir.Place(w).Is(w) {
		return ErrPresent
	}
	w := c.owner.words.Load(e.Index())
	home := Names(w, e)
	if !home && !s.Alive(e) {
		return ErrStale
	}
	if c.own != nil {
		if err := c.prepare(e, 1); err != nil {
			return err
		}
	}
	switch {
	case c.way == Thin:
		return s.addThin(c, e, v)
	case !home:
		return s.addFirst(c, e, v)
	}
	return s.addHome(c, e, locOf(w), v)
}

// addHome is Add for an entity that has a row of the owner at l.
func (s *Store) addHome(c *Component, e Entity, l memmgr.Loc, v raw.Ptr) error {
	t := s.tableAt(l)
	if x := t.opt(c); x != nil && c.way == Optional {
		at, mask := t.bit(l)
		x.set(at, mask)
		raw.Copy(c.At(l), v, c.Size)
		c.noteOwn(e, word(e, l))
		s.stampBit(c, l)
		return nil
	}
	ed, err := t.edge(c, adding, l)
	if err != nil {
		return c.failed(err)
	}
	if l, err = t.move(e, l, ed, nil); err != nil {
		return c.failed(err)
	}
	ed.to.receive(c, e, l, v)
	return nil
}

// stampBit notes that somebody has an optional component now, or lacks it: its values have
// changed, and who has which row, as far as those go who look for it.
func (s *Store) stampBit(c *Component, l memmgr.Loc) {
	tick := s.m.Tick()
	c.Dir.CellOf(l).Stamp = tick
	s.IDs.CellOf(l).Stamp = tick
}

// addFirst is Add for an entity that has no row of the owner yet.
func (s *Store) addFirst(c *Component, e Entity, v raw.Ptr) error {
	if k := &c.alone; k.t == nil || k.epoch != c.owner.epoch {
		f, opts := c.owner.family(nil), []*Component{c}
		if c.way == Fixed {
			f, opts = c.owner.family(opts), nil
		}
		t, err := f.table(opts)
		if err != nil {
			return c.failed(err)
		}
		*k = alone{t, c.owner.epoch}
	}
	return s.addRow(c.alone.t, c, e, v)
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
	if err := t.prepare(e, 1); err != nil {
		return c.failed(err)
	}
	l, err := t.push(e)
	if err != nil {
		return c.failed(err)
	}
	t.enter(e)
	t.receive(c, e, l, v)
	return nil
}

// makeThin makes the table of a thin component.
func (s *Store) makeThin(c *Component) error {
	if c.place.plane == nil {
		c.place = s.newPlace(c.own, false)
	}
	t := &Table{s: s, words: c.own, fixed: []*Component{c}, place: c.place}
	if err := s.addTable(t, profile.TableName{Fixed: names(t.fixed), Thin: true}.String(), t.fixed, nil); err != nil {
		return err
	}
	c.thin = t
	s.changes++
	return nil
}

// Remove takes a component from an entity. It returns ErrStale or ErrAbsent, or the
// arena's error where the row has to move and finds no room; nothing has changed then.
func (s *Store) Remove(c *Component, e Entity) error {
	w := c.Words.Load(e.Index())
	if !Names(w, e) || !c.Dir.Place(w).Is(w) {
		if !s.Alive(e) {
			return ErrStale
		}
		return ErrAbsent
	}
	s.policy.Removed(int(c.ID), 1)
	l := locOf(w)
	t := s.tableAt(l)
	if x := t.opt(c); x != nil {
		at, mask := t.bit(l)
		x.unset(at, mask)
		c.forget(e)
		s.stampBit(c, l)
		return nil
	}
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
	c.forget(e)
	return nil
}

// copyOf writes the value of a row.
func copyOf(c *Component, l memmgr.Loc, v raw.Ptr) { raw.Copy(c.At(l), v, c.Size) }
