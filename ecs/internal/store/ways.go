package store

import "slices"

// A component changes over in two steps, some rows a frame:
//
//	fixed → optional, thin   its own entries are made, then they serve; then values move
//	optional, thin → fixed   values move; then the owner's entries serve
//	optional ↔ thin          values move
//
// Meanwhile values are stored in either way. The component's own entries know all of them, and
// new ones are stored in the new way.

// index is entries that are being made for a fixed component: those of entities with a lower
// index are there. Rows that move are noted by themselves.
type index struct {
	to Way
	at uint32
}

// Change has a component change over to another way, from now on. It does nothing for
// components of groups and those whose way is stated.
func (s *Store) Change(c *Component, to Way) bool {
	if c.stated || c.owner != s.Commons {
		return false
	}
	switch {
	case c.partial != nil && to == Fixed:
		c.giveUp()
	case c.partial != nil:
		c.partial.to = to
	case c.way == to:
		return false
	case c.own != nil: // it knows where all are, wherever they are
		c.way = to
		if !slices.Contains(s.moving, c) {
			s.moving = append(slices.Clone(s.moving), c)
		}
	default:
		c.ownWords()
		c.partial = &index{to: to, at: 1}
		s.moving = append(slices.Clone(s.moving), c)
	}
	c.alone = alone{}
	s.wayChanged(c)
	return true
}

// wayChanged has what was found out about tables be found out anew.
func (s *Store) wayChanged(c *Component) {
	s.rearranged()
	c.owner.epoch++
}

// Changing returns the way in which a component is stored, and whether values that are stored
// otherwise still have to move. While its own entries are being made for that, it returns the
// way to come.
func (c *Component) Changing() (to Way, is bool) {
	if c.partial != nil {
		return c.partial.to, true
	}
	return c.way, slices.Contains(c.s.moving, c)
}

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
	left -= s.indexWords(left*indexRate) / indexRate
	for _, c := range s.moving {
		n, done := s.changeOver(c, left)
		if done {
			s.moving = slices.DeleteFunc(slices.Clone(s.moving), func(d *Component) bool { return d == c })
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
	if c.partial != nil {
		return 0, false
	}
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
		c.setWords(&c.owner.words)
		c.kept.reset()
		c.own = nil
		c.tracked()
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

// indexRate is how many entities are gone over for entries in place of a row that moves.
const indexRate = 16

// indexWords goes on with the entries that are being made, for all components that are furthest
// behind at once. It returns how many of at most n entities it has gone over.
func (s *Store) indexWords(n int) (done int) {
	for done < n {
		from, to, some := s.nextWords(n - done)
		if !some {
			return done
		}
		for i := from; i < to; i++ {
			w := s.Commons.words.Load(i)
			if w == 0 {
				continue
			}
			for _, c := range s.tableAt(locOf(w)).fixed {
				if c.partial != nil && c.partial.at == from {
					c.noteOwn(Entity(i), w)
				}
			}
		}
		s.indexed(from, to)
		done += int(to - from)
	}
	return done
}

// nextWords is the indexes to go over next, at most n of them, if there are entries to be
// made. It makes room for them.
func (s *Store) nextWords(n int) (from, to uint32, some bool) {
	from = s.Bound()
	for _, c := range s.moving {
		if x := c.partial; x != nil {
			from = min(from, x.at)
		}
	}
	to = min(s.Bound(), from+uint32(min(n, 1<<30)))
	for _, c := range s.moving {
		switch x := c.partial; {
		case x == nil:
		case x.at > from:
			to = min(to, x.at)
		case c.own.ensure(s.Bound()-1, s.Bound(), max(1, c.Len())) == nil:
			some = true
		default:
			c.giveUp()
		}
	}
	return from, to, some
}

// indexed notes which entries are made, and has components begin to be stored in their new
// ways for which all are.
func (s *Store) indexed(from, to uint32) {
	for _, c := range s.moving {
		x := c.partial
		if x == nil || x.at != from {
			continue
		}
		if x.at = to; to == s.Bound() {
			c.way, c.partial, c.alone = x.to, nil, alone{}
			c.setWords(c.own)
			s.wayChanged(c)
		}
	}
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
