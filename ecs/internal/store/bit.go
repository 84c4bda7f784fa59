package store

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// An optional component comes and goes with a bit of the entity's row, which its home entry
// names. Homes and bits are few enough to stay in a cache.

// presence is where an entity has an optional component, or would have it: a row, and its bit.
type presence struct {
	x    *Opt
	l    memmgr.Loc
	at   int
	mask uint64
}

// presence is that of a row.
func (t *Table) presence(x *Opt, l memmgr.Loc) presence {
	at, mask := t.bit(l)
	return presence{x, l, at, mask}
}

// home is the presence in the row of a component's owner that an entry names, and whether its bit
// is set. If its table has no such column, there is no Opt.
func (c *Component) home(w uint64) (h presence, has bool) {
	at := c.Dir.Place(w)
	if !at.Is(w) || !at.Partial() {
		return presence{}, false
	}
	t := c.s.tables[at.Key()]
	for _, x := range t.opts {
		if x.C == c {
			h = t.presence(x, locOf(w))
			return h, x.has(h.at, h.mask)
		}
	}
	return presence{}, false
}

// addOptional is Add for an optional component, if the row that the entity's entry names has a
// column for it, and there is no thin row. It tells whether that is so.
func (c *Component) addOptional(w uint64, v raw.Ptr) (is bool, err error) {
	h, has := c.home(w)
	switch {
	case h.x == nil:
		return false, nil
	case has:
		return true, ErrPresent
	}
	c.s.addBit(h, v)
	return true, nil
}

// removeOptional is Remove where the entity's row has a bit. It tells whether that is so.
func (c *Component) removeOptional(e Entity) bool {
	w := c.owner.words.Load(e.Index())
	if !Names(w, e) {
		return false
	}
	h, has := c.home(w)
	if has {
		c.s.policy.Removed(int(c.ID), 1)
		c.s.removeBit(h)
	}
	return has
}
