package store

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/entities"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// The checks prove the invariants of the package comment from the rows: they go over every row and
// every entry, and find again the content of caches and counts. Each asks both ways round, because one way
// alone misses leftovers:
//
//	rows → entries     each row's entity is alive, and its entry names the row
//	entries → rows     each entry names a row, and there are as many as rows
//
// Tests run them at their end, and a program may, by World.Check. They are slow, and change nothing.

// Check proves the invariants of the package comment: an error names the first that does
// not hold. It costs a pass over all entities, rows and entries.
func (s *Store) Check() error {
	for _, check := range []func() error{s.ids.Check, s.checkHomes, s.checkRows, s.checkPlanes, s.checkHeld, s.checkDisabled} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// checkRows compares the rows of all tables with entries, and with counts of owners and components.
func (s *Store) checkRows() error {
	rows := make(map[*Words]int)
	for _, t := range s.tables {
		if t != nil {
			if err := errors.Join(t.check(), t.checkMarks()); err != nil {
				return fmt.Errorf("table %q: %w", t.Seq.Name(), err)
			}
			rows[t.words] += t.Seq.Len()
		}
	}
	rows[&s.Commons.words] -= s.Unseen()
	for _, o := range append([]*Owner{s.Commons}, s.owners...) {
		if err := o.check(rows[&o.words]); err != nil {
			return fmt.Errorf("owner %q: %w", o.Name, err)
		}
	}
	for _, c := range s.comps {
		if err := c.check(); err != nil {
			return fmt.Errorf("component %q: %w", c.Name, err)
		}
	}
	return nil
}

// checkHomes proves that each block of indexes belongs to the common home, a group that stands, or a
// family of the commons.
func (s *Store) checkHomes() error {
	homes := map[*entities.Home]bool{s.ids.Common(): true}
	for _, o := range s.owners {
		homes[&o.home] = true
	}
	for _, f := range s.Commons.families {
		homes[&f.home] = true
	}
	for h := range s.ids.Homes {
		if !homes[h] {
			return fmt.Errorf("a block of indexes belongs to a home that no table has")
		}
	}
	return nil
}

// each calls f with each index that has an entry, until f returns an error: with each that is not 0, and of the
// commons with each that names a row. Eight entries that are 0 cost one test, because most entries of an array may
// be 0.
func (w *Words) each(f func(i uint32, word uint64) error) error {
	const page = 8
	for from := 0; from < len(w.flat); from += page {
		words := w.flat[from:min(from+page, len(w.flat))]
		if !written(words) {
			continue
		}
		for i, v := range words {
			if v != 0 && (w.left == 0 || locOf(v).Chunk() != 0) {
				if err := f(uint32(from+i), v); err != nil {
					return err
				}
			}
		}
	}
	for i, v := range w.rare {
		if err := f(i, v); err != nil {
			return err
		}
	}
	return nil
}

// check proves for a table that each row is of a live entity whose entry names it, and that counts fit
// the bits. With the count of entries in Owner.check, no entry is left without a row.
func (t *Table) check() error {
	s := t.store
	follows := func(c *Component) bool { return c.noted != nil }
	if t.bare != (len(t.opts) == 0 && !slices.ContainsFunc(t.fixed, follows)) {
		return fmt.Errorf("the table's flag bare, that nothing but columns follows a row, is out of date: it is %v", t.bare)
	}
	for id, n := range t.Seq.Chunks() {
		if err := s.unseen.check(s, id, n, t.checkRows); err != nil {
			return err
		}
	}
	for _, x := range t.opts {
		for i := range t.Seq.ChunkCount() {
			if own, bits := t.placed(x, i); *own != bits {
				return fmt.Errorf("the place of %q in chunk %d says that its bits are elsewhere", x.C.Name, i)
			}
		}
		if n := popcount(x.Bits); n != x.Count {
			return fmt.Errorf("%d rows have %q, and %d are counted", n, x.C.Name, x.Count)
		}
	}
	return t.checkBits()
}

// checkRows is check for n rows of a chunk.
func (t *Table) checkRows(l memmgr.Loc, n int) error {
	s := t.store
	for _, e := range raw.Slice[Entity](s.IDs.At(l, 8), n) {
		switch {
		case !s.Alive(e):
			return fmt.Errorf("row %v is of %v, which is not alive", l, e)
		case t.words.Load(e.Index()) != word(e, l):
			return fmt.Errorf("row %v is of %v, whose entry says %v", l, e, locOf(t.words.Load(e.Index())))
		}
		l = l.Plus(1)
	}
	return nil
}

// checkBits proves that counts of chunks fit their bits, and that bits behind the rows of chunks are 0.
// Rows that are appended rely on that.
func (t *Table) checkBits() error {
	for _, x := range t.opts {
		for i := range len(x.Bits) / t.stride {
			rows := 0
			if i < t.Seq.ChunkCount() {
				_, rows = t.Seq.Chunk(i)
			}
			words := x.Bits[i*t.stride:][:t.stride]
			for k, w := range words {
				if w &^= between(0, max(0, rows-k*64)); w != 0 {
					return fmt.Errorf("chunk %d of %d rows has a bit of %q at row %d", i, rows, x.C.Name, k*64+trailingZeros(w))
				}
			}
			if n := popcount(words); n != int(x.Counts[i]) {
				return fmt.Errorf("chunk %d has %d rows with %q, and %d are counted there", i, n, x.C.Name, x.Counts[i])
			}
		}
	}
	return nil
}

// check proves that an owner has as many entries as rows, that its tables are in their families, and
// that caps are right.
func (o *Owner) check(rows int) error {
	words := 0
	err := o.words.each(func(uint32, uint64) error { words++; return nil })
	if err == nil && words != rows {
		err = fmt.Errorf("%d entries for %d rows", words, rows)
	}
	for _, t := range o.tables {
		if f := t.family; f == nil || o.known(t.fixed, f.cap) != f || !slices.Contains(f.tables, t) {
			return fmt.Errorf("table %q is not in its family", t.Seq.Name())
		}
	}
	if err == nil {
		err = o.checkCaps()
	}
	return err
}

// check proves that flags of a component fit its way, and that thin entries fit thin rows. Only a
// change-over may leave values in an older way.
func (c *Component) check() error {
	if err := c.checkTicks(); err != nil {
		return err
	}
	if plain := c.way == Fixed && !c.mixed(); c.plain != plain {
		return fmt.Errorf("it is %v, and its flag plain, that all values are in fixed columns, is out of date: it is %v", c.way, c.plain)
	}
	if !c.Dir.LooksUp(c.lookedUp()) {
		return fmt.Errorf("its directory looks values up in other entries than those of its rows")
	}
	for _, t := range c.tables {
		if has := t.holds(c); has != c.way && !c.mixed() && (t.owner == nil || t.owner == c.owner) && t.Count(c) > 0 {
			return fmt.Errorf("it is %v, and table %q has %d rows where it is %v", c.way, t.Seq.Name(), t.Count(c), has)
		}
	}
	quick, still := c.plain && len(c.watch) == 0, !c.mixed() && !c.observed
	if flips, lone := c.way == Optional && still, c.way == Thin && still; c.quick != quick || c.flips != flips || c.lone != lone {
		return fmt.Errorf("it is %v, and its short ways are out of date: quick is %v, flips is %v, lone is %v", c.way, c.quick, c.flips, c.lone)
	}
	n := 0
	err := c.own.each(func(i uint32, w uint64) error {
		n++
		if e := c.store.ids.At(i); !Names(w, e) || !c.store.Alive(e) {
			return fmt.Errorf("index %d has an entry that is not its entity's", i)
		}
		if l, _ := c.Loc(c.store.ids.At(i)); c.store.tableAt(locOf(w)) != c.thin || l != locOf(w) {
			return fmt.Errorf("%v has an entry for row %v of table %q, and its value is at %v", c.store.ids.At(i), locOf(w), c.store.tableAt(locOf(w)).Seq.Name(), l)
		}
		return nil
	})
	if err == nil && c.thin != nil && n != c.thin.Seq.Len() || err == nil && c.thin == nil && n > 0 {
		err = fmt.Errorf("%d entries of thin rows, which are not as many", n)
	}
	return err
}

// checkPlanes proves that sets of places, and entries of groups by the Kin of indexes, name exactly the rows that there
// are. A bit in Store.others may be set without a row; a row without it is an error.
func (s *Store) checkPlanes() error {
	bits, rows := make(map[place]int), make(map[place]int)
	for _, t := range s.tables {
		if t != nil && t.place.plane != nil && t.Seq.Len() > 0 {
			rows[t.place] += t.Seq.Len()
		}
	}
	for e := range s.ids.All() {
		if kin := s.kinOf(e); kin != nil && Names(kin.Load(e.Index()), e) {
			bits[s.groups[s.ids.Kin(e.Index())-1].place]++
		}
	}
	for _, p := range s.planes {
		err := p.sets.each(func(i uint32, set uint64) error {
			if e := s.ids.At(i); e == 0 || !s.others.has(i) {
				return fmt.Errorf("index %d is said to have rows, and is not alive or not among the others", i)
			}
			for ; set != 0; set &= set - 1 {
				here := place{p, set & -set}
				w := p.words(set).Load(i)
				if w == 0 {
					return fmt.Errorf("index %d is said to have a row of %q", i, s.nameAt(here))
				}
				if t := s.tableAt(locOf(w)); t.place != here {
					return fmt.Errorf("index %d is said to have a row of %q, and has one of %q", i, s.nameAt(here), t.Seq.Name())
				}
				bits[here]++
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for here, n := range rows {
		if bits[here] != n {
			return fmt.Errorf("%d indexes are said to have a row of %q, where %d have", bits[here], s.nameAt(here), n)
		}
	}
	return nil
}

// nameAt is the name of the group or of the thin component that has a place.
func (s *Store) nameAt(p place) string {
	for _, o := range s.owners {
		if o.place == p {
			return o.Name
		}
	}
	for _, c := range s.comps {
		if c.place == p {
			return c.Name
		}
	}
	return ""
}

// checkTicks proves that no row has a later tick than its chunk. Queries look at chunks first, and
// would miss such a row.
func (c *Component) checkTicks() error {
	if c.noted == nil {
		return nil
	}
	for _, t := range c.tables {
		for id, n := range t.Seq.Chunks() {
			l := c.store.locAt(id, 0)
			for _, e := range c.store.Entities(id, n) {
				if at, _ := c.Loc(e); at.Chunk() != id {
					continue // it lacks the component, or has it elsewhere
				}
				if x := c.writtenRows; x != nil && x.at(e.Index()) > max(x.base, c.ChangedAt(l)) {
					return fmt.Errorf("%v was written in tick %d, and its chunk says %d", e, x.at(e.Index()), c.ChangedAt(l))
				}
				if x := c.addedRows; x != nil && x.at(e.Index()) > max(x.base, c.AddedAt(l)) {
					return fmt.Errorf("%v was added in tick %d, and its chunk says %d", e, x.at(e.Index()), c.AddedAt(l))
				}
			}
		}
	}
	return nil
}
