package memmgr

import (
	"fmt"
	"iter"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

// Rows are found by division, since every chunk but the last is full:
//
//	row i  ←→  chunk i / Capacity in logical order, row i % Capacity there
//
// A location names the chunk by its number, so it stays good while chunks move and while other
// chunks are dropped before it. An index does not.

// Name returns the name that MakeSequence was given.
func (s *Sequence) Name() string { return s.name }

// Layout is the geometry of the sequence's full chunks.
func (s *Sequence) Layout() *chunk.Layout {
	if s.shape == nil {
		s.manager.mustBeMade("Layout")
	}
	return &s.shape.Full
}

// Capacity is how many rows a full chunk has: all chunks but the last one do.
func (s *Sequence) Capacity() int {
	if s.shape == nil {
		s.manager.mustBeMade("Capacity")
	}
	return int(s.shape.Full.Capacity())
}

// directory returns the directory of column i.
func (s *Sequence) directory(i int) *Directory {
	if uint(i) >= uint(len(s.dirs)) {
		s.noColumn(i)
	}
	return s.dirs[i]
}

func (s *Sequence) noColumn(i int) {
	panic(fmt.Sprintf("memmgr: column %d of %q, which has %d: count from 0", i, s.name, len(s.dirs)))
}

func (s *Sequence) noChunk(i int) {
	panic(fmt.Sprintf("memmgr: chunk number %d of %q in its order, which has %d: look at ChunkCount first", i, s.name, len(s.chunks)))
}

// lostRows panics: the body of a loop has removed the next rows.
func (s *Sequence) lostRows(loop string) {
	panic(fmt.Sprintf("memmgr: %s of %q: the body of the loop has removed rows: note them, and remove them after the loop", loop, s.name))
}

// Len is the number of rows.
func (s *Sequence) Len() int {
	if len(s.chunks) <= 1 {
		return int(s.tailRows())
	}
	return (len(s.chunks)-1)*int(s.shape.Full.Capacity()) + int(s.tailRows())
}

// busy tells whether the sequence has chunks, with or without rows.
func (s *Sequence) busy() bool { return len(s.chunks) > 0 || s.spare != 0 }

// Laid returns a number that changes when a chunk of the sequence is made, freed or moved, or becomes the last
// one, and when cells of a directory get other addresses. Addresses in chunks and of cells are good while it
// stays. It also returns how many rows the last chunk has: all of them, if it is the only one.
func (s *Sequence) Laid() (laid uint64, tail int) {
	if s.manager == nil {
		s.manager.mustBeMade("Laid")
	}
	return s.laid + s.manager.resized, int(s.tailRows())
}

// ChunkCount is the number of chunks that have rows.
func (s *Sequence) ChunkCount() int {
	if s.next == s.tail {
		return 0
	}
	return len(s.chunks)
}

// Chunk returns the i-th chunk in logical order and how many rows it has.
func (s *Sequence) Chunk(i int) (id chunk.ID, rows int) {
	if uint(i) >= uint(len(s.chunks)) {
		s.noChunk(i)
	}
	if i == len(s.chunks)-1 {
		return s.chunks[i], int(s.tailRows())
	}
	return s.chunks[i], int(s.shape.Full.Capacity())
}

// Only returns the chunk that has all rows, and how many they are, if there is just one.
func (s *Sequence) Only() (id chunk.ID, rows int, ok bool) {
	return s.tail.Chunk(), int(s.tailRows()), len(s.chunks) == 1 && s.next != s.tail
}

// Chunks iterates over the chunks in logical order, with the rows of each. The
// sequence must not change meanwhile.
func (s *Sequence) Chunks() iter.Seq2[chunk.ID, int] {
	return func(yield func(chunk.ID, int) bool) {
		for i := range s.ChunkCount() {
			if i >= len(s.chunks) {
				s.lostRows("Chunks")
			}
			if !yield(s.Chunk(i)) {
				return
			}
		}
	}
}

// At returns the location of the i-th row. It costs a division: code that goes over rows uses
// Col.Chunks or Runs, and code that keeps rows keeps locations. It panics if there is none.
func (s *Sequence) At(i int) Loc {
	if i < 0 || i >= s.Len() {
		panic(fmt.Sprintf("memmgr: row %d of %q, which has %d: ask for 0 to Len-1", i, s.name, s.Len()))
	}
	n := s.Capacity()
	return MakeLoc(s.chunks[i/n], uint32(i%n))
}

// Runs iterates over the rows from the i-th to the one before the j-th, as runs that lie in
// one chunk each: the location of the first row and their number. Where one run ends and the
// next begins is no part of any result. The sequence must not change meanwhile. It panics if
// i and j are not 0 ≤ i ≤ j ≤ Len.
func (s *Sequence) Runs(i, j int) iter.Seq2[Loc, int] {
	if i < 0 || j < i || j > s.Len() {
		panic(fmt.Sprintf("memmgr: Runs of rows %d to %d of %q, which has %d: ask for 0 ≤ i ≤ j ≤ Len", i, j, s.name, s.Len()))
	}
	return func(yield func(Loc, int) bool) {
		for at := i; at < j; {
			if at >= s.Len() {
				s.lostRows("Runs")
			}
			l := s.At(at)
			n := min(j-at, int(s.manager.rowsOf(l.Chunk())-l.Row()))
			if !yield(l, n) {
				return
			}
			at += n
		}
	}
}

// Index returns which row of the sequence a location is in logical order, from 0: the
// inverse of At. The row must be the sequence's.
func (s *Sequence) Index(l Loc) int {
	s.manager.mustBeMade("Index")
	return s.manager.Order(l.Chunk())*int(s.Layout().Capacity()) + int(l.Row())
}

// Last returns the location of the last row; there must be one.
func (s *Sequence) Last() Loc {
	if arena.Checked && s.next == s.tail {
		panic(fmt.Sprintf("memmgr: Last of %q, which has no rows: look at Len first", s.name))
	}
	return s.next - rowStep
}

// has tells whether a location is that of a row of the sequence.
func (s *Sequence) has(l Loc) bool {
	s.manager.mustBeMade("a row")
	e := s.manager.table.in(l.Chunk())
	return e != nil && e.seq == s && e.order != spareOrder && l.Row() < s.manager.rowsOf(l.Chunk())
}

// mustHaveRow panics unless a location is that of a row of the sequence.
func (s *Sequence) mustHaveRow(l Loc, what string) {
	if !s.has(l) {
		panic(fmt.Sprintf("memmgr: %s of row %v, which %q does not have: keep locations only while their rows stay", what, l, s.name))
	}
}

// Beside returns how many chunks from the i-th on, at least one, are side by side. Each of
// their columns is one run, from the first one's address on. It looks at each chunk.
func (s *Sequence) Beside(i int) int {
	if uint(i) >= uint(len(s.chunks)) {
		s.noChunk(i)
	}
	e, n := s.manager.table.at(s.chunks[i]).spot, 1
	if e.Form != spot.Striped {
		return 1
	}
	most := min(len(s.chunks)-i, chunk.RegionChunks-int(e.Slot%chunk.RegionChunks))
	for n < most && s.manager.table.at(s.chunks[i+n]).spot == (spot.At{Slot: e.Slot + arena.Slot(n), Form: spot.Striped}) {
		n++
	}
	return n
}

// Sequence returns the sequence that a chunk is in; nil if it is in none.
func (m *Manager) Sequence(id chunk.ID) *Sequence {
	if e := m.table.in(id); e != nil {
		return e.seq
	}
	return nil
}

// Nth is Order of a chunk that has rows, of a sequence that never lost its first chunks. It tests
// nothing, and is inlined.
func (m *Manager) Nth(id chunk.ID) int { return int(m.table.at(id).order) }

// Order returns a chunk's place in its sequence; -1 for an empty one that is kept for
// the next row. It panics for a chunk that is not in use.
func (m *Manager) Order(id chunk.ID) int {
	e := m.table.in(id)
	if e == nil {
		m.mustUse(id, "Order")
	}
	if e.order == spareOrder {
		return -1
	}
	return int(e.order - e.seq.first)
}
