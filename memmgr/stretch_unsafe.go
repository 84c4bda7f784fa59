package memmgr

import (
	"fmt"
	"iter"
	"unsafe"

	"github.com/ashlar-go/ashlar/arena"
)

// Chunks of a long sequence lie side by side in striped regions, and each of their columns is one run
// there. A loop over such a run begins 32 times less often than one over chunks.
//
//	chunk      4         5         6          7
//	column 0   │· · · · ·│· · · · ·│· · · · · │   │· · · · · │
//	column 1   │· · · · ·│· · · · ·│· · · · · │   │· · · · · │
//	           └─── one stretch, of three chunks ┘   └── the next

// Stretches iterates over all rows as stretches, in each of which every column is one run: the location
// of the first row, and how many there are. A stretch is a chunk, or up to 32 of a long sequence. Where
// one ends and the next begins follows from memory, and is no part of any result. The sequence must not
// change meanwhile. It costs a look at each chunk.
//
//	for l, n := range rows.Stretches() {
//		xs, vs := positions.MutStretch(l, n), speeds.Stretch(l, n)
//		…
//	}
func (s *Sequence) Stretches() iter.Seq2[Loc, int] {
	return func(yield func(Loc, int) bool) {
		for i, count := 0, s.ChunkCount(); i < count; {
			if i >= s.ChunkCount() {
				s.lostRows("Stretches")
			}
			first, rows := s.Chunk(i)
			for k := i + s.Beside(i); i+1 < k; i++ {
				_, more := s.Chunk(i + 1)
				rows += more
			}
			if i++; rows > 0 && !yield(MakeLoc(first, 0), rows) {
				return
			}
		}
	}
}

// Stretch returns the values of n rows of a stretch, from one of its rows on. It must not reach beyond
// the stretch: see Sequence.Stretches. It is for reading.
func (c Col[T]) Stretch(l Loc, n int) []T {
	if arena.Checked {
		c.mustReach(l, n)
	}
	return unsafe.Slice(c.At(l), n)
}

// MutStretch is Stretch for writing: it notes that the column has changed in each chunk of these rows.
func (c Col[T]) MutStretch(l Loc, n int) []T {
	values := c.Stretch(l, n)
	e := c.m.table.at(l.Chunk())
	s, first := e.seq, int(e.order-e.seq.first)
	for i, left := first, n+int(l.Row()); left > 0; i++ {
		id, rows := s.Chunk(i)
		c.d.Cell(id).Stamp = c.m.tick
		left -= rows
	}
	return values
}

// mustReach panics in checked builds for rows that are not in one stretch.
func (c Col[T]) mustReach(l Loc, n int) {
	c.mustHave(l.Chunk())
	e := c.m.table.at(l.Chunk())
	s, i := e.seq, int(e.order-e.seq.first)
	rows := -int(l.Row())
	for k := i + s.Beside(i); i < k; i++ {
		_, more := s.Chunk(i)
		rows += more
	}
	if n < 0 || n > rows {
		panic(fmt.Sprintf("memmgr: a stretch of %d rows from %v on, where %d are side by side: take what Sequence.Stretches yields", n, l, rows))
	}
}
