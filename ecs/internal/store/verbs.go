package store

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Add gives an entity a component. It returns ErrStale, ErrPresent (the old value stays), or the
// arena's error; nothing has changed then.
//
// Two short ways are for the commonest cases. One needs a row in a bare table, a quick component, a known
// edge to a bare table, and room for one row. An edge for adding exists only in tables without the
// component, and entries name live entities alone. So ErrPresent and ErrStale need no test there. The other
// flips a bit in a row with an optional column for it.
func (s *Store) Add(c *Component, e Entity, v raw.Ptr) error {
	if c.quick {
		if w := c.owner.words.Load(e.Index()); Names(w, e) {
			if t := s.tableOf(w); t.bare {
				if ed := t.known(c.ID, adding); ed != nil && ed.to.bare {
					if to := ed.to.Seq.TryAppend(); to != 0 {
						// pass copies the lanes that both tables have, and c is not among them.
						raw.Copy(c.At(to), v, c.Size)
						if t.pass(e, locOf(w), ed, to); c.told {
							s.got(c, e)
						}
						return nil
					}
				}
			}
		}
	} else if c.flips {
		if w := c.owner.words.Load(e.Index()); Names(w, e) {
			if h, has := c.home(w); h.x != nil && !has {
				s.setBit(h, v)
				return nil
			}
		}
	}
	err := s.add(c, e, v, nil)
	if c.told {
		s.done()
	}
	return err
}

// add is Add for all cases. Holes, unless they are nil, are closed by the caller. A component with all values in thin
// rows comes first, because it needs no edge.
func (s *Store) add(c *Component, e Entity, v raw.Ptr, h *holes) error {
	if c.lone {
		return s.addLone(c, e, v)
	}
	w := c.owner.words.Load(e.Index())
	home := Names(w, e)
	switch {
	case home && c.holds(w) || c.thin != nil && Names(c.own.Load(e.Index()), e):
		return ErrPresent
	case !home && !s.Alive(e):
		return ErrStale
	case c.observed:
		return s.addObserved(c, e, v, h)
	case !home && c.way != Thin:
		return s.giveFirst(c, e, v)
	}
	return s.give(c, e, v, h)
}

// addLone is add for a component with all values in thin rows: its own entries tell whether
// the entity has it, and the row of the owner needs no look.
func (s *Store) addLone(c *Component, e Entity, v raw.Ptr) error {
	switch {
	case Names(c.own.Load(e.Index()), e):
		return ErrPresent
	case !s.Alive(e):
		return ErrStale
	}
	if err := s.giveThin(c, e, v); err != nil {
		return c.failed(err)
	}
	return nil
}

// Remove takes a component from an entity. It returns ErrStale, ErrAbsent or a LockedError, or the
// arena's error where the row has to move and finds no room; nothing has changed then. Its short ways
// are as in Add, and two for a row that goes: it has nothing else, or is thin.
func (s *Store) Remove(c *Component, e Entity) error {
	if s.guards(e) {
		return s.removeAlone(c, e)
	}
	if c.quick {
		if w := c.owner.words.Load(e.Index()); Names(w, e) {
			if t := s.tableOf(w); t.bare {
				if ed := t.known(c.ID, removing); ed != nil && ed.to == nil {
					if s.policy.Removed(int(c.ID), 1); c.told {
						s.loses(c, e, locOf(w))
					}
					t.leave(e)
					if t.drop(e, locOf(w), 0); c.told {
						s.lost(c)
					}
					return nil
				} else if ed != nil && ed.to.bare {
					if to := ed.to.Seq.TryAppend(); to != 0 {
						if s.policy.Removed(int(c.ID), 1); c.told {
							s.loses(c, e, locOf(w))
						}
						if t.pass(e, locOf(w), ed, to); c.told {
							s.lost(c)
						}
						return nil
					}
				}
			}
		}
	} else if c.flips {
		if w := c.owner.words.Load(e.Index()); Names(w, e) {
			if h, has := c.home(w); has {
				s.policy.Removed(int(c.ID), 1)
				s.clearBit(h)
				return nil
			}
		}
	} else if c.lone {
		if w := c.own.Load(e.Index()); Names(w, e) && c.thin.bare {
			s.policy.Removed(int(c.ID), 1)
			c.thin.leave(e)
			c.thin.drop(e, locOf(w), 0)
			return nil
		}
	}
	return s.removeAlone(c, e)
}

