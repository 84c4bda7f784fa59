package memmgr

import (
	"fmt"
	"iter"

	core "github.com/ashlar-go/ashlar/internal/memmgr"
)

// Loc is the location of a row: the number of its chunk and its row there. It stays good
// when the chunk moves, and goes to another row when rows are removed. l.Plus(n), of a
// uint32, is the location n rows further in the same chunk. The zero Loc is none.
type Loc = core.Loc

// Sequence is a table: rows in order, stored column by column in a list of chunks. Rows are
// dense: every chunk but the last is full. Use Manager.NewSequence.
type Sequence core.Sequence

// Append adds a row and returns its location. Its values are undefined until written. It
// costs an addition, and every few thousand rows a chunk. After an error, which says that
// memory was refused, nothing has changed.
func (s *Sequence) Append() (Loc, error) { return (*core.Sequence)(s).Append() }

// AppendRun adds up to n rows, as many as the last chunk (a new one if it is full) has room
// for. It returns the location of the first and their number; callers loop. An error says
// that memory was refused, even for one row.
func (s *Sequence) AppendRun(n int) (Loc, int, error) { return (*core.Sequence)(s).AppendRun(n) }

// SwapRemove removes a row: the last one takes its place, in every column. It returns where
// the last row was, which equals l if nothing had to move. It panics if l is no row.
func (s *Sequence) SwapRemove(l Loc) (from Loc) { return (*core.Sequence)(s).SwapRemove(l) }

// RemoveRange removes the rows from the i-th to the one before the j-th, as slices.Delete
// does. It keeps the order of the others, and costs a copy of those behind: nothing at the
// end, where whole chunks go at once. It panics if i and j are not 0 ≤ i ≤ j ≤ Len.
//
// A sequence of one chunk gives the room of its rows to others at the next safe point, or at a
// refusal if it has no rows left. A program that removes rows because Append was refused calls
// EndFrame or Idle before it tries again.
func (s *Sequence) RemoveRange(i, j int) { (*core.Sequence)(s).RemoveRange(i, j) }

// RemoveFunc removes all rows for which drop returns true, and keeps the order of the others, as
// slices.DeleteFunc does. It returns how many rows went. Drop is called once for each row, in
// order, before anything is removed, and must not change the sequence. If drop panics, all rows
// stay. RemoveFunc packs column by column: it costs a copy of all rows behind the first one that
// goes, however many go.
func (s *Sequence) RemoveFunc(drop func(Loc) bool) (removed int) {
	return (*core.Sequence)(s).RemoveFunc(drop)
}

// RemoveMarked is RemoveFunc with a call for each run of rows instead of each row. Mark is given
// the location of a run's first row, from which Col.Slice begins, and one bool for each of its
// rows. It sets those of the rows that go; all are false before. Drop is good for the call only.
// Where runs end is no part of any result. What RemoveFunc says of drop holds for mark.
func (s *Sequence) RemoveMarked(mark func(first Loc, drop []bool)) (removed int) {
	return (*core.Sequence)(s).RemoveMarked(mark)
}

// DropFirst removes rows from the front by whole chunks, as many as hold none but the first
// n rows, and returns how many rows went. Rows behind keep their locations. It costs a little
// for each chunk. It panics if n is negative.
func (s *Sequence) DropFirst(n int) (dropped int) {
	if n < 0 {
		panic(fmt.Sprintf("memmgr: DropFirst of %d rows: the number can't be negative", n))
	}
	rows := (*core.Sequence)(s)
	before, chunks := rows.Len(), rows.ChunkCount()
	if n < before {
		chunks = n / rows.Capacity()
	}
	rows.DropFirst(chunks)
	return before - rows.Len()
}

// Drop removes all rows, and the sequence from its manager. A second call does nothing.
func (s *Sequence) Drop() { (*core.Sequence)(s).Drop() }

// Len is the number of rows.
func (s *Sequence) Len() int { return (*core.Sequence)(s).Len() }

// At returns the location of the i-th row. It costs a division: code that goes over rows uses
// Col.Chunks or Runs, and code that keeps rows keeps locations. It panics if there is none.
func (s *Sequence) At(i int) Loc { return (*core.Sequence)(s).At(i) }

// Runs iterates over the rows from the i-th to the one before the j-th, as runs that lie in
// one chunk each: the location of the first row and their number. Where one run ends and the
// next begins is no part of any result. The sequence must not change meanwhile. It panics if
// i and j are not 0 ≤ i ≤ j ≤ Len.
func (s *Sequence) Runs(i, j int) iter.Seq2[Loc, int] { return (*core.Sequence)(s).Runs(i, j) }

// SetLimit bounds the memory of the sequence's chunks, in bytes. A row that needs another
// chunk is then refused with ErrSequenceLimit. 0 is no limit. What is held already stays.
func (s *Sequence) SetLimit(bytes uint64) { (*core.Sequence)(s).SetLimit(bytes) }

// Pin keeps all chunks where they are until the function that it returns is called: the
// slices that Col.Slices returns are good until then, for any goroutine, while the owner goes
// on. They are no copies: a row that the owner overwrites or removes changes for readers too.
// The package comment says which calls do that. Any goroutine may call unpin, and call it
// again. It costs a few nanoseconds a chunk.
func (s *Sequence) Pin() (unpin func()) { return (*core.Sequence)(s).Pin() }
