package ecs

import (
	"unsafe"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs/internal/contract"
)

// Field reaches one component through contracts of type S; see FieldOf. It is for the few
// places where Schema.Get costs too much: Valid and At are inlined where they are called.
type Field[S, T any] struct{ l *contract.Lane }

// At returns the value of a contract that is valid, for reading. Schema.Valid must have said that
// it does since the last structural change: checked builds panic if not, others return the
// address of some value. The address is good until the next safe point or structural change.
// It costs two loads. After Close it returns nil, as it does if FieldOf was refused. (It is here for the same reason as Pool.Get.)
func (f Field[S, T]) At(c *Contract[S]) (v *T) {
	page, row := c.i.Page(), c.i.Row()*uint64(unsafe.Sizeof(*v)) // before the branch: several calls share them
	if f.l.Ended() {
		return nil
	}
	if arena.Checked && !f.l.Seen(&c.i) {
		panic("ecs: Field.At of a contract that may not be valid any more: ask Schema.Valid first, and again after each structural change")
	}
	return (*T)(unsafe.Add(f.l.Base(page), row))
}
