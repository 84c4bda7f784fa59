package store

import (
	"cmp"
	"errors"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// Changes of rows of one table, which a query has found. If all of them can take one edge, they
// are one change. Otherwise they change as the list of their entities would.
//
// A list costs a look at each entity: is it alive, where is its row, what else does it have? A query
// has answered this for all rows of a table, unless one of these needs the single entity:
//
//	an observed component    a group, or an observer, follows each
//	a lock, a disabled bit   it concerns some of the rows, and not the others
//	a component that moves   some rows have it here, some elsewhere
//	rows of other owners     they go with the entity, when that is destroyed

// AddRows adds a component with one value to the entities of rows and returns how many. Entities that
// have it are skipped. After an error some of the others have it.
//
//	in t                           effect
//	fixed here                     nothing: all have it
//	no column, one edge for all    rows move as runs (moveAll)
//	optional, and has a column     bits and values; no row moves (setBits)
//	otherwise                      entity by entity (addApart)
func (s *Store) AddRows(c *Component, r Rows, v raw.Ptr) (added int, err error) {
	t := r.Table
	if r.N == 0 || t.Has(c) && t.of(c) {
		return 0, nil
	}
	s.begin()
	defer s.end()
	if s.direct(c, t) && c.way != Thin {
		if x := t.opt(c); x == nil {
			if ed := t.edgeForAll(c, adding); ed != nil && s.moveAll(c, r, ed, c.value(v)) {
				return r.N, nil
			}
		} else if c.way == Optional {
			r = r.withBit(x, false)
			s.noting(c, r, true)
			s.picked = r.runs(s.picked[:0])
			t.setBits(x, s.picked, c.value(v))
			return r.N, nil
		}
	}
	return s.addApart(c, r.Entities(nil), v)
}

// RemoveRows removes a component from the entities of rows and returns how many. Entities that lack it
// are skipped. Locked ones are skipped as well; then the error is the first one's. After another error
// some of the others lack the component.
//
// The short ways need that no observer, lock or disabled bit concerns the rows. Moving values keep to
// the list as well, because another row may have the value.
func (s *Store) RemoveRows(c *Component, r Rows) (removed int, err error) {
	s.begin()
	defer s.end()
	t := r.Table
	switch {
	case r.N == 0 || s.direct(c, t) && !t.Has(c) && t.opt(c) == nil:
		return 0, nil
	case len(c.watch) > 0 || s.guarded.n > 0 && s.guardsAny(c, r) || !s.direct(c, t) && t != c.thin:
		return s.RemoveBatch(c, r.Entities(nil))
	case t.opt(c) != nil:
		r = r.withBit(t.opt(c), true)
		s.noting(c, r, false)
		s.picked = r.runs(s.picked[:0])
		t.clearBits(t.opt(c), s.picked)
	case t == c.thin:
		s.noting(c, r, false)
		s.takeAll(r)
	default:
		if ed := t.edgeForAll(c, removing); ed == nil || !s.moveAll(c, r, ed, incoming{}) {
			return s.RemoveBatch(c, r.Entities(nil))
		}
	}
	s.policy.Removed(int(c.ID), r.N)
	return r.N, nil
}

// noting notes that a component of rows comes or goes, before it does. If it does not, the caller cuts the notes
// off at the point that noting returns.
func (s *Store) noting(c *Component, r Rows, comes bool) point {
	at := s.point()
	if c.told {
		for _, d := range r.runs(nil) {
			if es := s.entitiesAt(d.at, d.n); comes {
				s.comes(c, es)
			} else {
				s.went(c, es)
			}
		}
	}
	return at
}

// moveAll takes rows along an edge, with the values in. It returns false if memory was refused; then
// nothing has changed. The runs are in s.picked, which no callee overwrites.
func (s *Store) moveAll(c *Component, r Rows, ed *edge, in incoming) bool {
	at := s.noting(c, r, len(in.pieces) > 0)
	if ed.to == nil {
		s.takeAll(r)
		return true
	}
	s.picked = r.runs(s.picked[:0])
	if r.Table.moveRows(s.picked, ed, r.N, in) != nil {
		s.cut(at)
		return false
	}
	r.close(s.picked)
	return true
}

// takeAll removes rows with their entries, and closes the holes. The rows are the only ones that the
// entities have of this owner.
func (s *Store) takeAll(r Rows) {
	s.picked = r.runs(s.picked[:0])
	r.Table.takeRows(s.picked)
	r.close(s.picked)
}

// close removes rows that no entry points to. All rows of a table go at once, without marks. The
// store's holes must be empty when it is called: other tables' would be closed, too.
func (r Rows) close(runs []run) {
	if r.all() {
		r.Table.dropAll()
		return
	}
	h := &r.Table.store.holes
	h.markAll(r.Table, runs)
	h.close()
}

// guardsAny tells whether a lock or a disabled bit may concern some of the rows' entities. It may be
// true where none does: then the rows only take the longer way.
func (s *Store) guardsAny(c *Component, r Rows) bool {
	s.picked = r.runs(s.picked[:0])
	return slices.ContainsFunc(s.picked, func(d run) bool { return s.unguarded(c, s.entitiesAt(d.at, d.n)) < d.n })
}

// SetRows writes the value of a component of the entities of rows that have it and returns how many
// they are. No row moves and nothing can be refused. The component's columns are stamped as written,
// and rows are noted one by one if a query asks for that.
func (s *Store) SetRows(c *Component, r Rows, v raw.Ptr) (n int) {
	t := r.Table
	x := t.opt(c)
	if r.N == 0 || s.direct(c, t) && x == nil && !t.Has(c) {
		return 0
	}
	s.begin()
	defer s.end()
	if t.Has(c) && t.of(c) || x != nil && s.direct(c, t) {
		if x != nil {
			r = r.withBit(x, true)
		}
		s.picked = r.runs(s.picked[:0])
		for _, d := range s.picked {
			if c.setting != nil {
				c.setting.setsAll(s.entitiesAt(d.at, d.n), c.At(d.at))
			}
			raw.Fill(c.At(d.at), v, 0, c.Size, d.n)
			c.writtenRun(d.at, d.n)
		}
		return r.N
	}
	for _, e := range r.Entities(nil) {
		if l, ok := c.Loc(e); ok {
			s.Sets(c, e, c.At(l))
			raw.Copy(c.At(l), v, c.Size)
			c.Written(e, l)
			n++
		}
	}
	return n
}

// DestroyRows destroys the entities of rows and returns how many. Locked ones are skipped. If no entity
// has other rows, locks or disabled bits, the cost is one pass over records.
// Otherwise the list of the entities is destroyed. Nobody is told: see TellsEnds.
func (s *Store) DestroyRows(r Rows) (destroyed int) {
	t := r.Table
	s.picked = r.runs(s.picked[:0])
	alone := func(d run) bool { return t.only(s.entitiesAt(d.at, d.n)) }
	if slices.ContainsFunc(s.picked, func(d run) bool { return !alone(d) }) {
		return s.destroyEach(r.Entities(nil), nil)
	}
	for _, d := range s.picked {
		t.freeRows(s.entitiesAt(d.at, d.n))
	}
	r.close(s.picked)
	return r.N
}

// of tells whether the table stores a component that it has a column of. A column of a component that
// another owner has by now is out of use (shed).
func (t *Table) of(c *Component) bool { return t.owner == nil || t.owner == c.owner }

// direct tells whether an entity with a row in the table can have the component only there, and no
// group observes it. It is false while the component has a thin table, also during a change-over.
func (s *Store) direct(c *Component, t *Table) bool {
	return len(c.watch) == 0 && c.thin == nil && t.owner == c.owner
}

// edgeForAll returns the edge that all rows of a table can take, whichever optional components they
// have. It is the edge of a row that has all optional components in use: rows with fewer of them fit
// there as well.
//
// nil is returned while a component of the table is moving, because rows would settle differently. It
// is also nil if some rows would have nothing left, and for more than 64 optional columns.
func (t *Table) edgeForAll(c *Component, op int) *edge {
	changes := func(c *Component) bool { return t.Has(c) || t.opt(c) != nil }
	if len(t.opts) > mostHeld || slices.ContainsFunc(t.store.moving, changes) {
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
		if ed, err = t.heldEdge(c, op, held); err != nil {
			return nil
		}
	}
	return ed
}

// addApart adds a component to entities in other tables than its own. Entities without
// a row of its owner come first, and get adjacent rows in one call. The others change as a list. The
// slice es is reused: rest overwrites its beginning.
func (s *Store) addApart(c *Component, es []Entity, v raw.Ptr) (added int, err error) {
	first, rest := make([]Entity, 0, len(es)), es[:0]
	for _, e := range es {
		if c.way != Thin && Names(c.owner.words.Load(e.Index()), e) || c.Has(e) {
			rest = append(rest, e)
		} else {
			first = append(first, e)
		}
	}
	if s.addFirsts(c, first, v) {
		added = len(first)
	} else if added, err = s.AddBatch(c, first, v); err != nil {
		return added, err
	}
	n, err := s.AddBatch(c, rest, v)
	return added + n, err
}

// addFirsts gives entities adjacent first rows with a component, if no group depends on its members.
// It tells whether there was memory for that.
func (s *Store) addFirsts(c *Component, es []Entity, v raw.Ptr) bool {
	if len(es) == 0 || len(c.watch) > 0 || c.owner.observes {
		return false
	}
	t := s.firstOf(c)
	if t == nil {
		return false
	}
	in := c.value(v)
	if t.giveRows(es, &in) != nil {
		return false
	}
	if c.told {
		s.came(c, es)
	}
	return true
}

// firstOf is the table where entities get their first row for a component; nil if memory for
// it is refused.
func (s *Store) firstOf(c *Component) (t *Table) {
	if c.way == Thin {
		t, _ = s.thinOf(c)
	} else {
		t, _ = s.aloneOf(c, 0) // of an owner that observes nothing, so no entity is asked
	}
	return t
}

// ClearComponent takes a component from all that have it, table by table. Locked entities are skipped;
// then the error is the first one's. Tables that the component has left empty stay, until EndFrame
// drops them.
func (s *Store) ClearComponent(c *Component) error {
	s.begin()
	defer s.end()
	var locked error
	for _, t := range slices.Clone(c.tables) {
		if t.owner != nil && t.owner != c.owner {
			continue
		}
		switch _, err := s.RemoveRows(c, t.All()); {
		case errors.Is(err, ErrLocked):
			locked = cmp.Or(locked, err)
		case err != nil:
			return err
		}
	}
	return locked
}
