package store

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/memmgr/clock"
)

// Exchange is components that come and others that go in one move. The edge from each table is looked
// up once, and kept while the ways of the owner stay the same.
//
//	sole owner, fixed, not observed   one move along an edge
//	otherwise                         adds, then removals, undone on an error (oneByOne)
//
// owner is set by each look-up of an edge. values is scratch of oneByOne, 8-byte aligned.
type Exchange struct {
	store  *Store
	comes  []piece
	goes   []*Component
	owner  *Owner           // of all of them; nil if they have several
	edges  map[*Table]*edge // for rows without optional components
	seen   clock.Ways       // of the owner, when the edges were looked up
	values []uint64         // copies of the values that go, for undoing a refusal
}

// NewExchange makes an exchange: components come, with values at the given offsets in bytes, and
// others go. No component is named twice. At least one comes.
func (s *Store) NewExchange(comes []*Component, at []uintptr, goes []*Component) *Exchange {
	x := &Exchange{store: s, goes: goes}
	for i, c := range comes {
		x.comes = append(x.comes, pieceOf(c, at[i]))
	}
	return x
}

// Names are the names of the components that come, and of the components that go.
func (x *Exchange) Names() (comes, goes []string) {
	for _, p := range x.comes {
		comes = append(comes, p.c.Name)
	}
	return comes, names(x.goes)
}

// Do makes an entity lose the components that go and gives it the ones that come, with values in the
// struct at v. It returns ErrStale, ErrAbsent if the entity lacks one that goes, ErrPresent if it has
// one that comes, a LockedError, or the arena's error. Nothing has changed then.
func (x *Exchange) Do(e Entity, v raw.Ptr) error {
	err := x.do(e, v, nil)
	x.store.done()
	return err
}

// do is Do with holes. Unless they are nil, the caller closes them. Checks come first, so that only
// memory can be refused after the first change.
func (x *Exchange) do(e Entity, v raw.Ptr, h *holes) error {
	if err := x.Refused(e); err != nil {
		return err
	}
	t, l, ed, err := x.edge(e)
	switch {
	case err != nil:
		return err
	case t == nil:
		err = x.oneByOne(e, v)
	default: // something comes, so the edge leads to a table
		if l, err = t.moveRow(e, l, ed, nil, h); err == nil {
			ed.to.fill(&incoming{pieces: x.comes, v: v}, run{l, 1})
		}
	}
	if err == nil {
		x.left(e)
	}
	return err
}

// Refused is the error of an entity that can't exchange; nil if it can. It costs a look-up for each
// component. Locks come last: one refuses a change that could be made otherwise.
func (x *Exchange) Refused(e Entity) error {
	s := x.store
	if !s.Alive(e) {
		return ErrStale
	}
	for _, c := range x.goes {
		if !c.Has(e) {
			return fmt.Errorf("%w: %q", ErrAbsent, c.Name)
		}
	}
	for i := range x.comes {
		if c := x.comes[i].c; c.Has(e) {
			return fmt.Errorf("%w: %q", ErrPresent, c.Name)
		}
	}
	if !s.guards(e) {
		return nil
	}
	for _, c := range x.goes {
		if err := s.locked(c, e); err != nil {
			return err
		}
	}
	return nil
}

// left does the work that follows when components have gone: the policy counts the removals, and disabled bits
// of these components are cleared.
func (x *Exchange) left(es ...Entity) {
	for _, c := range x.goes {
		x.store.policy.Removed(int(c.ID), len(es))
		if x.store.guarded.n == 0 {
			continue
		}
		for _, e := range es {
			if x.store.guards(e) {
				x.store.switchOne(c, e, true)
			}
		}
	}
}

// edge returns the row of an entity and the edge that it takes. It returns no table if the exchange is
// not one move: several owners, optional components in the old or new table, or no row. Making an edge
// may itself move the owner's ways. An edge is kept only if they have not moved.
func (x *Exchange) edge(e Entity) (t *Table, l memmgr.Loc, ed *edge, err error) {
	if x.owner = x.sole(); x.owner == nil {
		return nil, 0, nil, nil
	}
	t, l, home := x.owner.row(e)
	if !home || len(t.opts) > 0 {
		return nil, 0, nil, nil
	}
	if x.owner.ways.Stale(x.seen) {
		x.seen, x.edges = x.owner.ways, make(map[*Table]*edge)
	}
	if ed = x.edges[t]; ed == nil {
		if ed, err = x.edgeFrom(t); err != nil {
			return nil, 0, nil, err
		}
		// edgeFrom may have made a table, by which the ways moved. The map would then be of an older
		// time.
		if !x.owner.ways.Stale(x.seen) {
			x.edges[t] = ed
		}
	}
	if len(ed.to.opts) > 0 {
		return nil, 0, nil, nil
	}
	return t, l, ed, nil
}

// sole is the owner of all components, if they are all stored in fixed columns and nobody observes
// them; otherwise nil.
func (x *Exchange) sole() (o *Owner) {
	o = x.comes[0].c.owner
	for i := range x.comes {
		if c := x.comes[i].c; !c.silent() || c.owner != o {
			return nil
		}
	}
	if slices.ContainsFunc(x.goes, func(c *Component) bool { return !c.silent() || c.owner != o }) {
		return nil
	}
	return o
}

// edgeFrom makes the edge from a table without optional components. Components that another owner has
// by now are left out of the target. The edge has no key: it is not in the table's own edges.
func (x *Exchange) edgeFrom(t *Table) (*edge, error) {
	fixed := make([]*Component, 0, len(t.fixed)+len(x.comes))
	for _, c := range t.fixed {
		if c.owner == t.owner && !slices.Contains(x.goes, c) {
			fixed = put(fixed, c)
		}
	}
	for i := range x.comes {
		fixed = put(fixed, x.comes[i].c)
	}
	to, err := x.owner.family(fixed, t.family.cap).table(nil)
	if err != nil {
		return nil, err
	}
	return &edge{to: to, lanes: t.common(to)}, nil
}

