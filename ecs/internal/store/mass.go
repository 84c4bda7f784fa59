package store

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// Changes of many rows of a table at once. Rows that move go to the end of the new table in
// their order, as runs. What stays is closed up from the last run to the first, as dropRun
// does. So the order follows from which rows they are, whatever the chunks. With hooks,
// and while ways change, entities change one by one.

// AddRows adds a component with one value to the entities of rows and returns how many: it
// passes over those that have it. After an error some of the others have it.
func (s *Store) AddRows(c *Component, r Rows, v raw.Ptr) (added int, err error) {
	t := r.Table
	if r.N == 0 || t.Has(c) && t.of(c) {
		return 0, nil
	}
	if s.direct(c, t) && c.way != Thin {
		if x := t.opt(c); x == nil {
			if ed := t.edgeForAll(c, adding); ed != nil && s.moveRows(c, adding, r, ed, v) {
				return r.N, nil
			}
		} else if c.way == Optional {
			return s.addBits(x, r.that(false, x), v), nil
		}
	}
	return s.addApart(c, r.entities(), v)
}

// RemoveRows removes a component from the entities of rows and returns how many: it passes
// over those that lack it. It passes over those that are locked, too; then the error is the
// first one's. After another error some of the others lack it.
func (s *Store) RemoveRows(c *Component, r Rows) (removed int, err error) {
	if r.N == 0 {
		return 0, nil
	}
	if s.guarded && s.guardsAny(c, r) {
		return s.RemoveBatch(c, r.entities())
	}
	if n, is := s.removeHere(c, r); is {
		return n, nil
	}
	es := r.entities()
	if !s.unasked() {
		return s.RemoveBatch(c, es)
	}
	for _, r := range s.rowsOf(c, es) {
		n, is := s.removeHere(c, r)
		if !is {
			n, err = s.RemoveBatch(c, r.entities())
		}
		if removed += n; err != nil {
			return removed, err
		}
	}
	return removed, nil
}

// guardsAny tells whether some of the rows' entities may not lose what they have without a
// look.
func (s *Store) guardsAny(c *Component, r Rows) bool {
	s.picked = r.runs(s.picked[:0])
	return slices.ContainsFunc(s.picked, func(d run) bool { return s.unguarded(c, s.entitiesAt(d.at, d.n)) < d.n })
}

// removeHere is RemoveRows if the component is in the table of the rows, or nowhere. It tells
// whether that is so, and there was memory for it.
func (s *Store) removeHere(c *Component, r Rows) (removed int, is bool) {
	t := r.Table
	switch {
	case s.unasked() && t == c.thin:
		s.takeAway(c, r)
		return r.N, true
	case !s.direct(c, t):
		return 0, false
	case t.opt(c) != nil:
		return s.removeBits(t.opt(c), r.that(true, t.opt(c))), true
	case !t.Has(c):
		return 0, true
	}
	ed := t.edgeForAll(c, removing)
	return r.N, ed != nil && s.moveRows(c, removing, r, ed, nil)
}

// rowsOf are the rows where entities have a component, table by table.
func (s *Store) rowsOf(c *Component, es []Entity) (list []Rows) {
	k := 0
	for _, e := range es {
		l, ok := c.Loc(e)
		if !ok {
			continue
		}
		t := s.tableAt(l)
		if k >= len(list) || list[k].Table != t {
			if k = slices.IndexFunc(list, func(r Rows) bool { return r.Table == t }); k < 0 {
				k, list = len(list), append(list, Rows{Table: t, Bits: make([]uint64, t.Seq.ChunkCount()*t.stride)})
			}
		}
		at, mask := t.bit(l)
		list[k].Bits[at] |= mask
		list[k].N++
	}
	return list
}

// SetRows writes the value of a component of those entities of rows that have it and returns
// how many they are.
func (s *Store) SetRows(c *Component, r Rows, v raw.Ptr) (n int) {
	t := r.Table
	x := t.opt(c)
	if r.N == 0 || s.direct(c, t) && x == nil && !t.Has(c) {
		return 0
	}
	if t.Has(c) && t.of(c) || x != nil && s.direct(c, t) {
		if x != nil {
			r = r.that(true, x)
		}
		s.picked = r.runs(s.picked[:0])
		for _, d := range s.picked {
			raw.Fill(c.At(d.at), v, 0, c.Size, d.n)
			c.writtenRun(d.at, d.n)
		}
		return r.N
	}
	for _, e := range r.entities() {
		if l, ok := c.Loc(e); ok {
			raw.Copy(c.At(l), v, c.Size)
			c.Written(e, l)
			n++
		}
	}
	return n
}

