package memmgr

import (
	"fmt"
	"iter"

	"github.com/ashlar-go/ashlar/internal/arena"
	"github.com/ashlar-go/ashlar/internal/chunk"
)

// Column is one column of a sequence.
type Column struct {
	// Spec is its size and alignment.
	chunk.Spec
	// Directory, if not nil, is the directory to keep the column's addresses in;
	// several sequences of one manager may share it. Nil makes one for this
	// sequence alone.
	Directory *Directory
	// Partial says that not all rows have a value, so that Directory.Lookup passes over them.
	Partial bool
}

// Sequence is rows stored column by column in a list of chunks. Rows are dense:
// they are appended at the end and removed by moving the last one into the hole.
// Their values are undefined until written. Use Manager.NewSequence.
//
// The last chunk holds a row or more, unless it is the only one: a sequence that
// was emptied keeps that until the next safe point, or until memory is refused.
type Sequence struct {
	// What every row that comes or goes looks at, in one cache line.
	tail  Loc // row 0 of the last chunk; 0 if there is none
	floor Loc // where next may not come without sink being called
	next  Loc // where the next row goes, if that is below end
	end   Loc // behind the last row that the last chunk has room for

	m       *Manager
	name    string
	shape   *shape
	dirs    []*Directory
	partial []bool     // by column; nil: none is
	chunks  []chunk.ID // in logical order
	first   uint32     // the order of chunks[0]: how many were dropped before it
	spare   chunk.ID   // an empty chunk kept for the next append; 0 if none
	old     bool       // it was there when old ones were last freed
	listed  bool       // in the manager's list of sequences that may have a spare
	gone    bool       // dropped
	cold    bool       // intent says that it is used rarely
	stays   bool       // intent says that its chunks are left where they are
	limit   uint64     // of bytes of chunks; 0 is none

	place   int                // in the manager's list
	key     uint32             // the user's
	regions map[uint32]*region // striped ones, by number: which 32 chunks they are for
}

// shape is what sequences of the same columns share.
type shape struct {
	*chunk.Shape
	runs    []arena.Run // of Stripes
	regions []*region   // striped regions of this shape
}

// shapeOf returns the shape of columns, one for all sequences that have such.
func (m *Manager) shapeOf(specs []chunk.Spec) (*shape, error) {
	key := chunk.Key(specs)
	if s := m.shapes[key]; s != nil {
		return s, nil
	}
	of, err := chunk.NewShape(specs)
	if err != nil {
		return nil, err
	}
	s := &shape{Shape: of}
	for _, r := range of.Stripes.Runs() {
		s.runs = append(s.runs, arena.Run(r))
	}
	if len(s.runs) == 0 {
		s.Striped = false // nothing to lay side by side
	}
	if m.shapes == nil {
		m.shapes = make(map[string]*shape)
	}
	m.shapes[key] = s
	return s, nil
}

// NewSequence makes an empty sequence of the given columns. Its name stands in
// messages, statistics and maps, and no other sequence of the manager may have it. It
// takes no memory before the first row. It fails if a row does not fit in a chunk, if
// the name is empty or taken, or if a directory is another manager's or stated twice.
func (m *Manager) NewSequence(name string, columns []Column) (*Sequence, error) {
	defer m.use("NewSequence")()
	if m.closed {
		return nil, fmt.Errorf("memmgr: sequence %q: %w", name, arena.ErrClosed)
	}
	fail := func(format string, args ...any) (*Sequence, error) {
		return nil, fmt.Errorf("memmgr: sequence %q: %w", name, fmt.Errorf(format, args...))
	}
	switch {
	case name == "":
		return fail("the name is empty: maps and messages tell sequences by their names")
	case m.names[name] != nil:
		return fail("there is a sequence of that name: choose another one, or Drop that first")
	}
	specs := make([]chunk.Spec, len(columns))
	s := &Sequence{m: m, name: name, dirs: make([]*Directory, len(columns))}
	private := 0
	for i, c := range columns {
		specs[i] = c.Spec
		if c.Partial {
			s.partial = append(s.partial, make([]bool, len(columns)-len(s.partial))...)
			s.partial[i] = true
		}
		if s.dirs[i] = c.Directory; c.Directory == nil {
			private++
			continue
		}
		switch d := c.Directory; {
		case d.m != nil && d.m != m:
			return fail("column %d is used by another manager: make one for each manager", i)
		case d.m != nil && d.spec != c.Spec:
			return fail("column %d has %d bytes aligned to %d elsewhere, and %d aligned to %d here: make one for each column", i, d.spec.Size, d.spec.Align, c.Size, c.Align)
		}
		for j := range i {
			if s.dirs[j] == c.Directory {
				return fail("columns %d and %d are one: make one for each column", j, i)
			}
		}
	}
	var err error
	if s.shape, err = m.shapeOf(specs); err != nil {
		return fail("%w", err)
	}
	own := make([]Directory, private)
	for i := range s.dirs {
		if s.dirs[i] == nil {
			s.dirs[i], own = &own[0], own[1:]
		}
		s.dirs[i].use(m, specs[i])
	}
	if m.names == nil {
		m.names = make(map[string]*Sequence)
	}
	m.names[name] = s
	s.asked()
	s.place = len(m.seqs)
	m.seqs = append(m.seqs, s)
	return s, nil
}

