package memmgr

import (
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"

	"github.com/ashlar-go/ashlar/chunk"
)

// A program declares columns by Cols, which know their type, and may give them names. Where a schema
// is known at run time only, ColumnOfType declares them, and named.go finds them. An engine makes
// sequences of ColumnSpecs, by MakeSequence, and typed columns by colOf.

// Column is an argument of NewSequence: a pointer to a [Col], or a result of [Named] or [ColumnOfType].
type Column interface {
	declare() (ColumnSpec, error)
	bind(s *Sequence, i int)
}

func (c *Col[T]) declare() (ColumnSpec, error) {
	spec, err := chunk.SpecOf(reflect.TypeFor[T]())
	return ColumnSpec{Spec: spec, Directory: c.d, named: columnName{typ: reflect.TypeFor[T]()}}, err
}

func (c *Col[T]) bind(s *Sequence, i int) { *c = colOf[T](s, i) }

// NewSequence makes an empty sequence of the given columns, and makes each of them a handle
// of its column:
//
//	var times memmgr.Col[int64]
//	var points memmgr.Col[point]
//	rows, err := m.NewSequence("track", &times, &points)
//
// Its name stands in messages, statistics and maps, and no other sequence of the manager may
// have it. It takes no memory before the first row.
//
// A Col may be passed to several sequences of one manager: it then reaches the rows of all
// of them. The error names the fault of a column: its values have a Go pointer, a row
// does not fit in a chunk, or it belongs to another manager.
func (m *Manager) NewSequence(name string, columns ...Column) (*Sequence, error) {
	list := make([]ColumnSpec, len(columns))
	for i, c := range columns {
		if v := reflect.ValueOf(unnamed(c)); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
			return nil, fmt.Errorf("memmgr: sequence %q: column %d is nil: pass the address of a Col, or ColumnOfType", name, i)
		}
		for j, other := range columns[:i] {
			if unnamed(c) == unnamed(other) {
				return nil, fmt.Errorf("memmgr: sequence %q: columns %d and %d are one Col: declare one for each column", name, j, i)
			}
		}
		var err error
		if list[i], err = c.declare(); err != nil {
			return nil, fmt.Errorf("memmgr: sequence %q: column %d: %w", name, i, err)
		}
	}
	s, err := m.MakeSequence(name, list)
	if err != nil {
		return nil, err
	}
	for i, c := range columns {
		c.bind(s, i)
	}
	return s, nil
}

// Chunks iterates over the chunks of a sequence in order: the location of the first row, and
// the column's values. The sequence must not change meanwhile. It panics if the sequence does not have the column.
func (c Col[T]) Chunks(s *Sequence) iter.Seq2[Loc, []T] {
	s.mustHave(c.d)
	return func(yield func(Loc, []T) bool) {
		for id := range s.Chunks() {
			if l := MakeLoc(id, 0); !yield(l, c.Slice(l)) {
				return
			}
		}
	}
}

// mustHave panics if the sequence does not have the column of a directory.
func (s *Sequence) mustHave(d *Directory) {
	if s == nil {
		panic("memmgr: Chunks of a nil Sequence: NewSequence makes one")
	}
	if !slices.Contains(s.dirs, d) {
		panic(fmt.Sprintf("memmgr: Chunks of %q by a Col that is none of its columns: NewSequence takes the address of each", s.name))
	}
}

// Slices returns the slices of Chunks: the column's values in each chunk of a sequence,
// in order. With Sequence.Pin other goroutines can read them. It allocates a slice.
func (c Col[T]) Slices(s *Sequence) (chunks [][]T) {
	for _, values := range c.Chunks(s) {
		chunks = append(chunks, values)
	}
	return chunks
}

// Named gives a column a name, by which ColumnOf finds it in the sequence.
//
//	rows, err := m.NewSequence("track", memmgr.Named("time", &times), memmgr.Named("at", &points))
func Named(name string, c Column) Column { return named{name, c} }

type named struct {
	name string
	Column
}

// unnamed is a column without the name that Named gave it.
func unnamed(c Column) Column {
	for {
		n, ok := c.(named)
		if !ok {
			return c
		}
		c = n.Column
	}
}

func (n named) declare() (spec ColumnSpec, err error) {
	if n.name == "" {
		return spec, errors.New("the name of a column is empty: leave Named out, or state one")
	}
	spec, err = n.Column.declare()
	spec.named.name = n.name
	return spec, err
}
