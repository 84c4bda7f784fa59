package store

import (
	"fmt"
	"slices"
)

// A query may test rows for a component that is stored elsewhere: in another group, in tables
// while the rows are a group's, or in thin rows. Rows that have it are marked from its side,
// and the bits are kept while no entity changes its row. All that look use the same.

// marked is which of a table's rows have a component that is stored elsewhere.
type marked struct {
	of         *Component
	bits       []uint64 // chunk by chunk in order, each from a word of its own on
	made       uint64   // tick in which they were found
	rows, have int      // how many rows the table had then, and how many entities the component
}

// Marked returns which of the table's rows are of entities that have a component, wherever it
// is stored: chunk by chunk in order, each from a word of its own on, as those of an Opt. It is
// good until rows change. If rows have changed since the last call, it costs a look at the word
// of each entity that has the component. Otherwise it costs a look at each chunk of both.
func (t *Table) Marked(c *Component) []uint64 {
	i := slices.IndexFunc(t.marks, func(x *marked) bool { return x.of == c })
	if i < 0 {
		i = len(t.marks)
		t.marks = append(t.marks, &marked{of: c})
	}
	x := t.marks[i]
	if !x.good(t) {
		*x = marked{c, fit(x.bits, t.Seq.ChunkCount()*t.stride), t.s.m.Tick(), t.Seq.Len(), c.Len()}
		clear(x.bits)
		t.mark(x.bits, c)
	}
	return x.bits
}

// good tells whether the bits are still those of the table's rows. Who gets a row, or a bit,
// stamps the entities of the chunk, as does what moves. Rows that go without a stamp are fewer.
// What has changed in the tick in which they were found may have changed after that.
func (x *marked) good(t *Table) bool {
	if x.made == 0 || x.rows != t.Seq.Len() || x.have != x.of.Len() || t.changed(x.made) {
		return false
	}
	return !slices.ContainsFunc(x.of.tables, func(u *Table) bool { return u.changed(x.made) })
}

// changed tells whether entities may have changed their rows in a tick or after it.
func (t *Table) changed(since uint64) bool {
	for i := range t.Seq.ChunkCount() {
		if id, _ := t.Seq.Chunk(i); t.s.IDs.Cell(id).Stamp >= since {
			return true
		}
	}
	return false
}

// mark sets the bits of the table's rows whose entities have a component.
func (t *Table) mark(bits []uint64, c *Component) {
	for _, u := range c.tables {
		if u.owner != nil && u.owner != c.owner {
			continue // columns that are no longer used
		}
		x, at := u.opt(c), 0
		for id, n := range u.Seq.Chunks() {
			es := t.s.Entities(id, n)
			if x == nil {
				for _, e := range es {
					t.markOne(bits, e)
				}
				continue
			}
			for base := 0; base < n; base += 64 {
				for m := x.Bits[at+base/64]; m != 0; m &= m - 1 {
					t.markOne(bits, es[base+trailingZeros(m)])
				}
			}
			at += u.stride
		}
	}
}

// markOne sets the bit of an entity's row, if it has one here.
func (t *Table) markOne(bits []uint64, e Entity) {
	w := t.words.Load(e.Index())
	if !Names(w, e) {
		return
	}
	if l := locOf(w); t.s.tableAt(l) == t {
		at, mask := t.bit(l)
		bits[at] |= mask
	}
}

// checkMarks finds bits that are said to be good again.
func (t *Table) checkMarks() error {
	for _, x := range t.marks {
		if !x.good(t) {
			continue
		}
		fresh := make([]uint64, len(x.bits))
		if t.mark(fresh, x.of); !slices.Equal(fresh, x.bits) {
			return fmt.Errorf("rows that have component %q, which is stored elsewhere, are %#x, and bits are kept that say %#x", x.of.Name, fresh, x.bits)
		}
	}
	return nil
}

// dropMarks forgets all bits.
func (s *Store) dropMarks() {
	for t := range s.Tables() {
		t.marks = nil
	}
}
