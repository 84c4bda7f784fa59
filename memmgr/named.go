package memmgr

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/chunk"
)

// A name is looked up once, and then a column is reached by its number or its Col:
//
//	NewSequence(…, Named("price", &price))     a program that knows the type declares the column
//	NewSequence(…, ColumnOfType("price", t))   … that has a schema
//	ColumnOf[float64](s, "price") → Col        … that knows the type finds it
//	Columns() → number → Values                a tool that knows no type reads it
//
// The names of a sequence without any cost nothing.

// ColumnOfType is a column of a type that is known at run time only. The type has no Go pointers.
func ColumnOfType(name string, t reflect.Type) Column { return Named(name, &runTime{t}) }

type runTime struct{ t reflect.Type }

func (c *runTime) declare() (ColumnSpec, error) {
	if c.t == nil {
		return ColumnSpec{}, errors.New("its type is nil: pass a reflect.Type")
	}
	spec, err := chunk.SpecOf(c.t)
	return ColumnSpec{Spec: spec, named: columnName{typ: c.t}}, err
}

func (c *runTime) bind(*Sequence, int) {}

// Columns returns names and types of the columns, in order; nil if none has a name.
func (s *Sequence) Columns() (names []string, types []reflect.Type) {
	for _, c := range s.columns {
		names, types = append(names, c.name), append(types, c.typ)
	}
	return names, types
}

// ColumnOf returns the column of a name as one of values of type T. The error says which columns there
// are, or which type the column has. Look a column up once, and keep the Col.
func ColumnOf[T any](s *Sequence, name string) (c Col[T], err error) {
	i := slices.IndexFunc(s.columns, func(c columnName) bool { return c.name == name })
	if i < 0 || name == "" {
		return c, fmt.Errorf("memmgr: %q has no column %q: it has %s", s.name, name, s.columnList())
	}
	if t := reflect.TypeFor[T](); s.columns[i].typ != t {
		return c, fmt.Errorf("memmgr: column %q of %q has values of %v, not of %v", name, s.name, s.columns[i].typ, t)
	}
	return colOf[T](s, i), nil
}

// columnList names the columns, for messages.
func (s *Sequence) columnList() string {
	var b strings.Builder
	for _, c := range s.columns {
		if c.name == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q (%v)", c.name, c.typ)
	}
	if b.Len() == 0 {
		return "none with a name: see Named"
	}
	return b.String()
}

// Values returns the values of column i from a row to the last one of its chunk, as a slice of the
// column's type. It is Col.Slice for tools that do not know the type. It panics if no column
// of the sequence has a name, and if the location is of no row.
func (s *Sequence) Values(i int, l Loc) reflect.Value {
	if s.columns == nil || s.columns[i].typ == nil {
		panic(fmt.Sprintf("memmgr: Values of %q, which does not know the types of its columns: name them by Named or ColumnOfType", s.name))
	}
	s.mustHaveRow(l, "Values")
	t := s.columns[i].typ
	return reflect.SliceAt(t, s.dirs[i].At(l, uint32(t.Size())), int(s.manager.rowsOf(l.Chunk())-l.Row()))
}
