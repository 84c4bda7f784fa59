package store

import (
	"slices"

	"github.com/ashlar-go/ashlar/memmgr"
)

// An edge leads rows from one table to another when a component is added or removed, or when a row
// settles. It is looked up by its operation, so a move needs no set of components:
//
//	{Pos}  ─adding Vel→  {Pos, Vel}  ─removing Pos→  {Vel}  ─removing Vel→  no row
//
// Edges are kept by the table that rows leave. They are stale once the owner's ways have moved: a
// family may have another current table then, or a component another way.

const (
	adding = 1 + iota
	removing
	settling // nothing is added or removed
)

// opBits is the number of bits of a key that tell the operation.
const opBits = 2

// edgeKey returns the key of an edge for a component's ID. It is never 0, because operations begin at
// 1; 0 marks a free element of edges.plain.
func edgeKey(id uint32, op int) uint64 { return uint64(id)<<opBits | uint64(op) }

// find returns the edge of a key for rows without optional components; nil if it is not known. The
// table is open-addressed with linear probing, and at least a quarter is free, so the search ends.
// Callers check seen before: see known.
func (x *edges) find(key uint64) *edge {
	for i := key * edgeHash >> 32; len(x.plain) > 0; i++ {
		switch ed := &x.plain[i&uint64(len(x.plain)-1)]; ed.key {
		case key:
			return ed
		case 0:
			return nil
		}
	}
	return nil
}

// edgeHash spreads keys: IDs may have their low bits in common.
const edgeHash = 0x9E3779B97F4A7C15

// add adds an edge that is not known yet, and returns its element. A later add may copy the elements
// to a larger array. Pointers to old elements stay readable, because neither array changes an edge
// after it was added.
func (x *edges) add(ed edge) *edge {
	if 4*(x.n+1) > 3*len(x.plain) {
		old := x.plain
		x.plain, x.n = make([]edge, max(2, 2*len(old))), 0
		for _, ed := range old {
			if ed.key != 0 {
				x.add(ed)
			}
		}
	}
	x.n++
	for i := ed.key * edgeHash >> 32; ; i++ {
		if at := &x.plain[i&uint64(len(x.plain)-1)]; at.key == 0 {
			*at = ed
			return at
		}
	}
}

// mostHeld is how many optional components of a table edges can tell apart; with more of
// them, edges are looked for each time.
const mostHeld = 64

// edge returns the edge that the row at l takes. For settling, c may be nil. Rows of a table differ in
// their optional components, so the row's own bits choose:
//
//	no bit in ed.lacks is held   the plain edge, shared by most rows
//	some are                     the edge of that combination of bits (heldEdge)
//	over 64 optional columns     an edge made for this row alone, not cached
//
// It may make a table and a family, so the error is the arena's, and ways may move.
func (t *Table) edge(c *Component, op int, l memmgr.Loc) (*edge, error) {
	ed, err := t.plainEdge(c, op)
	if err != nil || len(t.opts) == 0 {
		return ed, err
	}
	held := t.held(l)
	if op == removing {
		if i := t.optPlace(c); i >= 0 {
			// The component goes, so the target need not take it.
			held &^= 1 << i
		}
	}
	if held&ed.lacks == 0 && len(t.opts) <= mostHeld {
		return ed, nil
	}
	if len(t.opts) > mostHeld {
		return t.edgeFor(c, op, t.heldBy(l, c, op))
	}
	return t.heldEdge(c, op, held)
}

// known returns the edge for rows without optional components; nil if it was not made before, or is
// stale. It is the fast half of plainEdge, without an error and without a call.
func (t *Table) known(id uint32, op int) *edge {
	if t.owner.ways.Stale(t.edges.seen) {
		return nil
	}
	return t.edges.find(edgeKey(id, op))
}

// valid returns the table's edges, and drops all of them first if they are stale. Edges become stale
// together, because the owner has one clock for all.
func (t *Table) valid() *edges {
	if now := t.owner.ways; now.Stale(t.edges.seen) {
		t.edges = edges{seen: now}
	}
	return &t.edges
}

// idOf is the ID of a component in keys; without a component 0. The operation keeps settling apart
// from changes of the component that has ID 0.
func idOf(c *Component) uint32 {
	if c == nil {
		return 0
	}
	return c.ID
}

// plainEdge is the edge of rows that have no optional component. Making it may create tables and move
// the owner's ways, so valid is called after edgeFor.
func (t *Table) plainEdge(c *Component, op int) (*edge, error) {
	if ed := t.known(idOf(c), op); ed != nil {
		return ed, nil
	}
	ed, err := t.edgeFor(c, op, nil)
	if err != nil {
		return nil, err
	}
	ed.key = edgeKey(idOf(c), op)
	return t.valid().add(*ed), nil
}

// heldEdge is the edge of rows that have the optional components held: bit i is t.opts[i]. There may
// be as many edges as combinations are met, so they are a map and not part of edges.plain.
func (t *Table) heldEdge(c *Component, op int, held uint64) (*edge, error) {
	k := heldKey{edgeKey(idOf(c), op), held}
	if ed := t.knownHeld(k); ed != nil {
		return ed, nil
	}
	var opts []*Component
	for i, x := range t.opts {
		if held>>i&1 != 0 {
			opts = with(opts, x.C)
		}
	}
	ed, err := t.edgeFor(c, op, opts)
	if err != nil {
		return nil, err
	}
	t.valid().addHeld(k, ed)
	return ed, nil
}

