package store

import "slices"

// A component that changes over is stored in the new way from then on, and values that are stored
// otherwise move, some rows a frame. Meanwhile a value is looked for in the owner's row, in a
// fixed column or by a bit, and then among thin rows.

// Change has a component change over to another way, from now on. It does nothing for
// components of groups and those whose way is stated.
func (s *Store) Change(c *Component, to Way) bool {
	if c.stated || c.owner != s.Commons || c.way == to {
		return false
	}
	c.way = to
	if !c.mixed() {
		s.moving = append(slices.Clone(s.moving), c)
	}
	c.settled(false)
	s.wayChanged(c)
	return true
}

// wayChanged has what was found out about tables be found out anew.
func (s *Store) wayChanged(c *Component) {
	s.rearranged()
	c.owner.epoch++
}

// Changing returns the way in which a component is stored, and whether values that are stored
// otherwise still have to move.
func (c *Component) Changing() (to Way, is bool) { return c.way, c.mixed() }

// Moving is how many components are changing over.
func (s *Store) Moving() int { return len(s.moving) }

// EndFrame goes on with what has been begun: components change over, rows move to their
// family's current table, and tables that have been empty for a while go. It costs what
// the rows of the policy's budget cost, and little where there is nothing to do. What
// memory is refused for waits.
func (s *Store) EndFrame() {
	s.frame++
	s.decide()
	if len(s.moving) == 0 && !s.working && s.settled == s.layout() {
		return // as at the end of most frames
	}
	s.goOn()
}

// goOn goes on with what has been begun, by a frame's share.
func (s *Store) goOn() {
	left := s.policy.Options().MoveRows
	for _, c := range s.moving {
		n, done := s.changeOver(c, left)
		if done {
			s.moving = slices.DeleteFunc(slices.Clone(s.moving), func(d *Component) bool { return d == c })
			c.settled(c.way == Fixed)
			s.rearranged()
		}
		if left -= n; left <= 0 {
			break
		}
	}
	s.working = len(s.moving) > 0
	if left > 0 && !s.working && s.settled != s.layout() {
		n, done := s.settle(left)
		if s.working = !done; done && n == 0 {
			s.settled = s.layout()
		}
	}
	s.recount = s.recount || s.working
}

// changeOver goes on with a component, by at most n rows, and returns how many it was and
// whether it is done.
func (s *Store) changeOver(c *Component, n int) (moved int, done bool) {
	for _, t := range slices.Clone(c.tables) {
		if t.holds(c) == c.way || t.owner != nil && t.owner != c.owner {
			continue
		}
		for moved < n {
			k, err := s.moveOver(c, t, n-moved)
			moved += k
			if err != nil {
				return n, false // there is no memory: perhaps later
			}
			if k == 0 {
				break
			}
		}
		if moved >= n {
			return moved, false
		}
	}
	if c.way != Thin && c.thin != nil {
		s.dropTable(c.thin) // queries would go on asking for its rows
		c.thin = nil
		c.own.reset()
	}
	if c.way == Fixed {
		for _, t := range slices.Clone(c.tables) { // a column that is there still would look like a fixed one
			if t.opt(c) != nil {
				k, done := t.moveOn(n - moved)
				if moved += k; !done {
					return n, false
				}
				s.dropTable(t)
			}
		}
	}
	return moved, true
}

// holds is the way in which a table has a component that it has a column of.
func (t *Table) holds(c *Component) Way {
	switch {
	case t.owner == nil:
		return Thin
	case t.opt(c) != nil:
		return Optional
	}
	return Fixed
}

// moveOver moves at most n values of a component out of a table that still has it in the old
// way, from its last row on. It returns how many it moved.
func (s *Store) moveOver(c *Component, t *Table, n int) (moved int, err error) {
	s.shifting = true
	defer func() { s.shifting = false }()
	x := t.opt(c)
	for i := t.Seq.Len() - 1; i >= 0 && moved < n; i-- {
		if x != nil && x.Count == 0 {
			return moved, nil
		}
		l := t.Seq.At(i)
		if x != nil {
			if at, mask := t.bit(l); !x.has(at, mask) {
				continue
			}
		}
		if err := s.moveValue(c, t, s.entityAt(l), l); err != nil {
			return moved, err
		}
		moved++
	}
	return moved, nil
}
