package memmgr

import (
	"fmt"
	"iter"
	"slices"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

// Column is one column of a sequence.
type Column struct {
	// Spec is its size and alignment.
	chunk.Spec
	// Directory, if not nil, is the directory to keep the column's addresses in;
	// several sequences of one manager may share it. Nil makes one for this
	// sequence alone.
	Directory *Directory
}

// Sequence is rows stored column by column in a list of chunks. Rows are dense:
// they are appended at the end and removed by moving the last one into the hole.
// Their values are undefined until written. Use Manager.NewSequence.
//
// The last chunk holds a row or more, unless it is the only one: a sequence that
// was emptied keeps that until the next safe point.
type Sequence struct {
	// What every row that comes or goes looks at, in one cache line.
	tail  Loc // row 0 of the last chunk; 0 if there is none
	floor Loc // where next may not come without dropTail being called
	next  Loc // where the next row goes, if that is below end
	end   Loc // behind the last row that the last chunk has room for

	m           *Manager
	name        string
	full, small chunk.Layout
	hasSmall    bool
	dirs        []*Directory
	offsets     []uintptr  // of columns behind column 0, as chunks are laid out now
	chunks      []chunk.ID // in logical order
	spare       chunk.ID   // an empty chunk kept for the next append; 0 if none
	listed      bool       // in the manager's list of sequences that may have a spare
}

// NewSequence makes an empty sequence of the given columns; cacheBytes are kept
// free in each chunk for views. Name is used in messages and statistics. It takes
// no memory before the first row. It fails if a row does not fit in a chunk.
func (m *Manager) NewSequence(name string, columns []Column, cacheBytes uint32) (*Sequence, error) {
	specs := make([]chunk.Spec, len(columns))
	s := &Sequence{m: m, name: name, dirs: make([]*Directory, len(columns)), offsets: make([]uintptr, len(columns))}
	for i, c := range columns {
		specs[i] = c.Spec
		if s.dirs[i] = c.Directory; c.Directory == nil {
			s.dirs[i] = new(Directory)
		}
	}
	var err error
	if s.full, err = chunk.New(specs, cacheBytes); err != nil {
		return nil, fmt.Errorf("memmgr: sequence %q: %w", name, err)
	}
	s.small, s.hasSmall = chunk.Small(specs, cacheBytes)
	m.seqs = append(m.seqs, s)
	return s, nil
}

// Name is what the sequence was called when it was made.
func (s *Sequence) Name() string { return s.name }

// Layout is the geometry of the sequence's full chunks.
func (s *Sequence) Layout() *chunk.Layout { return &s.full }

// Directory returns the directory of column i.
func (s *Sequence) Directory(i int) *Directory { return s.dirs[i] }

// tailRows is the number of rows in the last chunk, tailCap how many it has room
// for as it is laid out now.
func (s *Sequence) tailRows() uint32 { return uint32((s.next - s.tail) >> chunkBits) }
func (s *Sequence) tailCap() uint32  { return uint32((s.end - s.tail) >> chunkBits) }

// setTail makes a chunk the last one; 0 is none.
func (s *Sequence) setTail(id chunk.ID, rows, capacity uint32) {
	s.m.layout++
	s.tail = MakeLoc(id, 0)
	s.floor = s.tail
	s.next, s.end = s.tail.Plus(rows), s.tail.Plus(capacity)
}

// Offset points to how far behind column 0 column i starts, in every chunk of the
// sequence: a small chunk is always alone. The value is kept up to date.
func (s *Sequence) Offset(i int) *uintptr { return &s.offsets[i] }

// laidOut notes which layout the sequence's chunks have from now on.
func (s *Sequence) laidOut(l *chunk.Layout) {
	for i := range s.offsets {
		s.offsets[i] = uintptr(l.Offset(i, 0)) - uintptr(l.Offset(0, 0))
	}
}

func (s *Sequence) layout(small bool) *chunk.Layout {
	if small {
		return &s.small
	}
	return &s.full
}

// slotRange: small chunks touch one page, and pages of a cache region are not
// touched before a view is kept; huge pages would make all of that resident.
func (s *Sequence) slotRange(small bool) arena.Range {
	if _, cache := s.full.CacheRegion(); small || cache != 0 {
		return arena.Normal
	}
	return arena.Huge
}

// Len is the number of rows.
func (s *Sequence) Len() int {
	return max(len(s.chunks)-1, 0)*int(s.full.Capacity()) + int(s.tailRows())
}

// Busy tells whether the sequence holds chunks, with or without rows.
func (s *Sequence) Busy() bool { return len(s.chunks) > 0 || s.spare != 0 }

// TailLen is the number of rows in the last chunk: all of them, where it is the only
// one.
func (s *Sequence) TailLen() int { return int(s.tailRows()) }

// ChunkCount is the number of chunks that hold rows.
func (s *Sequence) ChunkCount() int {
	if s.next == s.tail {
		return 0
	}
	return len(s.chunks)
}

// Chunk returns the i-th chunk in logical order and how many rows it holds.
func (s *Sequence) Chunk(i int) (id chunk.ID, rows int) {
	if i == len(s.chunks)-1 {
		return s.chunks[i], int(s.tailRows())
	}
	return s.chunks[i], int(s.full.Capacity())
}

// Chunks iterates over the chunks in logical order, with the rows of each. The
// sequence must not change meanwhile.
func (s *Sequence) Chunks() iter.Seq2[chunk.ID, int] {
	return func(yield func(chunk.ID, int) bool) {
		for i := range s.ChunkCount() {
			if !yield(s.Chunk(i)) {
				return
			}
		}
	}
}

// At returns the location of row i in logical order. It divides; code that goes
// over rows goes chunk by chunk, and code that keeps rows keeps locations.
func (s *Sequence) At(i int) Loc {
	if i < 0 || i >= s.Len() {
		panic(fmt.Sprintf("memmgr: row %d of %q, which has %d", i, s.name, s.Len()))
	}
	n := int(s.full.Capacity())
	return MakeLoc(s.chunks[i/n], uint32(i%n))
}

// Last returns the location of the last row; there must be one.
func (s *Sequence) Last() Loc { return s.next - rowStep }

// Append adds a row and returns where it lies. Its values are undefined. It costs
// an addition, and every few thousand rows a chunk. After an error, which is the
// arena's, nothing has changed.
func (s *Sequence) Append() (l Loc, err error) {
	if l = s.next; l >= s.end {
		return s.appendSlow()
	}
	s.next = l + rowStep
	return l, nil
}

// HasRoom tells whether the last chunk has room for another row.
func (s *Sequence) HasRoom() bool { return s.next < s.end }

// Push is Append for those who know that the last chunk has room.
func (s *Sequence) Push() Loc {
	l := s.next
	s.next = l + rowStep
	return l
}

// TryAppend is Append where the last chunk has room; otherwise it does nothing and
// returns the zero Loc. It is small enough to be inlined.
func (s *Sequence) TryAppend() Loc {
	if !s.HasRoom() {
		return 0
	}
	return s.Push()
}

func (s *Sequence) appendSlow() (Loc, error) {
	if err := s.makeRoom(1); err != nil {
		return 0, err
	}
	s.next += rowStep
	return s.Last(), nil
}

// AppendRun adds up to n rows, as many as the last chunk (a new one if it is full)
// has room for, and returns the location of the first and their number. Callers
// loop. A small first chunk is laid out anew at once if n does not fit.
func (s *Sequence) AppendRun(n int) (Loc, int, error) {
	if n <= 0 {
		return 0, 0, nil
	}
	if free := s.tailCap() - s.tailRows(); free == 0 || (s.tailCap() < s.full.Capacity() && uint64(n) > uint64(free)) {
		if err := s.makeRoom(n); err != nil {
			return 0, 0, err
		}
	}
	first := s.next
	k := min(n, int(s.tailCap()-s.tailRows()))
	s.next = first.Plus(uint32(k))
	return first, k, nil
}

// makeRoom gives the tail room for at least one row, n being wanted: it lays a
// small tail out anew, or adds a chunk.
func (s *Sequence) makeRoom(n int) error {
	if s.tail != 0 && s.tailCap() < s.full.Capacity() {
		return s.promote()
	}
	id := s.spare
	if id == 0 {
		small := s.tail == 0 && s.hasSmall && n <= int(s.small.Capacity())
		var err error
		if id, err = s.m.newChunk(s, small); err != nil {
			return err
		}
	}
	s.spare = 0
	e := &s.m.table[id]
	e.order = uint32(len(s.chunks))
	s.chunks = append(s.chunks, id)
	l := s.layout(e.small)
	if len(s.chunks) == 1 {
		s.laidOut(l)
	}
	s.setTail(id, 0, l.Capacity())
	return nil
}

// promote lays the small first chunk out in full, in another slot. Only values
// are copied: number, rows and stamps stay.
func (s *Sequence) promote() error {
	id := s.tail.Chunk()
	if s.m.table[id].pins != 0 {
		return fmt.Errorf("memmgr: chunk %d of %q is full, and pinned so that it can't move to where it has room: unpin it first", id, s.name)
	}
	old, err := s.m.relocate(id, false)
	if err != nil {
		return err
	}
	s.m.discard(old)
	s.end = s.tail.Plus(s.full.Capacity())
	s.laidOut(&s.full)
	return nil
}

// DropLast removes the last row; there must be one.
func (s *Sequence) DropLast() {
	if s.next -= rowStep; s.next == s.floor {
		s.dropTail()
	}
}

// DropAt is DropLast for those who have Last at hand.
func (s *Sequence) DropAt(last Loc) {
	if s.next = last; last == s.floor {
		s.dropTail()
	}
}

// CanPop tells whether l is the last row, and no chunk goes with it.
func (s *Sequence) CanPop(l Loc) bool { return l == s.Last() && l != s.floor }

// Pop is DropLast for those who know from CanPop that no chunk goes.
func (s *Sequence) Pop() { s.next -= rowStep }

// dropTail takes the empty last chunk out of the order. It is kept as a spare, so
// that rows added and removed at a chunk's border cost no chunk each; the spare is
// freed when another comes, or at a safe point once half of the tail is empty. An
// only chunk stays where it is until then.
func (s *Sequence) dropTail() {
	if !s.listed {
		s.m.spares, s.listed = append(s.m.spares, s), true
	}
	n := len(s.chunks) - 1
	if n == 0 {
		s.floor = 0 // listed once is enough
		return
	}
	s.freeSpare()
	s.spare = s.chunks[n]
	s.m.table[s.spare].order = spareOrder
	s.chunks = s.chunks[:n]
	s.setTail(s.chunks[n-1], s.full.Capacity(), s.full.Capacity())
}

const spareOrder = ^uint32(0)

// SwapRemove removes a row: the last one takes its place, in every column, and the
// stamps of both chunks change. It returns where the last row was, which equals
// l if nothing had to move.
func (s *Sequence) SwapRemove(l Loc) (from Loc) {
	from = s.Last()
	s.moveRow(l, from)
	s.DropLast()
	return from
}

// Truncate removes all rows from the n-th on. Whole chunks go at once.
func (s *Sequence) Truncate(n int) {
	for s.Len() > n {
		if over := s.Len() - n; over < int(s.tailRows()) {
			s.next -= Loc(over) << chunkBits
			s.stamp(s.tail.Chunk())
			return
		}
		s.next = s.tail
		s.dropTail()
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
		s.chunks = s.chunks[:0]
		s.setTail(0, 0, 0)
	}
}

// freeSpare gives the spare chunk back.
func (s *Sequence) freeSpare() {
	if s.spare != 0 {
		s.m.freeChunk(s.spare)
		s.spare = 0
	}
}

// Drop removes all rows and the sequence itself from its manager.
func (s *Sequence) Drop() {
	s.Truncate(0)
	s.freeSpare()
	s.freeEmpty()
	s.m.seqs = slices.DeleteFunc(s.m.seqs, func(o *Sequence) bool { return o == s })
	s.m.spares = slices.DeleteFunc(s.m.spares, func(o *Sequence) bool { return o == s })
}

// forget drops all addresses after the memory has gone.
func (s *Sequence) forget() {
	for _, d := range s.dirs {
		d.reset()
	}
	s.chunks, s.spare = nil, 0
	s.setTail(0, 0, 0)
}
