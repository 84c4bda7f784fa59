package memmgr

import (
	"fmt"

	"github.com/ashlar-go/ashlar/internal/chunk"
)

// RemoveRange removes the rows from the i-th to the one before the j-th, counted in logical
// order as in slices.Delete, and keeps the order of the others. All rows behind move up, in
// every column and across the borders of chunks, and their chunks are stamped. It costs a copy
// of all rows behind: nothing at the end of a sequence, where it is Truncate. DropFirst removes
// whole chunks at the beginning for less.
//
// It panics if i and j are not 0 ≤ i ≤ j ≤ Len.
func (s *Sequence) RemoveRange(i, j int) {
	if i < 0 || j < i || j > s.Len() {
		panic(fmt.Sprintf("memmgr: RemoveRange of rows %d to %d of %q, which has %d: ask for 0 ≤ i ≤ j ≤ Len", i, j, s.name, s.Len()))
	}
	switch {
	case i == j:
	case j == s.Len():
		s.Truncate(i)
	default:
		l := s.At(i)
		s.closeGap(s.m.Order(l.Chunk()), l.Row(), j-i)
	}
}

// closeGap removes n rows from a row of the order-th chunk on: the rows behind them
// move up, chunk by chunk, and the end is cut off.
func (s *Sequence) closeGap(order int, row uint32, n int) {
	length := s.Len()
	for to := order; to < s.ChunkCount(); to++ {
		id, _ := s.Chunk(to)
		s.stamp(id)
	}
	capacity := int(s.Layout().Capacity()) // of every chunk but the last, which nothing follows
	to, from := order*capacity+int(row), order*capacity+int(row)+n
	for from < length {
		k := min(length-from, capacity-to%capacity, capacity-from%capacity)
		dst, src := s.At(to), s.At(from)
		for i, d := range s.dirs {
			size := s.Layout().Spec(i).Size
			chunk.CopyBytes(d.At(dst, size), d.At(src, size), uintptr(k)*uintptr(size))
		}
		to, from = to+k, from+k
	}
	s.Truncate(length - n)
}