// removeAlone is remove as a change of its own.
func (s *Store) removeAlone(c *Component, e Entity) error {
	err := s.remove(c, e, nil)
	if c.told {
		s.done()
	}
	return err
}

// remove is Remove for all cases. Holes, unless they are nil, are closed by the caller. A disabled bit
// goes with the component; the entity as a whole stays disabled.
func (s *Store) remove(c *Component, e Entity, h *holes) error {
	l, has := c.Loc(e)
	if !has {
		return s.lacks(e)
	}
	guarded := s.guards(e)
	if guarded {
		if err := s.locked(c, e); err != nil {
			return err
		}
	}
	var err error
	if c.observed {
		err = s.removeObserved(c, e, l, h)
	} else {
		err = s.discard(c, s.tableAt(l), e, l, h)
	}
	if err != nil {
		return c.failed(err)
	}
	s.policy.Removed(int(c.ID), 1)
	if guarded {
		s.switchOne(c, e, true)
	}
	return nil
}

// Spawn makes an entity without components. Its index is of the common home. Errors are
// the arena's: the limit on entities or memory; nothing has changed then.
func (s *Store) Spawn() (Entity, error) {
	e, err := s.Take()
	if err == nil && s.telling != nil {
		s.Spawned(e)
	}
	return e, err
}

// Take is Spawn of which observers are not told: see Spawned.
func (s *Store) Take() (Entity, error) {
	common := s.ids.Common()
	e, err := s.ids.TryTake(common), error(nil)
	if e == 0 {
		e, err = s.take(common)
	}
	if s.Warms() {
		s.ahead(common, nil)
	}
	return e, err
}

// Destroy removes an entity and all its components. It returns ErrStale if it is not alive, and a
// LockedError if a lock holds it. It needs no memory. The record, the group of its index and
// sets of places name the rows there are, so the cost is by components of the entity, not by all that exist.
func (s *Store) Destroy(e Entity) error {
	if s.TellsEnds() {
		return s.destroyTold(e)
	}
	return s.destroyIn(e, nil)
}

// destroyTold is Destroy where somebody has to know before.
func (s *Store) destroyTold(e Entity) (err error) {
	var es []Entity
	if s.Alive(e) && (!s.guards(e) || s.locked(nil, e) == nil) {
		es = s.one(e)
	}
	s.leaving(es, func() { err = s.destroyIn(e, nil) })
	return err
}

// Free is Destroy of an entity that was just made, and that nobody knows of.
func (s *Store) Free(e Entity) { _ = s.destroyIn(e, nil) }

// destroyIn is Destroy that leaves holes, unless h is nil.
func (s *Store) destroyIn(e Entity, h *holes) error {
	if !s.Alive(e) {
		return ErrStale
	}
	if s.guards(e) {
		if err := s.locked(nil, e); err != nil {
			return err
		}
	}
	s.destroy(e, h)
	return nil
}

// addObserved is add where groups depend on who has the component, or observers are told. The entity
// lacks it.
//
//	regroup   rows of groups that observe c move to their new tables
//	give      the value comes; an error takes the rows back
//	came      the observer will be told
func (s *Store) addObserved(c *Component, e Entity, v raw.Ptr, h *holes) error {
	if err := s.regroup(e, c, true); err != nil {
		return err
	}
	err := s.give(c, e, v, h)
	if err != nil {
		_ = s.regroup(e, c, false) // the row comes from there: there is room
	} else if c.told {
		s.came(c, s.one(e))
	}
	return err
}

// removeObserved is remove likewise. Regrouping may move rows of other owners alone, so l stays valid.
func (s *Store) removeObserved(c *Component, e Entity, l memmgr.Loc, h *holes) error {
	if err := s.regroup(e, c, false); err != nil {
		return err
	}
	at := s.point()
	if c.told {
		s.went(c, s.one(e))
	}
	err := s.discard(c, s.tableAt(l), e, l, h)
	if err != nil {
		_ = s.regroup(e, c, true)
		s.cut(at)
	}
	return err
}
