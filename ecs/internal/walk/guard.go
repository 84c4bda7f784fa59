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

// guard is a cursor's memory for that.
type guard struct {
	seed  maphash.Seed
	reads []read
}

// read is where a field's values are that must not change, and their sum.
type read struct {
	values
	was uint64
}

// values are n values of a size, stride bytes apart.
type values struct {
	at           raw.Ptr
	n            int
	size, stride uintptr
}

func (v values) sum(seed maphash.Seed) uint64 {
	if v.stride == v.size {
		return maphash.Bytes(seed, raw.Slice[byte](v.at, v.n*int(v.size)))
	}
	var h maphash.Hash
	h.SetSeed(seed)
	for i := range uintptr(v.n) {
		h.Write(raw.Slice[byte](raw.At(v.at, i*v.stride), int(v.size)))
	}
	return h.Sum64()
}

// guarded is over where each call is looked at. It keeps call nowhere: a function that escapes is
// allocated for every walk, guarded or not.
func (c *Cursor) guarded(into raw.Ptr, call func(raw.Ptr) bool, alone bool) {
	if !c.parallel && c.base.Walks.Alone() {
		c.base.Manager.Advance() // so that earlier writes have another stamp
	}
	c.guards()
	c.over(into, func(into raw.Ptr) bool { return c.watch(into, call) }, alone)
}

// guards makes room for sums.
func (c *Cursor) guards() {
	if c.guard == nil {
		c.guard = &guard{seed: maphash.MakeSeed(), reads: make([]read, len(c.Columns)+1)}
	}
}

// watch calls, and panics if a column that the struct only reads has changed meanwhile.
func (c *Cursor) watch(into raw.Ptr, call func(raw.Ptr) bool) bool {
	g := c.guard
	for j := range g.reads {
		r := &g.reads[j]
		r.values = c.reads(j, into)
		r.was = r.sum(g.seed)
	}
	more := call(into)
	for j := range g.reads {
		if r := &g.reads[j]; r.sum(g.seed) != r.was {
			c.changed(j, r.at)
		}
	}
	return more
}

// reads are the values that the j-th column has in the struct, or the entities behind the
// last column; none if the struct writes them. Entities of a struct of pointers are a copy, which
// the function may change.
func (c *Cursor) reads(j int, into raw.Ptr) (none values) {
	switch {
	case j < len(c.Columns):
		if c.Columns[j].Write {
			return none
		}
		return c.valuesOf(j, into)
	case c.Entities < 0 || c.Pointers:
		return none
	}
	return c.values(into, uintptr(c.Entities), raw.Size[store.Entity](), false)
}

// valuesOf are the values of the j-th column that the struct reaches.
func (c *Cursor) valuesOf(j int, into raw.Ptr) (v values) {
	x := &c.Columns[j]
	if x.Woven.Size == 0 {
		return c.values(into, x.Offset, x.Part.Size, x.Strided)
	}
	if v = c.values(into, x.Offset, x.Woven.Size, false); v.n > 0 {
		v.at, v.size = raw.At(v.at, x.Woven.Offset), x.Part.Size
	}
	return v
}

// values are the values of a size that the struct reaches through the field at offset.
func (c *Cursor) values(into raw.Ptr, offset, size uintptr, strided bool) (v values) {
	field := raw.At(into, offset)
	switch {
	case c.Pointers:
		v = values{*raw.As[raw.Ptr](field), 1, size, size}
	case strided:
		s := raw.As[raw.Strided](field)
		v = values{s.Data, s.Len, size, s.Stride}
	default:
		s := *raw.As[[]struct{}](field)
		v = values{raw.Data(s), len(s), size, size}
	}
	if v.at == nil || v.n == 0 || size == 0 {
		return values{}
	}
	return v
}

// changed panics because the j-th column has changed. It does not if a handle or a walk within
// has written the column in the meantime and marked it.
func (c *Cursor) changed(j int, at raw.Ptr) {
	if j == len(c.Columns) {
		panic(fmt.Sprintf("ecs: %s has changed the entities that it was passed: they say whose rows these are; change a copy", c.Name))
	}
	x := &c.Columns[j]
	if c.set.Written(j) || c.set.Copied(j) || c.stamped(x.Comp, at) {
		return
	}
	for _, g := range c.found.given {
		if c.stamped(g.Comps[j], at) {
			return
		}
	}
	panic(fmt.Sprintf("ecs: %s has changed field %s (%s), which its struct only reads: make the field an ecs.Write, or change a copy", c.Name, x.Name, x.Shared()))
}

// stamped tells whether an address is that of a value in a chunk that was marked as written
// at this tick. It goes over all chunks of the component, which only a sum that differs costs.
func (c *Cursor) stamped(of *store.Component, at raw.Ptr) bool {
	tick := of.WriteTick()
	if tick == 0 {
		tick = c.Tick()
	}
	for _, t := range of.Tables() {
		for id, n := range t.Seq.Chunks() {
			cell := of.Dir.Cell(id)
			if cell.Stamp == tick && raw.Address(at)-raw.Address(cell.Addr) < uintptr(n)*of.Size {
				return true
			}
		}
	}
	return false
}
