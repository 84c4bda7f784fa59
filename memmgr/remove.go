package memmgr

import (
	"fmt"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

// A row that is removed at the end costs a subtraction: next goes down, until it comes to the
// floor. Then sink does the rest, so that no other removal has to look:
//
//	rows left            sink
//	a quarter has gone   the only chunk may be in too large a place: it is astray
//	none                 the chunk becomes the spare, and the one before it the tail
//
// Rows in the middle go by moving others: the last one (SwapRemove), all behind (RemoveRange and
// RemoveFunc, see pack.go), or none where whole chunks go (DropFirst).

// DropAt removes the last row, for a caller that already has Last().
func (s *Sequence) DropAt(last Loc) {
	if arena.Checked && last != s.Last() {
		panic(fmt.Sprintf("memmgr: DropAt of row %v of %q, whose last row is %v: call SwapRemove", last, s.name, s.Last()))
	}
	if s.next = last; last == s.floor {
		s.sink()
	}
}

// DropTail removes the last n rows, at least one. All of them are in the last chunk.
func (s *Sequence) DropTail(n int) {
	if arena.Checked && (n <= 0 || n > int(s.tailRows())) {
		panic(fmt.Sprintf("memmgr: DropTail of %d rows of %q, whose last chunk has %d: call Truncate", n, s.name, s.tailRows()))
	}
	if s.next -= Loc(n) << chunkBits; s.next <= s.floor {
		s.sink()
	}
}

// dropTail takes the empty last chunk out of the order. It keeps the chunk as a spare, so that
// rows added and removed at a chunk's border do not cost a chunk each. The spare is freed when
// another comes, or at a safe point once half of the tail is empty. An only chunk stays where
// it is until then, or until many others have lost their rows.
func (s *Sequence) dropTail() {
	defer s.manager.use("removing rows")()
	if !s.listed {
		s.manager.listSpare(s)
	}
	n := len(s.chunks) - 1
	if n == 0 {
		s.floor = 0 // listed once is enough
		if s.manager.table.at(s.chunks[0]).pins.Load() != 0 {
			s.freeEmpty() // new rows are not to be written over rows with readers
		}
		return
	}
	s.freeSpare()
	id := s.chunks[n]
	s.chunks = s.chunks[:n]
	s.spare = id
	s.manager.table.at(id).order = spareOrder
	s.setTail(s.chunks[n-1], uint32(s.Capacity()), uint32(s.Capacity()))
	if s.shrunk() {
		s.manager.goAstray(s.chunks...)
	}
}

// emptyMost is how many sequences keep a chunk without rows until a safe point, at least.
// BenchmarkMakeTables of ecs/internal/store shows it: with 256, a table takes 7 us and 2 KB more.
const emptyMost = 32

// listSpare notes a sequence that may keep a chunk without rows. When the list is long, most of
// these chunks are freed, but not that of the sequence itself. Entities that get one component
// after the other would else leave a chunk in each table that they pass through.
func (m *Manager) listSpare(s *Sequence) {
	m.spares, s.listed = append(m.spares, s), true
	if n := len(m.spares); n > max(emptyMost, m.trimAt) {
		m.trimSpares(false, s)
		m.trimmed, m.trimAt = n, 2*len(m.spares)
	}
}

// regret is called when a sequence needs a chunk after its own was freed before the next safe
// point. From then on twice as many are kept: rows come and go in that many sequences.
func (m *Manager) regret(s *Sequence) {
	s.early = false
	m.trimAt = max(m.trimAt, 2*m.trimmed)
}

// SwapRemove removes a row: the last one takes its place, in every column. It returns where
// the last row was, which equals l if nothing had to move. It panics if l is no row.
func (s *Sequence) SwapRemove(l Loc) (from Loc) {
	s.mustHaveRow(l, "SwapRemove")
	from = s.Last()
	s.moveRow(l, from)
	s.DropAt(from)
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

// RemoveRange removes the rows from the i-th to the one before the j-th, as slices.Delete
// does. It keeps the order of the others, and costs a copy of the rows behind: nothing at the
// end, where whole chunks go at once. DropFirst removes chunks at the beginning for less. It panics if i and j are not 0 ≤ i ≤ j ≤ Len.
//
// A sequence of one chunk gives the room of its rows to others at the next safe point, or at a
// refusal if it has no rows left. A program that removes rows because Append was refused calls
// EndFrame or Idle before it tries again.
func (s *Sequence) RemoveRange(i, j int) {
	if i < 0 || j < i || j > s.Len() {
		panic(fmt.Sprintf("memmgr: RemoveRange of rows %d to %d of %q, which has %d: ask for 0 ≤ i ≤ j ≤ Len", i, j, s.name, s.Len()))
	}
	switch {
	case i == j:
	case j == s.Len():
		s.Truncate(i)
	default:
		s.closeGap(i, j)
	}
}

// DropFirst removes rows from the front by whole chunks, as many as have none but the first
// n rows, and returns how many rows went. Rows behind keep their locations. It costs a little
// for each chunk. It panics if n is negative.
func (s *Sequence) DropFirst(n int) (dropped int) {
	if n < 0 {
		panic(fmt.Sprintf("memmgr: DropFirst of %d rows: the number can't be negative", n))
	}
	before, chunks := s.Len(), s.ChunkCount()
	if n < before {
		chunks = n / s.Capacity()
	}
	s.dropChunks(chunks)
	return before - s.Len()
}

// dropChunks removes the first chunks with their rows. The rows behind them keep their locations, and
// Chunk counts from them on.
func (s *Sequence) dropChunks(chunks int) {
	if chunks == s.ChunkCount() {
		s.Truncate(0)
		return
	}
	defer s.manager.use("DropFirst")()
	for _, id := range s.chunks[:chunks] {
		s.manager.freeChunk(id)
	}
	s.chunks = s.chunks[chunks:]
	s.first += uint32(chunks)
	if s.shrunk() {
		s.manager.goAstray(s.chunks...)
	}
}

// stamp marks every column of a chunk as written.
func (s *Sequence) stamp(id chunk.ID) {
	for _, d := range s.dirs {
		d.Cell(id).Stamp = s.manager.tick
	}
}

// sink is called when the floor is reached.
func (s *Sequence) sink() {
	if s.next == s.tail {
		s.dropTail()
		return
	}
	s.floor = s.tail
	if s.tooLarge() {
		s.manager.goAstray(s.tail.Chunk())
	}
}
