package memmgr

import (
	"iter"

	"github.com/ashlar-go/ashlar/chunk"
)

// Placements iterates over all chunks in use by number.
func (m *Manager) Placements() iter.Seq[placement] { return m.placements() }

// ColOf returns column i of a sequence as one of values of type T.
func ColOf[T any](s *Sequence, i int) Col[T] { return colOf[T](s, i) }

// Slice returns column i of a chunk of the sequence as values of type T, one per row. It is
// [colOf] and Col.Slice in one call. Writers say so with Written.
func Slice[T any](s *Sequence, i int, id chunk.ID) []T { return colOf[T](s, i).Slice(MakeLoc(id, 0)) }

// Move copies a chunk to another place, as Options.Stress does.
func (m *Manager) Move(id chunk.ID) (bool, error) {
	defer m.use("Move")()
	return m.move(id)
}

// Changed tells whether column i of a chunk was written after a tick.
func (s *Sequence) Changed(i int, id chunk.ID, since uint64) bool {
	return s.directory(i).Cell(id).Stamp > since
}

// MarksFor returns marks for n rows. None is set.
func MarksFor(n int) Marks { return marksFor(n) }

// Columns are columns with addresses of their own, as MakeSequence takes them.
func Columns(specs ...chunk.Spec) []ColumnSpec {
	columns := make([]ColumnSpec, len(specs))
	for i, spec := range specs {
		columns[i].Spec = spec
	}
	return columns
}

// Limit is the limit of SetLimit; 0 is none.
func (s *Sequence) Limit() uint64 { return s.limit }

// pin pins one chunk until unpin.
func (m *Manager) pin(id chunk.ID) {
	e := m.mustUse(id, "Pin")
	e.pins.Add(1)
	if s := e.seq; s.tail.Chunk() == id {
		s.floor = s.tail
	}
}

// unpin ends a pin, on the goroutine of the manager.
func (m *Manager) unpin(id chunk.ID) { m.table.at(id).pins.Add(-1) }

// annexBytes is the size of a chunk's annex; 0 if it has none.
func (m *Manager) annexBytes(id chunk.ID) uint32 { return m.table.at(id).annex.slots * chunk.Bytes }

// Manager returns the manager of a sequence.
func (s *Sequence) Manager() *Manager { return s.manager }

// Bytes returns the memory that the chunks of a sequence have.
func (s *Sequence) Bytes() uint64 { return s.bytes() }

// DropLast removes the last row.
func (s *Sequence) DropLast() { s.DropAt(s.Last()) }

// DropChunks removes the first chunks.
func (s *Sequence) DropChunks(chunks int) { s.dropChunks(chunks) }

// Pack removes the marked rows. It returns the first of them and how many went.
func (s *Sequence) Pack(drop Marks) (first, removed int) {
	if first = drop.next(0, s.Len(), true); first < s.Len() {
		removed = s.PackFrom(first, drop)
	}
	return first, removed
}

// Set marks row i.
func (m Marks) Set(i int) { m[i/64] |= 1 << (i % 64) }

// SpecOf is the size and alignment of a column of values of type T.
func SpecOf[T any]() chunk.Spec { return specOf[T]() }

// Waiting is how many places pinned chunks have left.
func Waiting(m *Manager) int { return len(m.waiting) }
