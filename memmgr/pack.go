package memmgr

import (
	"fmt"

	"github.com/ashlar-go/ashlar/chunk"
)

// Rows leave a sequence in order by packing. The rows that stay move up, column by column, a
// stretch of the sequence at a time, so that the list of rows is made once for all columns:
//
//	chunks          |a b - c - - d e|f - g h - - i j|k l …
//	rows that stay  0 1 3 6 7          ↓ for each column: one loop, no branches
//	packed          |a b c d e f g h|i j k l …      |  cut off
//
// Stretches end where columns do: at the end of a chunk, or of its region if it is striped.

// packRows is the most rows of a stretch. Their list fits into the first-level cache. 1024 is 15 %
// slower, and 16384 no faster: go test ./memmgr -run '^$' -bench RemoveFunc/columns=20
const packRows = 4096

// Its rows are in one chunk, and have the numbers that chunk.Gather takes.
var _ [1<<chunk.RowBits - packRows]struct{}

// RemoveFunc removes all rows for which drop returns true, and keeps the order of the others, as
// slices.DeleteFunc does. It returns how many rows went. Drop is called once for each row, in
// order, before anything is removed, and must not change the sequence. If drop panics, all rows
// stay. RemoveFunc packs column by column: it costs a copy of all rows behind the first one that
// goes, however many go.
func (s *Sequence) RemoveFunc(drop func(Loc) bool) (removed int) {
	length := s.Len()
	marks, i := marksFor(length), 0
	for id, n := range s.Chunks() {
		for l := MakeLoc(id, 0); l < MakeLoc(id, uint32(n)); l += rowStep {
			var bit uint64
			if drop(l) {
				bit = 1
			}
			marks[i/64] |= bit << (i % 64)
			i++
		}
		s.mustStay(length, "RemoveFunc")
	}
	return s.packStamped(marks)
}

// RemoveMarked is RemoveFunc with a call for each run of rows instead of each row. Mark is given
// the location of a run's first row, from which Col.Slice begins, and one bool for each of its
// rows. It sets the bools of rows that go; all are false before. Drop is good for the call only.
// Where runs end is no part of any result. The rules of RemoveFunc for drop apply to mark.
func (s *Sequence) RemoveMarked(mark func(first Loc, drop []bool)) (removed int) {
	length := s.Len()
	marks, i := marksFor(length), 0
	drop := make([]bool, min(length, s.Capacity()))
	for id, n := range s.Chunks() {
		clear(drop)
		mark(MakeLoc(id, 0), drop[:n:n])
		s.mustStay(length, "RemoveMarked")
		marks.put(i, drop[:n])
		i += n
	}
	return s.packStamped(marks)
}

// mustStay panics if a function that was asked which rows go has changed how many there are.
func (s *Sequence) mustStay(length int, what string) {
	if s.Len() != length {
		panic(fmt.Sprintf("memmgr: %s of %q: the function has changed its rows: do that before or after", what, s.name))
	}
}

// packStamped is PackFrom for rows with readers that know of moves by stamps alone.
func (s *Sequence) packStamped(drop Marks) (removed int) {
	first := drop.next(0, s.Len(), true)
	if first == s.Len() {
		return 0
	}
	if removed = s.PackFrom(first, drop); first < s.Len() {
		s.stampFrom(first)
	}
	return removed
}

// PackFrom removes the marked rows, and keeps the order of the others. First is the first marked row.
// Rows before it keep their locations. Others move by as many rows as are marked before them: see
// Marks.Runs. It returns the number of removed rows.
//
// PackFrom stamps no chunk, because only the caller knows how readers of stamps see a move. Its
// end is a Truncate, which frees chunks and stamps the last one. It writes to pinned chunks where they are. It needs no
// memory of the arena, so it can't fail.
func (s *Sequence) PackFrom(first int, drop Marks) (removed int) {
	length := s.Len()
	to := first
	for from := first; from < length; {
		src, n := s.stretch(from, length-from)
		n = min(n, packRows)
		s.manager.stretch = drop.unmarked(s.manager.stretch[:0], from, from+n)
		for rows := s.manager.stretch; len(rows) > 0; {
			dst, k := s.stretch(to, len(rows))
			s.packColumns(dst, src, rows[:k])
			rows = rows[k:]
			to += k
		}
		from += n
	}
	s.Truncate(to)
	return length - to
}

// packColumns copies rows of a stretch, counted from its beginning, to another place before them.
func (s *Sequence) packColumns(dst, src Loc, rows []uint32) {
	n, first := uint32(len(rows)), rows[0]
	if rows[n-1]-first == n-1 {
		s.copyColumns(dst, src, first, n)
		return
	}
	s.gatherRows(dst, src, rows)
}

// copyColumns copies n rows side by side, from a row of a stretch on.
func (s *Sequence) copyColumns(dst, src Loc, row, n uint32) {
	for i, d := range s.dirs {
		size := s.shape.Full.Spec(i).Size
		chunk.CopyBytes(d.At(dst, size), plus(d.At(src, size), row*size), uintptr(n)*uintptr(size))
	}
}

// closeGap moves the rows from the from-th on up to the to-th, and cuts the end off.
func (s *Sequence) closeGap(to, from int) {
	length := s.Len()
	s.stampFrom(to)
	for from < length {
		dst, room := s.stretch(to, length-from)
		src, n := s.stretch(from, room)
		s.copyColumns(dst, src, 0, uint32(n))
		to, from = to+n, from+n
	}
	s.Truncate(to)
}

// stretch returns where row i is, and how many rows from there on, at most so many, are side by
// side in every column.
func (s *Sequence) stretch(i, most int) (Loc, int) {
	l := s.At(i)
	n := s.Capacity() - int(l.Row())
	if n < most {
		n += (s.Beside(i/s.Capacity()) - 1) * s.Capacity()
	}
	return l, min(n, most)
}

// stampFrom marks every column as written in all chunks from that of row i on.
func (s *Sequence) stampFrom(i int) {
	for k := i / s.Capacity(); k < len(s.chunks); k++ {
		s.stamp(s.chunks[k])
	}
}
