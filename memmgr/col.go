package memmgr

import (
	"iter"
	"reflect"

	"github.com/ashlar-go/ashlar/chunk"
	core "github.com/ashlar-go/ashlar/internal/memmgr"
)

// Column is what NewSequence takes: a pointer to a [Col].
type Column interface {
	declare() (core.ColumnSpec, error)
	bind(s *core.Sequence, i int)
}

// Col is a column of values of type T: a handle that reads and writes them. NewSequence makes
// it one of its columns; before that it is of no use. It is small, may be copied, and is good
// as long as its sequence.
//
// T must hold no Go pointers. What its methods return points into chunks: it is good until
// the next safe point, and until the sequence changes.
//
// Locations must be of rows that the column has. That is not checked, for speed: others, and
// those kept after their rows are gone, give a runtime error or other rows' memory. Builds
// with the tag ashlarcheck panic and say what is wrong.
type Col[T any] core.Col[T]

func (c *Col[T]) declare() (core.ColumnSpec, error) {
	spec, err := chunk.SpecOf(reflect.TypeFor[T]())
	return core.ColumnSpec{Spec: spec, Directory: core.Col[T](*c).Directory()}, err
}

func (c *Col[T]) bind(s *core.Sequence, i int) { *c = Col[T](core.ColOf[T](s, i)) }

// At returns the address of a row's value. Code that writes there calls Written.
func (c Col[T]) At(l Loc) *T { return core.Col[T](c).At(l) }

// Set writes a row's value, and notes that the column has changed in its chunk.
func (c Col[T]) Set(l Loc, v T) { core.Col[T](c).Set(l, v) }

// Slice returns the values from a row to the last one of its chunk: all new rows for the
// location that AppendRun returns. Code that writes there calls Written.
func (c Col[T]) Slice(l Loc) []T { return core.Col[T](c).Slice(l) }

// Chunks iterates over the chunks of a sequence in order: the location of the first row, and
// the column's values. The sequence must not change meanwhile.
func (c Col[T]) Chunks(s *Sequence) iter.Seq2[Loc, []T] {
	return func(yield func(Loc, []T) bool) {
		for id := range (*core.Sequence)(s).Chunks() {
			if !yield(core.MakeLoc(id, 0), core.Col[T](c).Slice(core.MakeLoc(id, 0))) {
				return
			}
		}
	}
}

// Written notes that the column has changed in the chunk of a row: Changed tells it.
func (c Col[T]) Written(l Loc) { core.Col[T](c).Written(l) }

// Changed tells whether the column was written in the chunk of a row after a tick: see
// Manager.Advance.
func (c Col[T]) Changed(l Loc, since uint64) bool { return core.Col[T](c).Changed(l, since) }

// Slices returns what Chunks iterates over: the column's values in each chunk of a sequence,
// in order. With Sequence.Pin other goroutines can read them. It allocates a slice.
func (c Col[T]) Slices(s *Sequence) (chunks [][]T) {
	for _, values := range c.Chunks(s) {
		chunks = append(chunks, values)
	}
	return chunks
}
