package memmgr

import (
	"iter"

	"github.com/ashlar-go/ashlar/internal/chunk"
)

// Columns are columns with addresses of their own, as NewSequence takes them.
func Columns(specs ...chunk.Spec) []Column {
	columns := make([]Column, len(specs))
	for i, spec := range specs {
		columns[i].Spec = spec
	}
	return columns
}

// Chunks iterates over the chunks of a sequence in logical order, with the column's values in each.
func (c Col[T]) Chunks(s *Sequence) iter.Seq2[chunk.ID, []T] {
	return func(yield func(chunk.ID, []T) bool) {
		for id := range s.Chunks() {
			if !yield(id, c.Slice(id)) {
				return
			}
		}
	}
}

// Limit is what SetLimit has set; 0 is none.
func (s *Sequence) Limit() uint64 { return s.limit }
