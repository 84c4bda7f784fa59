package store

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// This file and changerun.go are the only ones that give rows to entities and take them away: they write entries,
// places, presence bits and stamps, and append and drop rows. (order.go exchanges rows of one
// table.) Each structural change is one of four:
//
//	from      to             function           when
//	nil       a table        giveRow            an entity is spawned, or gets its first component here
//	a table   another        moveRow            a fixed component comes or goes, or a row settles
//	a table   nil            takeRow            an entity is destroyed, or loses its last component here
//	a table   the same one   setBit, clearBit   an optional component comes or goes
//
// Each has a form for runs of rows in changerun.go: giveRows, moveRows and so on. Verbs write out the
// forms for one row where nothing is optional and nobody observes: see Store.Add.
//
// A row that leaves makes a hole. The last row of the table fills it at once, or the hole is
// noted in holes, and all holes of a call are closed together.

// giveRow gives an entity its first row of the table's owner, with values. The entity must have no row
// there. Locks and notes are the caller's, as in all of this file.
//
// It writes the entity column with its stamp, entry, set of the place, values, and presence
// bits. Pieces without a column here are left out. After an error no row, entry or place has changed.
func (t *Table) giveRow(e Entity, in incoming) error {
	l := t.tryRow(e)
	if l == 0 {
		var err error
		if l, err = t.rowFor(e); err != nil {
			return err
		}
	}
	// Nothing can be refused from here on.
	t.name(e, l)
	t.enter(e)
	if len(t.watched) > 0 {
		t.begun(l)
	}
	for i := range in.pieces {
		x := &in.pieces[i]
		t.receive(x.c, l, raw.At(in.v, x.from))
		if x.c.noted != nil {
			x.c.got(l, 1)
		}
	}
	return nil
}

// giveOne is giveRow for the value of one component, which the table has a column for. It writes name
// and receive out, because most rows of a component alone come one by one.
func (t *Table) giveOne(c *Component, e Entity, v raw.Ptr) error {
	l := t.tryRow(e)
	if l == 0 {
		var err error
		if l, err = t.rowFor(e); err != nil {
			return err
		}
	}
	t.store.putEntity(l, e)
	t.words.set(e.Index(), word(e, l))
	t.enter(e)
	if len(t.watched) > 0 {
		t.begun(l)
	}
	if c.way == Optional {
		t.receive(c, l, v)
	} else {
		raw.Copy(c.At(l), v, c.Size)
	}
	if c.noted != nil {
		c.got(l, 1)
	}
	return nil
}

// tryRow appends a row for an entity, where its entry can be written and the last chunk has room;
// otherwise it returns 0.
func (t *Table) tryRow(e Entity) memmgr.Loc {
	if !t.ready(e) {
		return 0
	}
	return t.Seq.TryAppend()
}

// rowFor is tryRow for all cases. After an error the table has as many rows as before.
func (t *Table) rowFor(e Entity) (memmgr.Loc, error) {
	if err := t.prepare(e, 1); err != nil {
		return 0, err
	}
	return t.row()
}

// moveRow takes an entity's row along an edge and returns its new location. Values for which the new
// table has no column stay behind. The component but stays behind too if it is optional there; nil
// leaves nothing behind.
//
//	h == nil   the last row of t fills the hole at once
//	h != nil   the row stays as a hole, with its values and bits, until h is closed
//
// The entry names the new row in both cases. Sets of places stay, because the owner is the
// same. Only the append can fail, and then nothing has changed.
func (t *Table) moveRow(e Entity, l memmgr.Loc, ed *edge, but *Component, h *holes) (to memmgr.Loc, err error) {
	if to = ed.to.Seq.TryAppend(); to == 0 {
		if to, err = ed.to.row(); err != nil {
			return 0, err
		}
	}
	// The order matters: fillHole writes values of the last row over l, so carryRow reads l before.
	if !ed.to.bare || !t.bare {
		t.carryRow(l, ed.to, to, but)
	}
	if h == nil {
		if !t.bare {
			t.fillHole(l)
		}
		t.pass(e, l, ed, to)
		return to, nil
	}
	t.store.putEntity(to, e)
	copyRow(*ed.lanes, to, l)
	t.words.set(e.Index(), word(e, to))
	h.mark(t, span{t.number(l), 1})
	return to, nil
}

// pass moves the row of an entity from l to a row that was appended for it, and fills the hole.
// Precondition: carryRow and fillHole were called, or both tables are bare. They move presence bits
// and stamps, and pass moves fixed values and entries alone. Store.Add and Store.Remove call it
// directly for bare tables.
func (t *Table) pass(e Entity, l memmgr.Loc, ed *edge, to memmgr.Loc) {
	t.store.putEntity(to, e)
	copyRow(*ed.lanes, to, l)
	t.drop(e, l, to)
}

// takeRow removes the row of an entity, its entry, and its note in the set of places.
func (t *Table) takeRow(e Entity, l memmgr.Loc, h *holes) {
	t.leave(e)
	t.takeLast(e, l, h)
}

