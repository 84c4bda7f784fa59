package ecs

import (
	"reflect"
	"strings"
)

// kind is the meaning of a field of a query's struct.
type kind uint8

const (
	kindSlice    kind = iota // []T and its forms: a column
	kindPointer              // *T and its forms: a value
	kindEntities             // []Entity
	kindEntity               // Entity
	kindPresence             // Has: which rows have an optional component
	kindWith                 // With[T]: required, no data
	kindWithout              // Without[T]: excluded
	kindPool                 // *Pool[T], Look[T]: access by handle
	kindCommands             // *Commands
	kindLater                // Later[T]: changes at the next safe point
	kindAtEnd                // AtEnd: changes at the end of the frame
	kindLocal                // Local[T]: scratch of a worker
	kindResource             // Res[T], WriteRes[T]: a resource
	kindRows                 // Rows: the numbers of the matching rows
	kindAny                  // Or[A, B]: one of several is required
	kindPresent              // Present[T]: required, also if disabled
	kindDisabled             // Disabled[T]: required, and disabled
	kindChanged              // Changed[T]: written or added since the last walk
	kindAdded                // Added[T]: added since
	kindRandom               // Random: random numbers of a system
	kindEvents               // Events[T], WriteEvents[T]: events of a type
	kindMoves                // Arrived[T], Left[T]: entities that came or went
	kindQuery                // *Query[S]: a query of the system's own
	kindPrior                // Prior[T]: values by handle, of when the system began
	kindMaybe                // Maybe[T] in a struct of values: owned, and members may lack it
)

// changes tells whether such a field asks for rows that have changed.
func (k kind) changes() bool { return k == kindChanged || k == kindAdded }

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

// form is which of the named types of slices and pointers a field has: Write and its kin.
type form struct{ write, optional, one bool }

// formOf tells which one a type is; ok is false for all others. Types of pointers can't have
// methods, so the name tells, which is this package's own.
func formOf(t reflect.Type) (f form, ok bool) {
	if !isOwn(t) {
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