// DestroyRows destroys the entities of rows.
func (s *Store) DestroyRows(r Rows) (destroyed int) { return s.DestroyBatch(r.entities()) }

// of tells whether the table stores a component of which it has a column.
func (t *Table) of(c *Component) bool { return t.owner == nil || t.owner == c.owner }

// unasked tells whether entities may change without a look at each: there are no hooks.
func (s *Store) unasked() bool { return s.hooks == nil }

// direct tells whether an entity with a row in the table can have the component only there,
// and entities may change without a look at each.
func (s *Store) direct(c *Component, t *Table) bool {
	return s.unasked() && c.thin == nil && t.owner == c.owner
}

// edgeForAll returns the edge that all rows of a table can take, whichever optional components
// they have; nil if there is none.
func (t *Table) edgeForAll(c *Component, op int) *edge {
	changes := func(c *Component) bool { return t.Has(c) || t.opt(c) != nil }
	if len(t.opts) > mostHeld || slices.ContainsFunc(t.s.moving, changes) {
		return nil
	}
	held := uint64(0)
	for i, x := range t.opts {
		if x.Count == 0 {
			continue
		}
		if x.C.owner != t.owner {
			return nil
		}
		held |= 1 << i
	}
	ed, err := t.plainEdge(c, op)
	if err != nil || held != 0 && ed.to == nil { // some rows have nothing else, and go
		return nil
	}
	if held&ed.lacks != 0 {
		if ed, err = t.heldEdge(edgeKey{id: c.ID, op: op, held: held}, c); err != nil {
			return nil
		}
	}
	return ed
}

// moveRows adds or removes a component by which rows move along an edge. It tells whether
// there was memory for that; if not, nothing has changed.
func (s *Store) moveRows(c *Component, op int, r Rows, ed *edge, v raw.Ptr) bool {
	if ed.to == nil {
		s.takeAway(c, r)
		return true
	}
	runs, err := ed.to.reserve(r.N)
	if err != nil {
		return false
	}
	s.picked = r.runs(s.picked[:0])
	r.Table.carryRuns(s.picked, runs, ed)
	if op == removing {
		s.policy.Removed(int(c.ID), r.N)
	} else {
		ed.to.fill(c, runs, v)
	}
	r.Table.dropRuns(s.picked, r.all())
	return true
}

// carryRuns copies rows to rows of the table at the other end of an edge, as many, and
// points entries there.
func (t *Table) carryRuns(from, to []run, ed *edge) {
	d := run{}
	for _, f := range from {
		for f.n > 0 {
			if d.n == 0 {
				d, to = to[0], to[1:]
			}
			n := min(f.n, d.n)
			ed.to.putRun(d.at, t.s.entitiesAt(f.at, n))
			t.carriedTo(ed.to, f.at, d.at)
			for i := range *ed.lanes {
				x := &(*ed.lanes)[i]
				raw.CopyAll(x.at(d.at), x.at(f.at), uintptr(n)*x.size())
			}
			if len(t.opts) > 0 {
				t.carryBits(f.at, d.at, n, ed.to)
			}
			f, d = run{f.at.Plus(uint32(n)), f.n - n}, run{d.at.Plus(uint32(n)), d.n - n}
		}
	}
}

// carryBits is carryRuns for what is optional, of n rows from l on.
func (t *Table) carryBits(l, to memmgr.Loc, n int, u *Table) {
	from, first := t.bitAt(l), u.bitAt(to)
	for _, x := range t.opts {
		if x.Count == 0 {
			continue
		}
		c, y := x.C, u.opt(x.C)
		raw.CopyAll(c.At(to), c.At(l), uintptr(n)*c.Size)
		for b := from; b < from+n; b = (b | 63) + 1 {
			for w := x.Bits[b/64] & between(b, from+n); w != 0; w &= w - 1 {
				i := b&^63 + trailingZeros(w) - from
				y.Bits[(first+i)/64] |= 1 << ((first + i) % 64)
				y.Count++
			}
		}
	}
}

