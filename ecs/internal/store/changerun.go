package store

import (
	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// This file has the forms of change.go for runs of rows. A run lies in one chunk.

// giveRows is giveRow for entities with adjacent rows. All entities get a row, or none does.
func (t *Table) giveRows(es []Entity, in *incoming) error {
	if err := t.prepareAll(es); err != nil {
		return err
	}
	runs, err := t.reserve(len(es))
	if err != nil {
		return err
	}
	for _, r := range runs {
		t.nameRun(r.at, es[:r.n])
		t.enterAll(es[:r.n])
		es = es[r.n:]
	}
	t.fillAll(*in, runs)
	return nil
}

// moveRows takes n rows along an edge and leaves holes, which the caller marks. The new rows have the
// order of the runs, and get the values in. The caller chose an edge that fits the optional components
// of all rows: see edgeForAll.
//
//	before   t   a [b  c] d         to   x
//	after    t   a  ·  ·  d         to   x  b  c        · hole: its entry names to
//
// After an error nothing has changed. The runs must not be in s.runs, which reserve overwrites.
func (t *Table) moveRows(from []run, ed *edge, n int, in incoming) error {
	dest, err := ed.to.reserve(n)
	if err != nil {
		return err
	}
	for i := range *ed.lanes {
		(*ed.lanes)[i].copyRuns(from, dest)
	}
	eachPair(from, dest, func(f, d memmgr.Loc, n int) {
		// The entities are read from the old rows, which keep them until the holes are closed.
		ed.to.nameRun(d, t.store.entitiesAt(f, n))
		t.carriedTo(ed.to, f, d)
		if len(t.opts) > 0 {
			t.carryBits(f, d, n, ed.to)
		}
	})
	ed.to.fillAll(in, dest)
	return nil
}

// eachPair calls f with rows of two lists of runs, as many at a time as are adjacent in both.
func eachPair(from, to []run, f func(from, to memmgr.Loc, n int)) {
	d := run{}
	for _, x := range from {
		for x.n > 0 {
			if d.n == 0 {
				d, to = to[0], to[1:]
			}
			n := min(x.n, d.n)
			f(x.at, d.at, n)
			x, d = run{x.at.Plus(uint32(n)), x.n - n}, run{d.at.Plus(uint32(n)), d.n - n}
		}
	}
}

// takeRows removes the entries and notes of rows, which become holes. The caller marks and closes
// them, or drops all rows. Values and presence bits stay until then.
func (t *Table) takeRows(from []run) {
	for _, r := range from {
		es := t.store.entitiesAt(r.at, r.n)
		t.words.clearRun(es)
		if t.place.plane != nil {
			for _, e := range es {
				t.leave(e)
			}
		}
	}
}

// setBits is setBit for rows that all lack the component. It stamps once per run, which lies in one
// chunk.
func (t *Table) setBits(x *Opt, rows []run, in incoming) {
	for _, d := range rows {
		t.fill(&in, d)
		t.store.stampRow(d.at)
		x.C.Dir.CellOf(d.at).Stamp = t.store.manager.Tick()
	}
}

// clearBits is clearBit for rows that all have the component. The values stay until the next setBit.
func (t *Table) clearBits(x *Opt, rows []run) {
	t.Seq.Shift()
	for _, d := range rows {
		x.unsetRun(t.bitAt(d.at), d.n)
		t.store.stampRow(d.at)
	}
}

// nameRun is name for adjacent rows of one chunk. The slice es may be the entity column of another
// table.
func (t *Table) nameRun(l memmgr.Loc, es []Entity) {
	c := t.store.IDs.CellOf(l)
	c.Stamp = t.store.manager.Tick()
	copy(raw.Slice[Entity](raw.At(c.Addr, l.Index()*8), len(es)), es)
	t.words.setRun(es, l)
}

// pointRun corrects the entries after rows have moved within the table: each of n adjacent rows gets
// the entry of the entity that it names.
func (t *Table) pointRun(l memmgr.Loc, n int) {
	t.store.stampRow(l)
	t.words.setRun(t.store.entitiesAt(l, n), l)
}

// freeRows destroys entities that have one row each, in this table (only). The caller marks the
// rows as holes.
func (t *Table) freeRows(es []Entity) {
	if t.place.plane != nil { // records are written anyway
		t.words.clearRun(es)
	}
	t.store.ids.FreeN(es)
}

// reserve appends n rows that have no entity yet, and returns them as runs in s.runs: good until the
// next reserve. A run lies in one chunk. After an error the table has as many rows as before.
func (t *Table) reserve(n int) ([]run, error) {
	t.store.runs = t.store.runs[:0]
	was := t.Seq.Len()
	for left := n; left > 0; {
		l, k, err := t.Seq.AppendRun(left)
		if err != nil {
			t.fitBits() // an empty chunk may stay
			t.Seq.Truncate(was)
			return nil, err
		}
		t.store.runs = append(t.store.runs, run{l, k})
		if len(t.watched) > 0 {
			t.begun(l)
		}
		left -= k
	}
	t.fitBits()
	return t.store.runs, nil
}

// prepareAll makes room for the entries and places of entities, at least one. Arrays grow up to an
// index, so the largest index comes first. Pages are accounted for one by one, and sets only where a row needs
// a note.
func (t *Table) prepareAll(es []Entity) error {
	if t.place.plane == nil {
		return nil
	}
	last := es[0]
	for _, e := range es {
		if e.Index() > last.Index() {
			last = e
		}
	}
	if err := t.prepare(last, len(es)); err != nil {
		return err
	}
	var from, to uint32 // indexes of a page that are ready: of kin alone, or all
	kin := false
	for _, e := range es {
		i := e.Index()
		if from <= i && i < to && (!kin || t.kin(e)) {
			continue
		}
		if err := t.prepare(e, len(es)); err != nil {
			return err
		}
		from, kin = i/arena.PageLen*arena.PageLen, t.kin(e)
		if to = from + arena.PageLen; !t.covers(to-1, kin) { // an array may end within the page
			from, to = i, i+1
		}
	}
	return nil
}

// enterAll is enter for entities.
func (t *Table) enterAll(es []Entity) {
	for t.place.plane != nil && len(es) > 0 {
		kin, n := t.store.ids.Side(es)
		if kin != t.notes() {
			for _, e := range es[:n] {
				t.enter(e)
			}
		}
		es = es[n:]
	}
}
