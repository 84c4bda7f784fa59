package walk

import (
	"fmt"
	"hash/maphash"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// A guarded walk, in checked builds and under Stress, finds writes that a program must not make and
// that no other walk notices. It sums the values that the struct only reads, before and after each
// call.
//
// A column that is only read has no stamp, so views and queries for changes would miss the write.
// A sum costs a pass over all bytes of these columns, twice for each call. Handles and walks within
// may write them rightly: they leave a stamp of this tick, or a loan.

// guard is what a cursor needs for that.
type guard struct {
	seed  maphash.Seed
	reads []read
}

// read is where a field's values are that must not change.
type read struct {
	at    raw.Ptr
	bytes int
	sum   uint64
}

func (g *guard) sum(r *read) uint64 { return maphash.Bytes(g.seed, raw.Slice[byte](r.at, r.bytes)) }

// guarded is over where each call is looked at. It keeps call nowhere: a function that escapes is
// allocated for every walk, guarded or not.
func (c *Cursor) guarded(into raw.Ptr, call func(raw.Ptr) bool, alone bool) {
	if !c.parallel && c.base.Walks.Alone() {
		c.base.M.Advance() // so that what was written earlier has another stamp
	}
	if c.guard == nil {
		c.guard = &guard{seed: maphash.MakeSeed(), reads: make([]read, len(c.Columns)+1)}
	}
	c.over(into, func(into raw.Ptr) bool { return c.watch(into, call) }, alone)
}

// watch calls, and panics if what the struct only reads has changed meanwhile.
func (c *Cursor) watch(into raw.Ptr, call func(raw.Ptr) bool) bool {
	g := c.guard
	for j := range g.reads {
		r := &g.reads[j]
		r.at, r.bytes = c.reads(j, into)
		r.sum = g.sum(r)
	}
	more := call(into)
	for j := range g.reads {
		if r := &g.reads[j]; g.sum(r) != r.sum {
			c.changed(j, r.at)
		}
	}
	return more
}

// reads are the bytes that the j-th column has in the struct, or the entities behind the
// last column; none if the struct writes them. Entities of a struct of pointers are a copy, which
// the function may change.
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
	if c.set.Written(j) || c.base.stamped(x.Comp, at) {
		return
	}
	for _, g := range c.found.given {
		if c.base.stamped(g.Comps[j], at) {
			return
		}
	}
	panic(fmt.Sprintf("ecs: %s has changed field %s (%s), which its struct only reads: make the field an ecs.Write, or change a copy", c.Name, x.Name, x.Shared()))
}

// stamped tells whether an address is that of a value in a chunk that was marked as written
// at this tick. It goes over all chunks of the component, which only a sum that differs costs.
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