// oneByOne is do where components are stored in several ways or by several owners. Components come
// first, then the others go. A refusal is undone, which needs no memory: rows go back to where there
// is room. keep has copied the values that go, so an undone removal gets its value back.
//
// Groups are asked before, because between two of the changes an entity may be a member that it is neither before nor
// after.
func (x *Exchange) oneByOne(e Entity, v raw.Ptr) error {
	t := x.store.telling
	if t == nil {
		return x.inTurn(e, v)
	}
	at := x.store.point()
	joined := x.joined(e)
	t.still = true
	err := x.inTurn(e, v)
	if t.still = false; err != nil {
		x.store.cut(at)
		return err
	}
	for _, g := range joined {
		if t.note(g, false) {
			t.add(x.store.one(e))
		}
	}
	return nil
}

// joined is the groups that an entity will be a member of and is not. The ones that it leaves are noted.
func (x *Exchange) joined(e Entity) (list []*Subject) {
	t := x.store.telling
	if len(t.joining) == 0 {
		return nil
	}
	with := turn{goes: x.goes}
	for i := range x.comes {
		with.comes = append(with.comes, x.comes[i].c)
	}
	for _, g := range t.joining {
		switch was, is := g.holds(e, turn{}), g.holds(e, with); {
		case was && !is:
			t.follow(g, x.store.one(e), turn{}, with)
		case is && !was:
			list = append(list, g)
		}
	}
	return list
}

// inTurn makes the changes, or none.
func (x *Exchange) inTurn(e Entity, v raw.Ptr) (err error) {
	s := x.store
	for i := range x.comes {
		if err = s.add(x.comes[i].c, e, raw.At(v, x.comes[i].from), nil); err != nil {
			for _, p := range x.comes[:i] {
				_ = s.remove(p.c, e, nil)
			}
			return err
		}
	}
	// Values are copied before any of them goes, and after the additions, which may move their rows.
	x.keep(e)
	for i, c := range x.goes {
		l, _ := c.Loc(e)
		if c.observed {
			err = s.removeObserved(c, e, l, nil)
		} else {
			err = s.discard(c, s.tableAt(l), e, l, nil)
		}
		if err == nil {
			continue
		}
		at := raw.Data(x.values)
		for _, c := range x.goes[:i] {
			_ = s.add(c, e, at, nil)
			at = raw.At(at, c.room())
		}
		for _, p := range x.comes {
			_ = s.remove(p.c, e, nil)
		}
		return c.failed(err)
	}
	return nil
}

// silent tells whether nobody has to know who gets the component and who loses it, and all values are in fixed columns.
func (c *Component) silent() bool { return c.plain && !c.observed }

// room is how many bytes a value takes in keep: its size, rounded up to 8, so that each value is
// aligned.
func (c *Component) room() uintptr { return (c.Size + 7) &^ 7 }

// keep copies the values that go into x.values, one after the other in the order of goes, room bytes
// each.
func (x *Exchange) keep(e Entity) {
	size := uintptr(8)
	for _, c := range x.goes {
		size += c.room()
	}
	x.values = slices.Grow(x.values[:0], int(size/8))[:size/8]
	at := raw.Data(x.values)
	for _, c := range x.goes {
		l, _ := c.Loc(e)
		raw.CopyAll(at, c.At(l), c.Size)
		at = raw.At(at, c.room())
	}
}

// Batch makes the exchange for entities, all with the same values, and returns how many. Entities
// that are not alive, lack one that goes, or have one that comes are skipped. Locked ones are
// skipped as well; then the error is the first one's. After another error some have changed.
func (x *Exchange) Batch(es []Entity, v raw.Ptr) (changed int, err error) {
	h := &x.store.holes
	x.store.begin()
	defer x.store.end()
	defer h.close()
	for len(es) > 0 {
		n := x.run(es, v, h)
		if changed += n; n == 0 {
			// The first entity is not part of a run, so it changes alone or is skipped.
			n = 1
			switch one := x.do(es[0], v, h); {
			case one == nil:
				changed++
			case errors.Is(one, ErrLocked):
				err = cmp.Or(err, one)
			case !errors.Is(one, ErrStale) && !errors.Is(one, ErrAbsent) && !errors.Is(one, ErrPresent):
				return changed, one
			}
		}
		es = es[n:]
	}
	return changed, err
}

// run is Batch for the first entities, if their rows follow each other. It returns how many rows it
// has changed. 0 means that nothing has changed, and the caller goes on with one entity.
func (x *Exchange) run(es []Entity, v raw.Ptr, h *holes) int {
	if len(es) < runMin || x.Refused(es[0]) != nil {
		return 0
	}
	t, l, ed, err := x.edge(es[0])
	if t == nil || err != nil {
		return 0
	}
	n := t.follow(es, l)
	for _, c := range x.goes {
		if x.store.guarded.n > 0 {
			n = x.store.unguarded(c, es[:n])
		}
	}
	if n < runMin {
		return 0
	}
	// The run is in one table and has no locks: one edge serves all, and only memory may be refused.
	rows := t.runsFrom(l, n)
	if t.moveRows(rows, ed, n, incoming{pieces: x.comes, v: v}) != nil {
		return 0 // one by one finds out how many there is room for
	}
	h.markAll(t, rows)
	x.left(es[:n]...)
	return n
}
