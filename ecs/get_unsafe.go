package ecs

import (
	"unsafe"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs/internal/contract"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Get returns the value of an entity's component for reading, or nil if the
// entity is not alive or lacks it. The address is good until the next safe point
// or structural change, and within a system or loop that goes over the component until the call or
// turn ends. It costs three loads and no call for a value in a fixed column, and a
// call for other values and where there is none. (Its form fits the compiler's budget for
// inlining. That is why it is here and not in package raw: one call more is above it.)
func (p *Pool[T]) Get(e Entity) (v *T) {
	return (*T)(p.d.Lookup(store.Find, uint64(e), uint64(unsafe.Sizeof(*v))))
}

// Has tells whether an entity is alive and has the component. It costs as much as Get.
func (p *Pool[T]) Has(e Entity) bool { return p.d.Lookup(store.FindHas, uint64(e), 0) != nil }

// Field reaches one component through contracts of type S; see FieldOf. It is for the few
// places where Schema.Get costs too much: Valid and At are inlined where they are called.
type Field[S, T any] struct{ l *contract.Lane }

// At returns the value of a contract that holds, for reading. Schema.Valid must have said that
// it does since the last structural change: checked builds panic if not, others return the
// address of some value. The address is good until the next safe point or structural change.
// It costs two loads. After Close it returns nil, as it does if FieldOf was refused. (It is here for the same reason as Pool.Get.)
func (f Field[S, T]) At(c *Contract[S]) (v *T) {
	if f.l.Ended() {
		return nil
	}
	if arena.Checked && !f.l.Seen(&c.i) {
		panic("ecs: Field.At of a contract that may not hold any more: ask Schema.Valid first, and again after each structural change")
	}
	return (*T)(unsafe.Add(f.l.Base(&c.i), c.i.Row()*uint64(unsafe.Sizeof(*v))))
}

// inlined is never called. A program that uses this package can inline the callees of Get, At and Valid, in packages that it does not import itself, only because something here that is not
// generic does so, too. That is when the compiler passes their bodies on.
func inlined(d *memmgr.Directory, e Entity, clocks *store.RowClocks, l *contract.Lane, i *contract.Instance) (unsafe.Pointer, bool, unsafe.Pointer, uint64) {
	return d.Lookup(store.Find, uint64(e), 8), i.Seen(clocks) && !l.Ended(), l.Base(i), i.Row()
}

var _ = inlined