// live returns the sequences, in the order in which they were made.
func (m *Manager) live() []*Sequence {
	if m.dropped > 0 {
		n := 0
		for _, s := range m.seqs {
			if s != nil {
				m.seqs[n], s.place = s, n
				n++
			}
		}
		clear(m.seqs[n:])
		m.seqs, m.dropped = m.seqs[:n], 0
	}
	return m.seqs
}

// Manager is what the sequence belongs to.
func (s *Sequence) Manager() *Manager { return s.m }

// Name is what the sequence was called when it was made.
func (s *Sequence) Name() string { return s.name }

// SetKey notes a number of the user's, by which it finds what it keeps of the sequence;
// 0 to begin with. The places of its chunks have it too, which is quicker to look up from a
// location. It panics if there are chunks already.
func (s *Sequence) SetKey(key uint32) {
	if s.Busy() {
		panic(fmt.Sprintf("memmgr: SetKey of %q, which has chunks: call it before the first row", s.name))
	}
	s.key = key
}

// Key is the number that SetKey has noted.
func (s *Sequence) Key() uint32 { return s.key }

// Layout is the geometry of the sequence's full chunks.
func (s *Sequence) Layout() *chunk.Layout {
	if s.shape == nil {
		s.m.mustBeMade("Layout")
	}
	return &s.shape.Full
}

// Capacity is how many rows a full chunk holds: all chunks but the last one do.
func (s *Sequence) Capacity() int {
	if s.shape == nil {
		s.m.mustBeMade("Capacity")
	}
	return int(s.shape.Full.Capacity())
}

// Directory returns the directory of column i.
func (s *Sequence) Directory(i int) *Directory {
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

// lostRows panics: the body of a loop has removed what comes next.
func (s *Sequence) lostRows(loop string) {
	panic(fmt.Sprintf("memmgr: %s of %q: the body of the loop has removed rows: note them, and remove them after the loop", loop, s.name))
}

// tailRows is the number of rows in the last chunk, tailCap how many it has room
// for as it is laid out now.
func (s *Sequence) tailRows() uint32 { return uint32((s.next - s.tail) >> chunkBits) }
func (s *Sequence) tailCap() uint32  { return uint32((s.end - s.tail) >> chunkBits) }

// setTail makes a chunk the last one; 0 is none.
func (s *Sequence) setTail(id chunk.ID, rows, capacity uint32) {
	s.m.layout++
	s.tail = MakeLoc(id, 0)
	s.next, s.end = s.tail.Plus(rows), s.tail.Plus(capacity)
	s.watch()
}

// Len is the number of rows.
func (s *Sequence) Len() int {
	if len(s.chunks) <= 1 {
		return int(s.tailRows())
	}
	return (len(s.chunks)-1)*int(s.shape.Full.Capacity()) + int(s.tailRows())
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
	if uint(i) >= uint(len(s.chunks)) {
		s.noChunk(i)
	}
	if i == len(s.chunks)-1 {
		return s.chunks[i], int(s.tailRows())
	}
	return s.chunks[i], int(s.shape.Full.Capacity())
}

// Only returns the chunk that holds all rows, and how many they are, if there is just one.
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

// At returns the location of row i in logical order. It divides; code that goes
// over rows goes chunk by chunk, and code that keeps rows keeps locations.
func (s *Sequence) At(i int) Loc {
	if i < 0 || i >= s.Len() {
		panic(fmt.Sprintf("memmgr: row %d of %q, which has %d: ask for 0 to Len-1", i, s.name, s.Len()))
	}
	n := s.Capacity()
	return MakeLoc(s.chunks[i/n], uint32(i%n))
}

// Runs iterates over the rows from the i-th to the one before the j-th in logical order. It
// yields runs of rows in one chunk each: the location of the first row and their number. Where
// one run ends and the next begins is no part of any result. The sequence must not change
// meanwhile. It panics unless 0 ≤ i ≤ j ≤ Len.
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
			n := min(j-at, int(s.m.rowsOf(l.Chunk())-l.Row()))
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
	s.m.mustBeMade("Index")
	return s.m.Order(l.Chunk())*int(s.Layout().Capacity()) + int(l.Row())
}

// Last returns the location of the last row; there must be one.
func (s *Sequence) Last() Loc {
	if arena.Checked && s.next == s.tail {
		s.mustHaveRows("Last")
	}
	return s.next - rowStep
}

// holds tells whether a location is that of a row of the sequence.
func (s *Sequence) holds(l Loc) bool {
	s.m.mustBeMade("a row")
	e := s.m.table.in(l.Chunk())
	return e != nil && e.seq == s && e.order != spareOrder && l.Row() < s.m.rowsOf(l.Chunk())
}

// mustHold panics unless a location is that of a row of the sequence.
func (s *Sequence) mustHold(l Loc, what string) {
	if !s.holds(l) {
		panic(fmt.Sprintf("memmgr: %s of row %v, which %q does not have: keep locations only while their rows stay", what, l, s.name))
	}
}
