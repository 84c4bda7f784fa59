package query

import (
	"fmt"
	"hash/maphash"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// A guarded walk, in checked builds and under Stress, finds what a program must not do and
// what no other walk notices. It sums what the struct only reads, before and after each call.
// And it lends values wherever the store may copy them one day, as if it did so now.

// guard is what a cursor needs for that.
type guard struct {
	seed  maphash.Seed
	reads []read
	calls bool // a call has not returned
}

// read is where a field's values are that must not change.
type read struct {
	at    raw.Ptr
	bytes int
	sum   uint64
}

func (g *guard) sum(r *read) uint64 { return maphash.Bytes(g.seed, raw.Slice[byte](r.at, r.bytes)) }

// guarded is Each where each call is looked at. It keeps call nowhere: what escapes is
// allocated for every walk, guarded or not.
func (c *Cursor) guarded(into raw.Ptr, call func(raw.Ptr) bool) {
	lent := c.enguard()
	defer c.unguard(lent)
	c.over(into, func(into raw.Ptr) bool { return c.look(into, call) })
}

// enguard begins a guarded walk. It tells whether values are lent.
func (c *Cursor) enguard() (lent bool) {
	if !c.parallel && c.base.Walks.Alone() {
		c.base.M.Advance() // so that what was written earlier has another stamp
	}
	if lent = !c.Pointers && !c.steady(); lent {
		c.lend(1)
	}
	if c.guard == nil {
		c.guard = &guard{seed: maphash.MakeSeed(), reads: make([]read, len(c.Columns)+1)}
	}
	c.guard.calls = false
	return lent
}

// look calls, and panics if what the struct only reads has changed meanwhile.
func (c *Cursor) look(into raw.Ptr, call func(raw.Ptr) bool) bool {
	g := c.guard
	for j := range g.reads {
		r := &g.reads[j]
		r.at, r.bytes = c.reads(j, into)
		r.sum = g.sum(r)
	}
	g.calls = true
	more := call(into)
	g.calls = false
	for j := range g.reads {
		if r := &g.reads[j]; g.sum(r) != r.sum {
			c.changed(j, r.at)
		}
	}
	return more
}

// unguard ends a guarded walk, after a panic too.
func (c *Cursor) unguard(lent bool) {
	if lent {
		defer c.lend(-1)
		if c.guard.calls {
			c.tellSealed()
		}
	}
}

// reads are the bytes that the j-th column has in the struct, or the entities behind the
// last column; none if the struct writes them.
func (c *Cursor) reads(j int, into raw.Ptr) (at raw.Ptr, bytes int) {
	offset, size := uintptr(max(c.Entities, 0)), raw.Size[store.Entity]()
	if j < len(c.Columns) {
		x := &c.Columns[j]
		if x.Write {
			return nil, 0
		}
		offset, size = x.Offset, x.Part.Size
	} else if c.Entities < 0 || c.Pointers {
		return nil, 0
	}
	return c.values(into, offset, size)
}

// values are the bytes that the struct has through the field at offset, of values of a size.
func (c *Cursor) values(into raw.Ptr, offset, size uintptr) (at raw.Ptr, bytes int) {
	if field := raw.At(into, offset); c.Pointers {
		at, bytes = *raw.As[raw.Ptr](field), int(size)
	} else {
		values := *raw.As[[]struct{}](field)
		at, bytes = raw.Data(values), len(values)*int(size)
	}
	if at == nil || bytes == 0 {
		return nil, 0
	}
	return at, bytes
}

// changed panics because the j-th column has changed. It does not if a handle or a walk within
// has written the column in the meantime and marked it.
func (c *Cursor) changed(j int, at raw.Ptr) {
	if j == len(c.Columns) {
		panic(fmt.Sprintf("ecs: %s has changed the entities that it was passed: they say whose rows these are; change a copy", c.Name))
	}
	x := &c.Columns[j]
	if c.base.stamped(x.Comp, at) {
		return
	}
	for _, g := range c.given {
		if c.base.stamped(g.Comps[j], at) {
			return
		}
	}
	panic(fmt.Sprintf("ecs: %s has changed field %s (%s), which its struct only reads: write `ashlar:\"write\"` after the field, or change a copy", c.Name, x.Name, x.Shared()))
}

// stamped tells whether an address is that of a value in a chunk that was marked as written
// at this tick.
func (b *Base) stamped(of *store.Component, at raw.Ptr) bool {
	for _, t := range of.Tables() {
		for id, n := range t.Seq.Chunks() {
			cell := of.Dir.Cell(id)
			if cell.Stamp == b.M.Tick() && raw.Address(at)-raw.Address(cell.Addr) < uintptr(n)*of.Size {
				return true
			}
		}
	}
	return false
}

// steady tells whether the walk's values will always be passed in place, whatever entities
// have and however the store has components by then.
func (c *Cursor) steady() bool {
	if c.IsOver() {
		return true
	}
	for j := range c.Columns {
		if x := &c.Columns[j]; x.Optional || !x.Whole() {
			return false
		}
	}
	byRow := slices.ContainsFunc(c.Changes, func(x Change) bool { return x.Rows })
	if !c.InRows && (byRow || len(c.Excluded)+len(c.Any) > 0) {
		return false
	}
	for _, of := range c.Required {
		if of.Owner() != c.Required[0].Owner() || !of.Stays() && !c.InRows {
			return false
		}
		if c.InRows && (!of.Stated() || of.ThinRows()) {
			return false
		}
	}
	return true
}
