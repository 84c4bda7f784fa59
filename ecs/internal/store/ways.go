package store

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/memmgr"
)

// A component that changes over is stored in the new way from then on, and values that are stored
// otherwise move, some rows a frame. Meanwhile a value is looked for in the owner's row, in a
// fixed column or by a bit, and then among thin rows.

// Change makes a component change over to another way, from now on. It tells whether it did:
// components of groups, and components with a stated way, keep theirs. No value moves in the call; EndFrame
// moves them. It replaces the list moving instead of writing it, because goOn may be going over it.
//
//	Fixed → Thin   before Change   while moving            done
//	new values     a column        a thin row              a thin row
//	old values     a column        a column, or moved      a thin row
//	look-ups try   the column      the column, thin rows   thin rows
//
// A second Change while it is moving turns the direction. Values that have moved already are the old
// ones then.
func (s *Store) Change(c *Component, to Way) bool {
	if c.stated || c.owner != s.Commons || c.way == to {
		return false
	}
	c.way = to
	if !c.mixed() {
		s.moving = append(slices.Clone(s.moving), c)
	}
	c.settled()
	c.owner.ways++
	s.rearranged()
	return true
}

// Moving is how many components are changing over.
func (s *Store) Moving() int { return len(s.moving) }

// EndFrame does the work that is due at the end of a frame, in this order: the policy decides on
// change-overs, values and rows move, and empty tables are dropped. It spends at most the policy's
// budget, and a row more. A frame without work costs a few
// comparisons. Work for which memory is refused is tried again in the next frame.
func (s *Store) EndFrame() {
	s.frame++
	if s.Unseen() == 0 {
		s.unseen = nil // so nobody asks any more
	}
	if s.telling != nil {
		s.telling.settle()
	}
	s.decide()
	if len(s.moving) == 0 && !s.working && !s.ways.Stale(s.settled) && len(s.order.by) == 0 {
		return // as at the end of most frames
	}
	s.goOn()
}

// goOn moves rows of the change-overs and settling under way, for the budget of one frame. Change-overs
// share it in the order in which they began. Settling waits until none is left, because each of them
// makes tables that rows would have to leave again.
func (s *Store) goOn() {
	s.left = s.policy.Budget()
	for _, c := range s.moving {
		if s.left <= 0 || !s.changeOver(c) {
			break
		}
		s.moving = slices.DeleteFunc(slices.Clone(s.moving), func(d *Component) bool { return d == c })
		c.settled()
		s.rearranged()
	}
	s.working = len(s.moving) > 0
	// Only a frame that finds nothing to move ends the work: rows that moved may have emptied tables.
	if s.left > 0 && !s.working && s.ways.Stale(s.settled) {
		n, done := s.settle()
		if s.working = !done; done && n == 0 {
			s.settled = s.ways
		}
	}
	s.recount = s.recount || s.working
}

// changeOver goes on with a component, in the rest of the frame. It tells whether the component is
// done. Where memory is refused, it is tried again in the next frame.
//
// The steps are these; each starts when the one before is complete:
//
//	1  values leave tables that have them in an older way
//	2  the thin table is dropped, unless the new way is Thin
//	3  for Fixed: rows leave tables with an optional column, which are dropped
func (s *Store) changeOver(c *Component) (done bool) {
	for _, t := range slices.Clone(c.tables) {
		if t.holds(c) == c.way || t.owner != nil && t.owner != c.owner {
			// This table is not in the way: it has the new form, or its owner is another, and the
			// column is out of use.
			continue
		}
		if done, err := s.moveOver(c, t); !done || err != nil {
			return false // there is no memory: perhaps later
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
				if _, done := t.moveOn(); !done {
					return false
				}
				s.dropTable(t)
			}
		}
	}
	return true
}

// holds is the way in which a table stores a component. The table must have a column of it.
func (t *Table) holds(c *Component) Way {
	switch {
	case t.owner == nil:
		return Thin
	case t.opt(c) != nil:
		return Optional
	}
	return Fixed
}

// moveOver moves values of a component out of a table that still has it in the old way, in the rest
// of the frame. It tells whether that were all. It goes from the last row to the first: a row that
// fills a hole comes from behind, and was looked at already.
//
// While shifting is set, got notes nothing: a value that changes over is neither added nor written.
func (s *Store) moveOver(c *Component, t *Table) (done bool, err error) {
	s.shifting = true
	defer func() { s.shifting = false }()
	cost, x := t.moveCost(), t.opt(c)
	for i := t.Seq.Len() - 1; i >= 0; i-- {
		l := t.Seq.At(i)
		if x != nil {
			if x.Count == 0 {
				break
			}
			if x.Counts[t.store.manager.Nth(l.Chunk())] == 0 { // nothing in this chunk
				i -= int(l.Row())
				continue
			}
			if at, mask := t.bit(l); !x.has(at, mask) {
				continue
			}
		}
		if s.left <= 0 {
			return false, nil
		}
		if err := s.moveValue(c, t, s.entityAt(l), l); err != nil {
			return false, err
		}
		s.left -= cost
	}
	return true, nil
}

// decide shows the frame to the policy, and begins the change-overs that it wants. Counts of tables
// are refreshed every livingEvery frames, and after rows have moved.
func (s *Store) decide() {
	if s.frame%livingEvery == 1 || s.recount && !s.working {
		s.countLiving()
	}
	changed := s.policy.EndFrame(policy.Tables{Living: s.living, Rows: s.rows, Made: s.made, Turnover: 2*s.ids.Ended() + uint64(s.ids.Len()), Busy: s.working || len(s.moving) > 0})
	for _, c := range changed {
		s.Change(s.comps[c], ways[s.policy.Way(c)])
	}
	if len(changed) > 0 {
		s.reorder()
	}
}

// reorder has rows lie as the policy says now.
func (s *Store) reorder() {
	var by []*Component
	for _, c := range s.comps {
		if s.policy.Way(int(c.ID)) == policy.Ordered {
			by = append(by, c)
		}
	}
	if !slices.Equal(by, s.order.by) {
		s.OrderBy(by...)
	}
}

// moveValue stores the value that an entity has at l of a table in the component's present way.
//
//	from          to                  by
//	owner's row   Thin                a copy in a thin row, then discard (thinOut)
//	owner's row   Fixed or Optional   a settling edge: the whole row moves
//	thin row      Fixed or Optional   give, then the thin row goes
func (s *Store) moveValue(c *Component, t *Table, e Entity, l memmgr.Loc) error {
	switch {
	case t.owner != nil && c.way == Thin:
		return s.thinOut(c, t, e, l)
	case t.owner != nil:
		ed, err := t.edge(nil, settling, l)
		if err != nil {
			return err
		}
		return t.followEdge(e, l, ed)
	}
	if err := s.give(c, e, c.At(l), nil); err != nil { // thin until now
		return err
	}
	if c.noted != nil {
		to, _ := c.Loc(e)
		c.carried(l, to)
	}
	t.takeRow(e, l, nil)
	return nil
}

// thinOut moves a value from a row of the owner to one of the thin component's. The copy comes first,
// so that an error of discard leaves the old value valid, and the copy is taken back.
func (s *Store) thinOut(c *Component, t *Table, e Entity, l memmgr.Loc) error {
	if err := s.giveThin(c, e, c.At(l)); err != nil {
		return c.failed(err)
	}
	thin := locOf(c.own.Load(e.Index()))
	if c.noted != nil {
		c.carried(l, thin)
	}
	err := s.discard(c, t, e, l, nil)
	if err != nil { // the value stays fixed for now
		c.thin.takeRow(e, thin, nil)
	}
	return err
}
