package ecs

import (
	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// Write as the type of a field asks for a column of component T that the system may change:
//
//	Pos ecs.Write[Position]
//
// A field []Position asks for the same column for reading. A change through such a slice is not
// noticed: nothing that watches the component is told.
type Write[T any] []T

// Maybe as the type of a field asks for a column of component T, for reading, and does not
// require it: element i is zero where row i lacks the component. A field [Has] tells which
// rows have it. In the struct of a group, a field _ Maybe[T] is a component that the group owns
// and members may lack.
type Maybe[T any] []T

// MaybeWrite is Maybe for writing. Only values of rows with the component are stored.
type MaybeWrite[T any] []T

// WriteOne is Write for a struct of pointers: the value of one row, which may be changed. Its
// fields are reached as through a *T; a method with a pointer receiver as (*p).Method().
type WriteOne[T any] *T

// MaybeOne is Maybe for a struct of pointers: nil where the entity lacks the component.
type MaybeOne[T any] *T

// MaybeWriteOne is MaybeOne for writing.
type MaybeWriteOne[T any] *T

// Strided in place of []T passes values where they lie, some bytes apart. It is for a field of a
// component that the system's own table has: a slice of the field is copied for each call.
//
//	At ecs.Strided[Vec3] `ashlar:"body.At"`
//
// Values that have to be copied, as those of other tables, are side by side. It is good as long as
// the batch.
type Strided[T any] struct {
	of of[T]
	v  raw.Strided
}

// Len is the number of rows.
func (s Strided[T]) Len() int { return s.v.Len }

// At is the address of the value of row i, for reading. It is good as long as the batch.
func (s Strided[T]) At(i int) *T {
	if uint(i) >= uint(s.v.Len) {
		panic(noRow{})
	}
	return raw.As[T](raw.At(s.v.Data, uintptr(i)*s.v.Stride))
}

// WriteStrided is Strided for writing.
type WriteStrided[T any] struct {
	of of[T]
	v  raw.Strided
}

// Len is the number of rows.
func (s WriteStrided[T]) Len() int { return s.v.Len }

// At is the address of the value of row i. It is good as long as the batch.
func (s WriteStrided[T]) At(i int) *T {
	if uint(i) >= uint(s.v.Len) {
		panic(noRow{})
	}
	return raw.As[T](raw.At(s.v.Data, uintptr(i)*s.v.Stride))
}

// Look as the type of a field reaches component T of any entity by its handle, for reading. A
// field *Pool[T] reads and writes.
type Look[T any] struct {
	of of[T]
	p  *pool
}

// Has is Pool.Has.
func (l Look[T]) Has(e Entity) bool { return l.p.look("Has").has(e) }

// Enabled is Pool.Enabled.
func (l Look[T]) Enabled(e Entity) bool { return l.p.look("Enabled").enabled(e) }

// has is Pool.Has.
func (p *pool) has(e Entity) bool {
	if arena.Checked {
		p.mustReach("Has", false)
	}
	return p.component.Dir.Lookup(store.FindHas, uint64(e), 0) != nil
}

// look is the pool of a Look.
func (p *pool) look(call string) *pool {
	if p == nil {
		panic(unmade{"Look", call})
	}
	return p
}
