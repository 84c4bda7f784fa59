package store

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/internal/chunk"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

func (s *Store) locAt(id chunk.ID, row int) memmgr.Loc { return memmgr.MakeLoc(id, uint32(row)) }

// moveValue stores the value that an entity has at l of a table in the component's way.
func (s *Store) moveValue(c *Component, t *Table, e Entity, l memmgr.Loc) error {
	if t.owner == nil { // thin until now
		if err := s.store(c, e, c.At(l)); err != nil {
			return err
		}
		if c.noted != nil {
			to, _ := c.Loc(e)
			c.carried(l, to)
		}
		t.leave(e)
		t.takeOut(e, l)
		s.relocated(c, e, l)
		return nil
	}
	if c.way == Thin {
		return s.thinOut(c, t, e, l)
	}
	ed, err := t.edge(nil, settling, l)
	if err == nil {
		_, err = t.move(e, l, ed, nil)
	}
	return err
}

// store is Add of a value that an entity has had elsewhere until now.
func (s *Store) store(c *Component, e Entity, v raw.Ptr) error {
	_, l, home := c.owner.row(e)
	if !home {
		return s.addFirst(c, e, v)
	}
	return s.addHome(c, e, l, v)
}

// thinOut moves a value from a row of the owner to one of the thin component's.
func (s *Store) thinOut(c *Component, t *Table, e Entity, l memmgr.Loc) error {
	var ed *edge
	x, err := t.opt(c), error(nil)
	if x == nil {
		if ed, err = t.edge(c, removing, l); err != nil {
			return err
		}
	}
	if err := s.addThin(c, e, c.At(l)); err != nil {
		return err
	}
	if c.noted != nil {
		c.carried(l, locOf(c.own.Load(e.Index())))
	}
	if x != nil {
		at, mask := t.bit(l)
		x.unset(at, mask)
		s.m.Shift()
		s.stampRow(l)
		s.relocated(c, e, l)
		return nil
	}
	if ed.to == nil {
		t.leave(e)
		t.takeOut(e, l)
		s.relocated(c, e, l)
		return nil
	}
	if _, err := t.move(e, l, ed, c); err != nil { // it stays fixed for now
		c.thin.leave(e)
		c.thin.takeOut(e, locOf(c.own.Load(e.Index())))
		return err
	}
	s.relocated(c, e, l)
	return nil
}

// settle moves rows to the current tables of their families, at most n, and begins with
// tables that need no more columns. It returns how many it was, and whether that was all.
func (s *Store) settle(n int) (moved int, done bool) {
	for _, t := range slices.Clone(s.Commons.tables) {
		if t.Seq.Len() == 0 || t == t.family.current && len(t.inUse()) == len(t.opts) {
			continue
		}
		k, done := t.moveOn(n - moved)
		if moved += k; !done {
			return moved, false
		}
	}
	return moved, true
}

// moveOn moves at most n of a table's rows to its family's current table, from which columns
// without values are left out. It returns how many it moved, and whether those were all. They
// are not if memory is refused.
func (t *Table) moveOn(n int) (moved int, done bool) {
	f := t.family
	if u := f.current; u == nil || len(u.inUse()) < len(u.opts) {
		var used []*Component
		if u != nil {
			used = u.inUse()
		}
		if f.renew(used) != nil {
			return 0, false
		}
	}
	for t.Seq.Len() > 0 {
		if moved >= n {
			return moved, false
		}
		l := t.Seq.Last()
		e := t.s.entityAt(l)
		ed, err := t.edge(nil, settling, l)
		switch {
		case err != nil:
			return moved, false
		case ed.to == t:
			return moved, true
		case ed.to == nil: // nothing is left
			t.takeOut(e, l)
		default:
			if _, err = t.move(e, l, ed, nil); err != nil {
				return moved, false
			}
		}
		moved++
	}
	return moved, true
}

// renew makes the table with exactly the given optional components the current one.
func (f *family) renew(opts []*Component) error {
	was := f.current
	f.current = nil
	f.owner.epoch++
	if len(f.fixed) == 0 && len(opts) == 0 { // entities without anything have no row
		return nil
	}
	if _, err := f.table(opts); err != nil {
		f.current = was
		return err
	}
	return nil
}

// dropTable drops a table without rows.
func (s *Store) dropTable(t *Table) { s.dropTables([]*Table{t}) }

// dropTables drops tables without rows. It costs a look at each list that has some of
// them.
func (s *Store) dropTables(dead []*Table) {
	if len(dead) == 0 {
		return
	}
	touched := make(map[*Component]bool)
	for _, t := range dead {
		t.Seq.Drop()
		t.gone = true
		s.tables[t.key] = nil
		s.freeKeys = append(s.freeKeys, t.key)
		for _, c := range t.fixed {
			c.alone = alone{}
			touched[c] = true
		}
		for _, x := range t.opts {
			touched[x.C] = true
		}
	}
	gone := func(t *Table) bool { return t.gone }
	for _, c := range s.comps {
		if touched[c] {
			c.tables = slices.DeleteFunc(c.tables, gone)
		}
	}
	owners := make(map[*Owner]bool)
	for _, t := range dead {
		if o := t.owner; o != nil {
			owners[o] = true
			f := t.family
			f.tables = slices.DeleteFunc(f.tables, gone)
			if f.current == t {
				f.current = nil
			}
			if len(f.tables) == 0 {
				f.drop()
			}
		}
	}
	for o := range owners {
		o.tables = slices.DeleteFunc(o.tables, gone)
		o.epoch++
		for _, t := range o.tables { // edges are out of date, and would hold what is gone
			t.plain, t.edges = [ops][]edge{}, nil
		}
	}
	s.Dropped += uint64(len(dead))
}

// leaveFamily takes a table out of its family.
func (t *Table) leaveFamily() {
	f := t.family
	f.owner.epoch++
	f.tables = slices.DeleteFunc(f.tables, func(u *Table) bool { return u == t })
	if f.current == t {
		f.current = nil
	}
	if len(f.tables) == 0 {
		f.drop()
	}
}
