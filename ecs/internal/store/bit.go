package store

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// An optional component comes and goes with a bit of the entity's row. Its own word is
// written, but not read: words of all that comes and goes lie far apart, while homes and
// bits are few enough to be near.

// home is the row of an entity among those of a component's owner, if its table has the
// component as an optional column, and whether its bit is set.
func (c *Component) home(e Entity) (t *Table, x *Opt, l memmgr.Loc, has bool) {
	w := c.owner.words.Load(e.Index())
	if !Names(w, e) || !c.Dir.Place(w).Is(w) {
		return nil, nil, 0, false
	}
	l = locOf(w)
	t = c.s.tableAt(l)
	if x = t.opt(c); x == nil {
		return nil, nil, 0, false
	}
	at, mask := t.bit(l)
	return t, x, l, x.has(at, mask)
}

// addOptional is Add for an optional component of which nobody has a thin row, where the
// entity's row has a column for it. It tells whether that is so.
func (c *Component) addOptional(e Entity, v raw.Ptr) (is bool, err error) {
	t, x, l, has := c.home(e)
	switch {
	case x == nil:
		return false, nil
	case has:
		return true, ErrPresent
	}
	if err := c.prepare(e, 1); err != nil {
		return true, err
	}
	t.addBit(x, e, l, v)
	return true, nil
}

// removeOptional is Remove where the entity's row has a bit. It tells whether that is so.
func (c *Component) removeOptional(e Entity) bool {
	t, x, l, has := c.home(e)
	if has {
		c.s.policy.Removed(int(c.ID), 1)
		t.removeBit(x, e, l)
	}
	return has
}
