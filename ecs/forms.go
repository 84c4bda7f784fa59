package ecs

import (
	"reflect"
	"strings"

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

// form is which of these types a field has.
type form struct{ write, optional, one bool }

// formOf tells which one a type is; ok is false for all others. Types of pointers can't have
// methods, so the name tells, which is this package's own.
func formOf(t reflect.Type) (f form, ok bool) {
	if t.PkgPath() != reflect.TypeFor[World]().PkgPath() {
		return f, false
	}
	switch name, _, _ := strings.Cut(t.Name(), "["); name {
	case "Write":
		f = form{write: true}
	case "Maybe":
		f = form{optional: true}
	case "MaybeWrite":
		f = form{write: true, optional: true}
	case "WriteOne":
		f = form{write: true, one: true}
	case "MaybeOne":
		f = form{optional: true, one: true}
	case "MaybeWriteOne":
		f = form{write: true, optional: true, one: true}
	default:
		return f, false
	}
	return f, true
}

// name is the form as a program writes it.
func (f form) name() string {
	name := ""
	if f.optional {
		name = "Maybe"
	}
	if f.write {
		name += "Write"
	}
	if f.one {
		name += "One"
	}
	return name
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
	return p.c.Dir.Lookup(store.FindHas, uint64(e), 0) != nil
}

// look is the pool of a Look.
func (p *pool) look(call string) *pool {
	if p == nil {
		panic(unmade{"Look", call})
	}
	return p
}

// meaning is that of a generic type as the type of a field.
type meaning struct {
	kind    kind
	of      reflect.Type
	write   bool
	rows    bool // row by row
	left    bool // and not arrived
	strided bool
}

// meaningOf is the meaning of a type; ok is false for all others.
func meaningOf(t reflect.Type) (m meaning, ok bool) {
	name, arg := generic(t)
	switch name {
	case "With":
		m = meaning{kind: kindWith}
	case "Without":
		m = meaning{kind: kindWithout}
	case "Present":
		m = meaning{kind: kindPresent}
	case "Disabled":
		m = meaning{kind: kindDisabled}
	case "Changed", "ChangedRows":
		m = meaning{kind: kindChanged, rows: name == "ChangedRows"}
	case "Added", "AddedRows":
		m = meaning{kind: kindAdded, rows: name == "AddedRows"}
	case "Or":
		m = meaning{kind: kindAny}
	case "Look":
		m = meaning{kind: kindPool}
	case "Later":
		m = meaning{kind: kindLater}
	case "Arrived", "Left":
		m = meaning{kind: kindMoves, left: name == "Left"}
	case "Res", "WriteRes":
		m = meaning{kind: kindResource, write: name == "WriteRes"}
	case "Strided", "WriteStrided":
		m = meaning{kind: kindSlice, strided: true, write: name == "WriteStrided"}
	default:
		return m, false
	}
	m.of = arg
	return m, true
}

// condition tells whether such a field only tells which rows match.
func (m meaning) condition() bool {
	switch m.kind {
	case kindWith, kindWithout, kindPresent, kindDisabled, kindChanged, kindAdded:
		return true
	}
	return false
}
