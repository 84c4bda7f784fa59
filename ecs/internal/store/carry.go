package store

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// fillHole moves presence bits, optional values and stamps of the last row into the hole at l. The
// entity, its entry and the fixed values are moved by drop, which follows. Bits of the removed row are
// cleared even if it is the last one: a row that comes next must find them 0.
func (t *Table) fillHole(l memmgr.Loc) {
	last := t.Seq.Last()
	if len(t.opts) > 0 {
		t.dropBits(l, last)
	}
	if l != last {
		t.carried(last, l)
	}
}

// carryRow copies optional values with their bits, and stamps, from l to a new row nl of another
// table. Fixed columns of both tables are copied by copyRow. The component but stays behind if either
// table has it as optional. The source row is left unchanged.
//
//	in t       in to      copied by
//	fixed      fixed      copyRow, along edge.lanes
//	fixed      optional   carryRow: it sets the bit
//	optional   fixed      carryRow, if the bit is set
//	optional   optional   carryRow, if the bit is set
//	any        no column  the value stays behind
func (t *Table) carryRow(l memmgr.Loc, to *Table, nl memmgr.Loc, but *Component) {
	if len(to.watched) > 0 {
		t.carriedTo(to, l, nl)
	}
	if len(t.opts) > 0 {
		at, mask := t.bit(l)
		for _, x := range t.opts {
			if x.Count > 0 && x.C != but && x.has(at, mask) {
				to.receive(x.C, nl, x.C.At(l))
			}
		}
	}
	for _, x := range to.opts {
		if x.C != but && t.Has(x.C) {
			to.receive(x.C, nl, x.C.At(l))
		}
	}
}

// carryBits is carryRow for the optional components of n rows from l on. Both runs lie in one chunk
// each. Values are copied for all rows, also where the bit is 0, so one copy does; the bits then
// decide. Precondition: no component is optional in one table and fixed in the other, which edgeForAll
// and runOf make sure of.
func (t *Table) carryBits(l, to memmgr.Loc, n int, u *Table) {
	from, first := t.bitAt(l), u.bitAt(to)
	for _, x := range t.opts {
		if x.Count == 0 {
			continue
		}
		c, y := x.C, u.opt(x.C)
		if y == nil {
			continue // the component stays behind
		}
		raw.CopyAll(c.At(to), c.At(l), uintptr(n)*c.Size)
		for b := from; b < from+n; b = (b | 63) + 1 {
			for w := x.Bits[b/64] & between(b, from+n); w != 0; w &= w - 1 {
				i := b&^63 + trailingZeros(w) - from
				y.set((first+i)/64, 1<<((first+i)%64))
			}
		}
	}
}

// receive stores a value in a row that has no value of that component yet. Without a column for it
// nothing happens. It does not stamp: stamps of noted components are got's.
func (t *Table) receive(c *Component, l memmgr.Loc, v raw.Ptr) {
	if x := t.opt(c); x != nil {
		at, mask := t.bit(l)
		x.set(at, mask)
	} else if !t.Has(c) {
		return
	}
	raw.Copy(c.At(l), v, c.Size)
}

// fill gives adjacent rows of one chunk the values that come, and sets bits of optional ones. The rows
// lack all these components: setRun counts each row. The table must have a column for each piece.
func (t *Table) fill(in *incoming, r run) {
	for i := range in.pieces {
		x := &in.pieces[i]
		raw.Fill(x.at(r.at), raw.At(in.v, x.from), in.stride, x.size(), r.n)
	}
	t.filled(in, r)
}

// filled sets presence bits and stamps of the values that came.
func (t *Table) filled(in *incoming, r run) {
	for i := range in.pieces {
		x := &in.pieces[i]
		if len(t.opts) > 0 {
			if o := t.opt(x.c); o != nil {
				o.setRun(t.bitAt(r.at), r.n)
			}
		}
		if x.c.noted != nil {
			x.c.got(r.at, r.n)
		}
	}
}

// fillAll is fill for runs, one after the other. One value for all rows is written column by column. Otherwise
// values that lie in one struct go to their columns together. The address never goes beyond the values.
func (t *Table) fillAll(in incoming, runs []run) {
	if in.stride == 0 {
		for i := range in.pieces {
			in.pieces[i].fillRuns(runs, raw.At(in.v, in.pieces[i].from))
		}
		for _, r := range runs {
			t.filled(&in, r)
		}
		return
	}
	for i, r := range runs {
		if i > 0 {
			in.v = raw.At(in.v, uintptr(runs[i-1].n)*in.stride)
		}
		t.fill(&in, r)
	}
}