// fill gives rows that have just come to the table a component that they lack.
func (t *Table) fill(c *Component, runs []run, v raw.Ptr) {
	x := t.opt(c)
	for _, d := range runs {
		raw.Fill(c.At(d.at), v, 0, c.Size, d.n)
		if x != nil {
			x.setRun(t.bitAt(d.at), d.n)
		}
		if c.noted != nil {
			c.got(d.at, d.n)
		}
	}
}

// dropRuns removes rows, in ascending order, whose entries point elsewhere.
func (t *Table) dropRuns(runs []run, all bool) {
	t.s.m.Shift()
	if all {
		for _, x := range t.opts {
			clear(x.Bits)
			x.Count = 0
		}
		t.Seq.Truncate(0)
		return
	}
	for _, d := range slices.Backward(runs) {
		t.dropRun(d.at, d.n)
	}
}

// takeAway removes rows whose entities lose what they have there: a component.
func (s *Store) takeAway(c *Component, r Rows) {
	t := r.Table
	s.policy.Removed(int(c.ID), r.N)
	s.picked = r.runs(s.picked[:0])
	for _, d := range s.picked {
		es := s.entitiesAt(d.at, d.n)
		t.words.clearRun(es)
		if t.place.plane != nil {
			for _, e := range es {
				t.leave(e)
			}
		}
	}
	t.dropRuns(s.picked, r.all())
}

// addBits adds an optional component to the entities of rows that lack it: a bit and a value each.
func (s *Store) addBits(x *Opt, r Rows, v raw.Ptr) (added int) {
	s.picked = r.runs(s.picked[:0])
	r.Table.fill(x.C, s.picked, v)
	for _, d := range s.picked {
		s.stampRow(d.at)
		x.C.Dir.CellOf(d.at).Stamp = s.m.Tick()
	}
	return r.N
}

// removeBits removes an optional component from the entities of rows that have it.
func (s *Store) removeBits(x *Opt, r Rows) (removed int) {
	s.m.Shift()
	s.policy.Removed(int(x.C.ID), r.N)
	s.picked = r.runs(s.picked[:0])
	for _, d := range s.picked {
		x.unsetRun(r.Table.bitAt(d.at), d.n)
		s.stampRow(d.at)
	}
	return r.N
}

// addApart adds a component to entities whose rows are in other tables than its own. Entities
// without a row there get adjacent rows.
func (s *Store) addApart(c *Component, es []Entity, v raw.Ptr) (added int, err error) {
	if s.unasked() {
		if t := s.firstOf(c); t != nil {
			first, rest := make([]Entity, 0, len(es)), es[:0]
			for _, e := range es {
				if c.way != Thin && Names(c.owner.words.Load(e.Index()), e) || c.Has(e) {
					rest = append(rest, e)
				} else {
					first = append(first, e)
				}
			}
			if es, added = rest, len(first); !s.addFirsts(t, c, first, v) {
				es, added = append(first, rest...), 0
			}
		}
	}
	n, err := s.AddBatch(c, es, v)
	return added + n, err
}

// firstOf is the table where entities get their first row for a component; nil if memory for
// it is refused.
func (s *Store) firstOf(c *Component) (t *Table) {
	if c.way == Thin {
		if c.thin == nil && s.makeThin(c) != nil {
			return nil
		}
		return c.thin
	}
	t, _ = s.aloneOf(c, 0) // of an owner that observes nothing: somebody would be asked
	return t
}

// addFirsts gives entities rows of a table of their own, with a component that they lack. It
// tells whether there was memory for that.
func (s *Store) addFirsts(t *Table, c *Component, es []Entity, v raw.Ptr) bool {
	if len(es) == 0 {
		return true
	}
	last := es[0]
	for _, e := range es {
		if e.Index() > last.Index() {
			last = e
		}
	}
	if last.Index() >= t.ready() && t.prepare(last, len(es)) != nil {
		return false
	}
	runs, err := t.reserve(len(es))
	if err != nil {
		return false
	}
	for _, d := range runs {
		t.occupy(d.at, es[:d.n])
		es = es[d.n:]
	}
	t.fill(c, runs, v)
	return true
}
