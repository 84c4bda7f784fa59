package store

import (
	"bytes"
	"cmp"
	"errors"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Changes of the entities of a list. Entities in rows that follow each other change as a run, the
// others one by one. Rows arrive in the order of the list. Holes are closed together at the end:
// see gaps.
//
//	list      e3 e4 e5 e6 e7 e8 e9 eA │ e1 │ e2     rows of the first eight are side by side
//	changes   one run                 │ one │ one
//
// The result is that of one call for each, apart from the order of the rows that stay. So a list may
// name an entity twice, a dead one, or one that has changed already: each of them ends a run.

// runMin is how many adjacent rows are worth changing as a run (BenchmarkRuns).
const runMin = 8

// AddBatch adds a component with one value to entities and returns how many. Entities that are not alive or have the
// component already are skipped, so one that comes twice is skipped the second time. After an error the entities before
// it have it.
//
// Rows arrive in the order of the list; holes in the tables that they leave are closed at the end.
func (s *Store) AddBatch(c *Component, es []Entity, v raw.Ptr) (added int, err error) {
	h := &s.holes
	s.begin()
	defer s.end()
	defer h.close()
	for len(es) > 0 {
		n := s.addRun(c, es, c.value(v), h)
		if added += n; n == 0 {
			n = 1
			switch err := s.add(c, es[0], v, h); err {
			case nil:
				added++
			case ErrStale, ErrPresent:
			default:
				return added, err
			}
		}
		es = es[n:]
	}
	return added, nil
}

// RemoveBatch removes a component from entities and returns how many. Entities that are not alive or
// lack it are skipped. Locked ones are skipped as well; then the error is the first one's. After
// another error the entities before it lack the component. The holes are closed in any case.
func (s *Store) RemoveBatch(c *Component, es []Entity) (removed int, err error) {
	h := &s.holes
	s.begin()
	defer s.end()
	defer h.close()
	return s.removeList(c, es, h)
}

// removeList is RemoveBatch without closing the holes.
func (s *Store) removeList(c *Component, es []Entity, h *holes) (removed int, err error) {
	for len(es) > 0 {
		n := s.removeRun(c, es, h)
		if removed += n; n == 0 {
			n = 1
			switch one := s.remove(c, es[0], h); {
			case one == nil:
				removed++
			case errors.Is(one, ErrLocked):
				err = cmp.Or(err, one)
			case one != ErrStale && one != ErrAbsent:
				return removed, one
			}
		}
		es = es[n:]
	}
	return removed, err
}

// SetBatch writes one value of a component of entities that have it, and returns how many they are. One that comes twice
// is written once.
//
// An entity can't have come before if its index is above all before. So lists in the order of indexes
// need no look. The first index that is not above the others has all of them noted in bits.
func (s *Store) SetBatch(c *Component, es []Entity, v raw.Ptr) (set int) {
	s.begin()
	defer s.end()
	above, bits := uint32(0), []uint64(nil)
	for i, e := range es {
		l, has := c.Loc(e)
		if !has {
			continue
		}
		if at := e.Index(); above <= at {
			above = at + 1
		} else {
			if bits == nil {
				bits, above = s.seen(c, es[:i]), ^uint32(0) // no index is above that
			}
			bit := uint64(1) << (at % 64)
			if bits[at/64]&bit != 0 {
				continue
			}
			bits[at/64] |= bit
		}
		s.Sets(c, e, c.At(l))
		c.Written(e, l)
		raw.CopyAll(c.At(l), v, c.Size)
		set++
	}
	if len(es) > len(bits)/8 { // by then it is less to clear all
		clear(bits)
		return set
	}
	for _, e := range es {
		if i := int(e.Index() / 64); i < len(bits) {
			bits[i] = 0
		}
	}
	return set
}

// seen returns a bit for each index, set for the entities that have a component. It is
// scratch, which the caller clears.
func (s *Store) seen(c *Component, es []Entity) []uint64 {
	s.met = fit(s.met, int(s.Bound()+63)/64)
	for _, e := range es {
		if c.Has(e) {
			s.met[e.Index()/64] |= 1 << (e.Index() % 64)
		}
	}
	return s.met
}

// runOf returns the first of the entities in rows that follow each other in a table without optional
// components: the table, the first row, how many, and their edge. n is 0 if there are fewer than
// runMin, or if a bit, a note for observers or a lock needs a look at each of them.
func (s *Store) runOf(c *Component, op int, es []Entity) (t *Table, l memmgr.Loc, n int, ed *edge) {
	if len(es) < runMin || !c.plain || len(c.watch) > 0 {
		return nil, 0, 0, nil
	}
	t, l, home := c.owner.row(es[0])
	if !home || len(t.opts) > 0 || t.Has(c) != (op == removing) {
		return nil, 0, 0, nil
	}
	n = t.follow(es, l)
	if s.guarded.n > 0 && op == removing {
		n = s.unguarded(c, es[:n])
	}
	if n < runMin {
		return nil, 0, 0, nil
	}
	// Making the edge may give the table's family another current table, so opts are checked again.
	ed, err := t.plainEdge(c, op)
	if err != nil || len(t.opts) > 0 || ed.to != nil && len(ed.to.opts) > 0 {
		return nil, 0, 0, nil
	}
	return t, l, n, ed
}

// addRun is AddBatch for the first entities, if they are a run. It returns how many rows moved. 0
// means that nothing has changed, and the caller goes on with one entity.
func (s *Store) addRun(c *Component, es []Entity, in incoming, h *holes) int {
	t, l, n, ed := s.runOf(c, adding, es)
	if n == 0 {
		return 0
	}
	rows := t.runsFrom(l, n)
	if t.moveRows(rows, ed, n, in) != nil {
		return 0 // one by one finds out how many there is room for
	}
	if c.told {
		s.came(c, es[:n])
	}
	h.markAll(t, rows)
	return n
}

// removeRun is RemoveBatch likewise. Rows that have nothing left go without a move.
func (s *Store) removeRun(c *Component, es []Entity, h *holes) int {
	t, l, n, ed := s.runOf(c, removing, es)
	if n == 0 {
		return 0
	}
	rows, at := t.runsFrom(l, n), s.point()
	if c.told {
		s.went(c, es[:n])
	}
	if ed.to == nil {
		t.takeRows(rows)
	} else if t.moveRows(rows, ed, n, incoming{}) != nil {
		s.cut(at)
		return 0
	}
	h.markAll(t, rows)
	s.policy.Removed(int(c.ID), n)
	return n
}

// DestroyBatch destroys entities and returns how many. Handles that are not alive, are locked, or come
// twice, are skipped. Runs of rows go together; for rows that lie apart, records and entries are
// prefetched WarmMost entities at a time (Warm).
//
// A list that is one run needs no list of holes.
func (s *Store) DestroyBatch(es []Entity) (destroyed int) { return s.DestroyEach(es, nil) }

// DestroyEach is DestroyBatch that tells refused of each entity that it skips, and why, unless
// refused is nil.
func (s *Store) DestroyEach(es []Entity, refused func(e Entity, err error)) (destroyed int) {
	if s.TellsEnds() {
		s.leaving(s.dying(es), func() { destroyed = s.destroyEach(es, refused) })
		return destroyed
	}
	return s.destroyEach(es, refused)
}

// destroyEach is DestroyEach of which the observer knows.
func (s *Store) destroyEach(es []Entity, refused func(e Entity, err error)) (destroyed int) {
	if len(es) == 0 {
		return 0
	}
	t, x := s.destroyRun(es)
	if x.n == len(es) && t.dropSpan(x, false) {
		return x.n
	}
	h := &s.holes
	defer h.close()
	if x.n > 0 {
		h.mark(t, x)
		destroyed, es = x.n, es[x.n:]
	}
	apart, warms := 0, s.Warms() // entities since the last run of rows
	for len(es) > 0 {
		if warms && apart%WarmMost == 0 {
			s.Warm(es[:min(WarmMost, len(es))])
		}
		apart++
		if t, x := s.destroyRun(es); x.n > 0 {
			h.mark(t, x)
			destroyed += x.n
			if es = es[x.n:]; x.n > 1 {
				apart = 1 // the processor prefetches adjacent rows by itself
			}
			continue
		}
		if err := s.destroyIn(es[0], h); err == nil {
			destroyed++
		} else if refused != nil {
			refused(es[0], err)
		}
		es = es[1:]
	}
	return destroyed
}

// destroyRun is DestroyBatch for the first entities, if their rows follow each other in a chunk and
// they have no others. It returns their rows, which the caller removes. A run of 1 is good, too: it
// needs no look at planes. 0 rows mean that nothing has changed.
func (s *Store) destroyRun(es []Entity) (*Table, span) {
	t, l := s.onlyRow(es[0])
	if t == nil {
		return nil, span{}
	}
	at, n := t.number(l), 1
	if len(es) > 1 {
		if n = t.named(es, l, at); n > 1 {
			if !t.only(es[:n]) {
				n = 1
			}
		}
	}
	t.freeRows(es[:n])
	return t, span{at, n}
}

// named is how many of at least two entities, from the first on, are those that the rows from l on
// name, within its chunk; at is the number of the first row. The first must be there. A hole names an
// entity, too, but a dead one: the caller looks at the records.
//
// Memory is compared and not entry by entry, which is several times as fast. The second entry is
// looked at first: in a list without order it ends the run, and is in the cache (Warm), as the rows
// are not.
func (t *Table) named(es []Entity, l memmgr.Loc, at int) (n int) {
	if t.words.Load(es[1].Index()) != word(es[1], l.Plus(1)) {
		return 1
	}
	n = min(len(es), t.Seq.Len()-at, t.Seq.Capacity()-int(l.Row()))
	rows := t.store.entitiesAt(l, n)
	if bytes.Equal(raw.Slice[byte](raw.Data(rows), n*8), raw.Slice[byte](raw.Data(es), n*8)) {
		return n
	}
	for n = 2; rows[n] == es[n]; n++ {
	}
	return n
}

// onlyRow is the row of an entity that has one alone, in the commons or in the group of its index, and no lock or
// disabled bit. It returns no table for others.
func (s *Store) onlyRow(e Entity) (*Table, memmgr.Loc) {
	w := s.Commons.words.Load(e.Index())
	in := Names(w, e)
	if !in && !s.Alive(e) || s.more(e) {
		return nil, 0
	}
	if kin := s.kinOf(e); kin != nil {
		if own := kin.Load(e.Index()); Names(own, e) {
			if in {
				return nil, 0
			}
			w, in = own, true
		}
	}
	if !in {
		return nil, 0
	}
	return s.tableOf(w), locOf(w)
}

// RowOf is a number that is less for rows that lie before others: of the row of an entity in the commons, or
// in the group of its index. It is 0 for an entity that is not alive or has no such row. Rows of tables
// follow rows of tables that were made before.
func (s *Store) RowOf(e Entity) uint64 {
	if !s.Alive(e) {
		return 0
	}
	w := s.Commons.words.Load(e.Index())
	if !Names(w, e) {
		kin := s.kinOf(e)
		if kin == nil {
			return 0
		}
		if w = kin.Load(e.Index()); !Names(w, e) {
			return 0
		}
	}
	t := s.tableOf(w)
	return t.Made<<40 + uint64(t.Seq.Index(locOf(w))) + 1
}

// follow returns how many of the entities have their rows one after the other from l on, across
// chunks. It compares entries, so stale handles and other tables end the run. An l of 0 is no row.
func (t *Table) follow(es []Entity, l memmgr.Loc) (n int) {
	for l != 0 && n < len(es) {
		k := min(len(es)-n, t.rowsFrom(l))
		same := t.words.run(es[n:n+k], l)
		if n += same; same < k {
			return n
		}
		l = t.after(l, k)
	}
	return n
}

// after returns the row n rows after l, at most the first of the next chunk; 0 if the table ends
// before. n is at most the rows that the chunk has from l on.
func (t *Table) after(l memmgr.Loc, n int) memmgr.Loc {
	i := t.store.manager.Order(l.Chunk())
	if _, rows := t.Seq.Chunk(i); int(l.Row())+n < rows {
		return l.Plus(uint32(n))
	}
	if i+1 == t.Seq.ChunkCount() {
		return 0
	}
	id, _ := t.Seq.Chunk(i + 1)
	return memmgr.MakeLoc(id, 0)
}

// runsFrom is n rows from l on, as runs in s.picked: good until the next call that picks rows. The
// table must have as many.
func (t *Table) runsFrom(l memmgr.Loc, n int) []run {
	s := t.store
	s.picked = s.picked[:0]
	for n > 0 {
		k := min(n, t.rowsFrom(l))
		s.picked = append(s.picked, run{l, k})
		l, n = t.after(l, k), n-k
	}
	return s.picked
}
