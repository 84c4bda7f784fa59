package store

import (
	"slices"

	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// edge says where rows move from a table when a component is added or removed, or when they
// move on. It has the new table, and what that has in common with the old one. A row that moves
// meets an edge that was seldom used of late, so an edge is half a line of the cache.
type edge struct {
	to    *Table  // nil: nothing is left, and the row goes
	lanes *[]lane // of the components that are fixed in both tables
	lacks uint64  // optional components of the old table, by place, that rows can't take along
	epoch uint64  // of the owner; 0: it was never made
}

// edgeKey is what an edge is for: a component's ID and what happens to it, and the optional
// components, by place, that must come along.
type edgeKey struct {
	id   uint32
	op   int
	held uint64
}

const (
	adding = iota
	removing
	settling // nothing is added or removed
	ops      // how many there are
)

// alone is the table of entities that have one component of an owner.
type alone struct {
	t     *Table
	epoch uint64
}

// mostHeld is how many optional components of a table edges can tell apart; with more of
// them, edges are looked for each time.
const mostHeld = 64

// edge returns the way that the row at l takes. There may be no component if the row is
// only settling.
func (t *Table) edge(c *Component, op int, l memmgr.Loc) (*edge, error) {
	ed, err := t.plainEdge(c, op)
	if err != nil || len(t.opts) == 0 {
		return ed, err
	}
	held := t.held(l)
	if op == removing {
		if i := t.optPlace(c); i >= 0 {
			held &^= 1 << i
		}
	}
	if held&ed.lacks == 0 && len(t.opts) <= mostHeld {
		return ed, nil
	}
	if len(t.opts) > mostHeld {
		return t.edgeFor(c, op, t.heldBy(l, c, op))
	}
	var k edgeKey
	if k = (edgeKey{op: op, held: held}); c != nil {
		k.id = c.ID
	}
	return t.heldEdge(k, c)
}

// known is the way of rows that have no optional component, if it was made before and holds
// still.
func (t *Table) known(id uint32, op int) *edge {
	if plain := t.plain[op]; uint(id) < uint(len(plain)) {
		if ed := &plain[id]; ed.epoch == t.owner.epoch {
			return ed
		}
	}
	return nil
}

// plainEdge is the way of rows that have no optional component.
func (t *Table) plainEdge(c *Component, op int) (*edge, error) {
	i := uint32(0)
	if c != nil {
		i = c.ID
	}
	if ed := t.known(i, op); ed != nil {
		return ed, nil
	}
	ed, err := t.edgeFor(c, op, nil)
	if err != nil {
		return nil, err
	}
	for uint32(len(t.plain[op])) <= i {
		t.plain[op] = append(t.plain[op], edge{})
	}
	t.plain[op][i] = *ed
	return ed, nil
}

// heldEdge is the way of rows that have some optional components.
func (t *Table) heldEdge(k edgeKey, c *Component) (*edge, error) {
	if ed := t.edges[k]; ed != nil && ed.epoch == t.owner.epoch {
		return ed, nil
	}
	var opts []*Component
	for i, x := range t.opts {
		if k.held>>i&1 != 0 {
			opts = with(opts, x.C)
		}
	}
	ed, err := t.edgeFor(c, k.op, opts)
	if err != nil {
		return nil, err
	}
	if t.edges == nil {
		t.edges = make(map[edgeKey]*edge)
	}
	t.edges[k] = ed
	return ed, nil
}

// edgeFor makes the edge for rows with the given optional components. Each component goes
// where its way is. Those that are to be thin stay as they are.
func (t *Table) edgeFor(c *Component, op int, held []*Component) (*edge, error) {
	return t.edgeTo(c, op, held, t.family.cap)
}

// edgeTo is edgeFor to a table whose rows meet so many levels.
func (t *Table) edgeTo(c *Component, op int, held []*Component, cap int) (*edge, error) {
	var fixed, opts []*Component
	for _, x := range t.fixed {
		switch {
		case x == c && op == removing || x.owner != t.owner:
		case x.way == Optional:
			opts = with(opts, x)
		default:
			fixed = with(fixed, x)
		}
	}
	for _, x := range held {
		switch {
		case x == c && op == removing || x.owner != t.owner:
		case x.way == Fixed:
			fixed = with(fixed, x)
		default:
			opts = with(opts, x)
		}
	}
	switch {
	case op != adding:
	case c.way == Optional:
		opts = with(opts, c)
	default:
		fixed = with(fixed, c)
	}
	ed := &edge{epoch: t.owner.epoch}
	if len(fixed)+len(opts) > 0 {
		var err error
		if ed.to, err = t.owner.family(fixed, cap).table(opts); err != nil {
			return nil, err
		}
		ed.lanes = t.common(ed.to)
	}
	for i, x := range t.opts[:min(len(t.opts), mostHeld)] {
		if ed.to == nil || !ed.to.Has(x.C) && ed.to.opt(x.C) == nil || x.C.way == Fixed && !ed.to.Has(x.C) {
			ed.lacks |= 1 << i
		}
	}
	return ed, nil
}

// held is the optional components that a row has, by place among the first 64.
func (t *Table) held(l memmgr.Loc) (held uint64) {
	at, mask := t.bit(l)
	for i, x := range t.opts[:min(len(t.opts), mostHeld)] {
		if x.Count > 0 && x.has(at, mask) {
			held |= 1 << i
		}
	}
	return held
}

// heldBy is held as a list.
func (t *Table) heldBy(l memmgr.Loc, c *Component, op int) (opts []*Component) {
	at, mask := t.bit(l)
	for _, x := range t.opts {
		if !(x.C == c && op == removing) && x.Count > 0 && x.has(at, mask) {
			opts = with(opts, x.C)
		}
	}
	return opts
}

// optPlace is the place of an optional component in the table; -1 if it has none.
func (t *Table) optPlace(c *Component) int {
	return slices.IndexFunc(t.opts[:min(len(t.opts), mostHeld)], func(x *Opt) bool { return x.C == c })
}