// knownHeld is known for rows that have some optional components.
func (t *Table) knownHeld(k heldKey) *edge {
	if t.owner.ways.Stale(t.edges.seen) {
		return nil
	}
	return t.edges.held[k]
}

// addHeld adds an edge that is not known yet.
func (x *edges) addHeld(k heldKey, ed *edge) {
	if x.held == nil {
		x.held = make(map[heldKey]*edge)
	}
	x.held[k] = ed
}

// edgeFor makes the edge for rows with the given optional components. Each component goes
// where its way is. Components that are to be thin stay as they are.
func (t *Table) edgeFor(c *Component, op int, held []*Component) (*edge, error) {
	return t.edgeTo(c, op, held, t.family.cap)
}

// edgeTo is edgeFor to a table of rows that meet cap levels. The target's components are the row's ones
// after op, sorted by their way now, not by the form they have in t. So each move also settles a row.
//
//	way now     in the target
//	Fixed       fixed column
//	Optional    optional column
//	Thin        as it is in t, until thinOut moves the value
//	another owner's, or removed     left out
func (t *Table) edgeTo(c *Component, op int, held []*Component, cap int) (*edge, error) {
	fixed, opts := make([]*Component, 0, len(t.fixed)+len(held)+1), []*Component(nil)
	keep := func(x *Component, thin *[]*Component) { // thin is the list that takes x if its way is Thin
		switch {
		case x == c && op == removing || x.owner != t.owner:
		case x.way == Fixed:
			fixed = put(fixed, x)
		case x.way == Optional:
			opts = put(opts, x)
		default:
			*thin = put(*thin, x)
		}
	}
	for _, x := range t.fixed {
		keep(x, &fixed)
	}
	for _, x := range held {
		keep(x, &opts)
	}
	if op == adding {
		keep(c, &fixed)
	}
	t.store.left -= t.moveCost() // as much as a row, about
	ed := new(edge)
	if len(fixed)+len(opts) > 0 {
		var err error
		if ed.to, err = t.owner.family(fixed, cap).table(opts); err != nil {
			return nil, err
		}
		ed.lanes = t.common(ed.to)
	}
	// A bit of lacks: a row with that component would lose its value, or its family would be another.
	for i, x := range t.opts[:min(len(t.opts), mostHeld)] {
		if ed.to == nil || !ed.to.Has(x.C) && ed.to.opt(x.C) == nil || x.C.way == Fixed && !ed.to.Has(x.C) {
			ed.lacks |= 1 << i
		}
	}
	return ed, nil
}

// held is the optional components that a row has, as bits by their place in t.opts, the first 64.
func (t *Table) held(l memmgr.Loc) (held uint64) {
	at, mask := t.bit(l)
	for i, x := range t.opts[:min(len(t.opts), mostHeld)] {
		if x.Count > 0 && x.has(at, mask) {
			held |= 1 << i
		}
	}
	return held
}

// heldBy is held as a list, after op: a component that is being removed is left out. It has no limit
// of 64.
func (t *Table) heldBy(l memmgr.Loc, c *Component, op int) (opts []*Component) {
	at, mask := t.bit(l)
	for _, x := range t.opts {
		if !(x.C == c && op == removing) && x.Count > 0 && x.has(at, mask) {
			opts = with(opts, x.C)
		}
	}
	return opts
}

// optPlace is the place of an optional component among the first 64 of the table; -1 if it has no such
// place.
func (t *Table) optPlace(c *Component) int {
	return slices.IndexFunc(t.opts[:min(len(t.opts), mostHeld)], func(x *Opt) bool { return x.C == c })
}

// common returns the lanes of the components that are fixed in both tables. One of the two tables
// usually has no others. Then its own list is shared, which saves memory for each edge.
func (t *Table) common(to *Table) *[]lane {
	n := 0
	for _, x := range t.lanes {
		if to.fixedSet.has(x.id) {
			n++
		}
	}
	switch n {
	case len(t.lanes):
		return &t.lanes
	case len(to.lanes):
		return &to.lanes
	}
	lanes := make([]lane, 0, n)
	for _, x := range t.lanes {
		if to.fixedSet.has(x.id) {
			lanes = append(lanes, x)
		}
	}
	return &lanes
}

// followEdge takes a row along an edge, and removes the row if the edge leads nowhere. That happens to
// a row that has lost all components, or has them elsewhere.
func (t *Table) followEdge(e Entity, l memmgr.Loc, ed *edge) error {
	if ed.to == nil {
		t.takeRow(e, l, nil)
		return nil
	}
	_, err := t.moveRow(e, l, ed, nil, nil)
	return err
}

// setCap moves a row to the table of rows with another cap. A row without any component left is
// removed. Edges for it are kept under cap+1, as IDs are in other keys: plain settling has 0.
func (t *Table) setCap(e Entity, l memmgr.Loc, cap int) error {
	k := heldKey{edgeKey(uint32(cap)+1, settling), t.held(l)}
	ed := t.knownHeld(k)
	if ed == nil || len(t.opts) > mostHeld {
		var err error
		if ed, err = t.edgeTo(nil, settling, t.heldBy(l, nil, settling), cap); err != nil {
			return err
		}
		t.valid().addHeld(k, ed)
	}
	return t.followEdge(e, l, ed)
}
