package store

import (
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/memmgr/clock"
)

// A query may test rows for a component that is stored elsewhere: in another group, in tables
// while the rows are a group's, or in thin rows. Rows that have it are marked from its side,
// and the bits are kept while no entity changes its row. All that look use the same.
//
//	rows of Quest   e3 e9         table {Pos}    e1 e3 e5 e9
//	each one's entry names        bits           0  1  0  1
//
// It pays because few have such a component: two entries are read here, and not four.

// Marked returns which of the table's rows are of entities that have a component, wherever it
// is stored: chunk by chunk in order, each from a word of its own on, as in an Opt. It is
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
		*x = marked{c, fit(x.bits, t.Seq.ChunkCount()*t.stride), clock.Values(t.store.manager.Tick()), t.Seq.Len(), c.Len()}
		clear(x.bits)
		t.mark(x.bits, c)
	}
	return x.bits
}

// good tells whether the bits are still valid. A row or a bit that comes, and a row that moves,
// stamps the entity column of the chunk. A row that goes without a stamp changes a count.
func (x *marked) good(t *Table) bool {
	if x.made == 0 || x.rows != t.Seq.Len() || x.have != x.of.Len() || t.changed(x.made) {
		return false
	}
	return !slices.ContainsFunc(x.of.tables, func(u *Table) bool { return u.changed(x.made) })
}

// changed tells whether entities may have changed their rows in a tick or after it. It costs a look at
// each chunk's stamp.
func (t *Table) changed(since clock.Values) bool {
	for i := range t.Seq.ChunkCount() {
		if id, _ := t.Seq.Chunk(i); clock.Values(t.store.IDs.Cell(id).Stamp).Stale(since) {
			return true
		}
	}
	return false
}

// mark sets the bits of rows of entities that have a component. It goes over the component's
// rows, not the table's: a query marks for components that few entities have. The bits must be 0
// before.
func (t *Table) mark(bits []uint64, c *Component) {
	for _, u := range c.tables {
		if u.owner != nil && u.owner != c.owner {
			continue // columns that are no longer used
		}
		x, at := u.opt(c), 0
		for id, n := range u.Seq.Chunks() {
			es := t.store.Entities(id, n)
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

// markOne sets the bit of an entity's row, if its entry names a row of this table.
func (t *Table) markOne(bits []uint64, e Entity) {
	w := t.words.Load(e.Index())
	if !Names(w, e) {
		return
	}
	if l := locOf(w); t.store.tableAt(l) == t {
		at, mask := t.bit(l)
		bits[at] |= mask
	}
}

// checkMarks finds the bits anew, and compares them with cached ones that are good.
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

// dropMarks frees the marks of all tables. The next Marked finds them again.
func (s *Store) dropMarks() {
	for t := range s.Tables() {
		t.marks = nil
	}
}