// takeLast is takeRow without the note of the place. Callers clear that themselves: destroy frees the
// record, strip empties the sets, and receiveRow gives another row of the same owner.
func (t *Table) takeLast(e Entity, l memmgr.Loc, h *holes) {
	if h != nil {
		t.words.set(e.Index(), t.words.entry(e, 0))
		h.mark(t, span{t.number(l), 1})
		return
	}
	if !t.bare {
		t.fillHole(l)
	}
	t.drop(e, l, 0)
}

// receiveRow gives an entity a row that copyTo appended and filled. The row replaces the one that the
// entity may have in another table of the owner. The bits of opts are set here and not in copyTo,
// which an error undoes by Truncate alone.
func (t *Table) receiveRow(e Entity, l memmgr.Loc, opts []*Component) {
	if old, was, home := t.owner.row(e); home {
		old.takeLast(e, was, nil)
	} else {
		t.enter(e)
	}
	t.name(e, l)
	at, mask := t.bit(l)
	for _, c := range opts {
		if x := t.opt(c); x != nil {
			x.set(at, mask)
		}
	}
}

// stampRow notes that the entities of a row's chunk, or their optional components, have changed.
// Caches of disabled bits and marks compare this stamp.
func (s *Store) stampRow(l memmgr.Loc) { s.IDs.CellOf(l).Stamp = s.manager.Tick() }

// drop removes the row of an entity at l, and its entry names the row to instead; 0 is none. The last row
// of the table moves into the hole, with entity, entry and fixed values.
//
//	before   a [b] c  d      after   a  d  c
//
// Presence bits, optional values and stamps are fillHole's, which comes first. Both chunks are
// stamped, because the rows of both differ now.
func (t *Table) drop(e Entity, l, to memmgr.Loc) {
	s, last := t.store, t.Seq.Last()
	s.See(last.Chunk())
	t.Seq.Shift()
	tick := s.manager.Tick()
	hole := s.IDs.CellOf(l)
	hole.Stamp = tick
	if l != last {
		tail := s.IDs.CellOf(last)
		tail.Stamp = tick
		moved := *raw.As[Entity](raw.At(tail.Addr, last.Index()*8))
		*raw.As[Entity](raw.At(hole.Addr, l.Index()*8)) = moved
		t.words.set(moved.Index(), word(moved, l))
		copyRow(t.lanes, l, last)
	}
	t.words.set(e.Index(), t.words.entry(e, to))
	t.Seq.DropAt(last)
}

// name makes a row an entity's: entity column, stamp and entry. The entry must have room: see ready.
func (t *Table) name(e Entity, l memmgr.Loc) {
	t.store.putEntity(l, e)
	t.words.set(e.Index(), word(e, l))
}

// row appends a row that has no entity yet, where TryAppend returned 0. A new chunk gets presence
// bits.
func (t *Table) row() (memmgr.Loc, error) {
	l, err := t.Seq.Append()
	if err == nil {
		t.fitBits()
	}
	return l, err
}

// evict removes all rows with their entries and places. The entities stay alive.
func (t *Table) evict() {
	r := t.All()
	t.store.picked = r.runs(t.store.picked[:0])
	t.takeRows(t.store.picked)
	t.dropAll()
}

// wipe removes all rows with their entries. Records and sets are the caller's: Clear empties all of
// them at once.
func (t *Table) wipe() {
	if t.place.plane == nil {
		t.dropAll()
		return
	}
	if flat, bound := t.words.flat, int(t.store.Bound()); len(flat) > 0 && t.Seq.Len() > bound/4 {
		clearWritten(flat[:min(len(flat), bound)]) // cheaper than one by one
	} else {
		for id, n := range t.Seq.Chunks() {
			t.words.clearRun(t.store.Entities(id, n))
		}
	}
	t.dropAll()
}

// setBit gives the entity of a row a component that is optional there, and which it lacks. No row
// moves, so contracts stay valid. Both columns are stamped: the component's for its value, the entity
// column for the set of components.
func (s *Store) setBit(h presence, v raw.Ptr) {
	h.x.set(h.at, h.mask)
	c, l := h.x.C, h.l
	raw.Copy(c.At(l), v, c.Size)
	s.stampRow(l)
	c.Dir.CellOf(l).Stamp = s.manager.Tick()
	if c.noted != nil {
		c.got(l, 1)
	}
}

// clearBit takes such a component away, which the entity has. Shift has contracts with rows
// of the table look again.
func (s *Store) clearBit(h presence) {
	h.x.unset(h.at, h.mask)
	h.x.table.Seq.Shift()
	s.stampRow(h.l)
}

// dropAll removes all rows and their presence bits. Entries and places are the caller's.
func (t *Table) dropAll() {
	for _, x := range t.opts {
		clear(x.Bits)
		clear(x.Counts)
		x.Count = 0
	}
	t.Seq.Shift()
	t.Seq.Truncate(0)
}
