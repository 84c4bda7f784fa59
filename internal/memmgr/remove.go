package memmgr

import (
	"fmt"

	"github.com/ashlar-go/ashlar/internal/arena"
	"github.com/ashlar-go/ashlar/internal/chunk"
)

// DropLast removes the last row. It panics if there is none.
func (s *Sequence) DropLast() {
	if s.next == s.tail {
		s.mustHaveRows("DropLast")
	}
	if s.next -= rowStep; s.next == s.floor {
		s.sink()
	}
}

func (s *Sequence) mustHaveRows(what string) {
	panic(fmt.Sprintf("memmgr: %s of %q, which has no rows: look at Len first", what, s.name))
}

// DropAt is DropLast when the caller already has Last().
func (s *Sequence) DropAt(last Loc) {
	if arena.Checked && last != s.Last() {
		panic(fmt.Sprintf("memmgr: DropAt of row %v of %q, whose last row is %v: call SwapRemove", last, s.name, s.Last()))
	}
	if s.next = last; last == s.floor {
		s.sink()
	}
}

// DropTail removes the last n rows, from one to TailLen. All of them are in the last chunk.
func (s *Sequence) DropTail(n int) {
	if arena.Checked && (n <= 0 || n > s.TailLen()) {
		panic(fmt.Sprintf("memmgr: DropTail of %d rows of %q, whose last chunk has %d: call Truncate", n, s.name, s.TailLen()))
	}
	if s.next -= Loc(n) << chunkBits; s.next <= s.floor {
		s.sink()
	}
}

// dropTail takes the empty last chunk out of the order. It keeps the chunk as a spare, so that
// rows added and removed at a chunk's border do not cost a chunk each. The spare is freed when
// another comes, or at a safe point once half of the tail is empty. An only chunk stays where
// it is until then.
func (s *Sequence) dropTail() {
	defer s.m.use("removing rows")()
	if !s.listed {
		s.m.spares, s.listed = append(s.m.spares, s), true
	}
	n := len(s.chunks) - 1
	if n == 0 {
		s.floor = 0 // listed once is enough
		if s.m.table.at(s.chunks[0]).pins.Load() != 0 {
			s.freeEmpty() // new rows are not to be written over those that somebody reads
		}
		return
	}
	s.freeSpare()
	id := s.chunks[n]
	s.chunks = s.chunks[:n]
	s.spare = id
	s.m.table.at(id).order = spareOrder
	s.setTail(s.chunks[n-1], uint32(s.Capacity()), uint32(s.Capacity()))
	if s.shrunk() {
		s.m.goAstray(s.chunks...)
	}
}

// SwapRemove removes a row: the last one takes its place, in every column, and the
// stamps of both chunks change. It returns where the last row was, which equals
// l if nothing had to move. It panics if the sequence has no such row.
func (s *Sequence) SwapRemove(l Loc) (from Loc) {
	s.mustHold(l, "SwapRemove")
	from = s.Last()
	s.moveRow(l, from)
	s.DropLast()
	return from
}

// Truncate removes all rows from the n-th on. Whole chunks go at once. It panics if n
// is negative; with n ≥ Len it does nothing.
func (s *Sequence) Truncate(n int) {
	if n < 0 {
		panic(fmt.Sprintf("memmgr: Truncate of %q to %d rows: the number can't be negative", s.name, n))
	}
	for s.Len() > n {
		if over := s.Len() - n; over < int(s.tailRows()) {
			if s.next -= Loc(over) << chunkBits; s.next <= s.floor {
				s.sink()
			}
			s.stamp(s.tail.Chunk())
			return
		}
		s.next = s.tail
		s.dropTail()
	}
}

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

// DropFirst removes the first so many chunks with their rows: retention for rows that
// come in order of time. The rows behind them keep their locations, and Chunk counts
// from them on. It costs a little for each chunk dropped. It panics if there are fewer
// chunks.
func (s *Sequence) DropFirst(chunks int) {
	if chunks < 0 || chunks > s.ChunkCount() {
		panic(fmt.Sprintf("memmgr: DropFirst of %d chunks of %q, which has %d: drop 0 to ChunkCount of them", chunks, s.name, s.ChunkCount()))
	}
	if chunks == s.ChunkCount() {
		s.Truncate(0)
		return
	}
	defer s.m.use("DropFirst")()
	for _, id := range s.chunks[:chunks] {
		s.m.freeChunk(id)
	}
	s.chunks = s.chunks[chunks:]
	s.first += uint32(chunks)
	if s.shrunk() {
		s.m.goAstray(s.chunks...)
	}
}

// stamp marks every column of a chunk as written.
func (s *Sequence) stamp(id chunk.ID) {
	for _, d := range s.dirs {
		d.Cell(id).Stamp = s.m.tick
	}
}

// freeEmpty gives the only chunk back, if there is one without rows.
func (s *Sequence) freeEmpty() {
	if s.tail != 0 && s.next == s.tail {
		s.m.freeChunk(s.tail.Chunk())
		s.chunks, s.first = nil, 0
		for _, r := range s.regions { // what is left of them is in quarantine, or others' chunks
			r.home = nil
		}
		s.regions = nil
		s.setTail(0, 0, 0)
	}
}

// freeSpare gives the spare chunk back.
func (s *Sequence) freeSpare() {
	if s.spare != 0 {
		id := s.spare
		s.spare = 0
		s.m.freeChunk(id)
	}
}

// Drop removes all rows and the sequence itself from its manager. It costs what its
// chunks cost. A second call does nothing.
func (s *Sequence) Drop() {
	s.m.mustBeMade("Drop")
	if s.gone || s.m.closed {
		return
	}
	s.Truncate(0)
	defer s.m.use("Drop")()
	s.freeSpare()
	s.freeEmpty()
	s.gone = true
	m := s.m
	delete(m.names, s.name)
	m.seqs[s.place] = nil
	if m.dropped++; m.dropped > len(m.seqs)/2 {
		m.live()
	}
}

// forget drops all addresses after the memory has gone.
func (s *Sequence) forget() {
	for _, d := range s.dirs {
		d.reset()
	}
	s.chunks, s.spare, s.regions = nil, 0, nil
	s.setTail(0, 0, 0)
}
