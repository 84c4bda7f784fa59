package memmgr

import (
	"unsafe"

	"github.com/ashlar-go/ashlar/chunk"
)

// moveRow copies a row over another in every column, if they differ, and stamps
// both chunks.
func (s *Sequence) moveRow(to, from Loc) {
	tick := s.m.tick
	for i, d := range s.dirs {
		dst := d.Cell(to.Chunk())
		dst.Stamp = tick
		d.Cell(from.Chunk()).Stamp = tick
		if to != from {
			size := s.full.Spec(i).Size
			chunk.CopyValue(unsafe.Add(dst.Addr, uintptr(to.Row())*uintptr(size)), d.At(from, size), size)
		}
	}
}

// copyRows copies the rows of a chunk from where it was to where it is, and returns
// how many bytes they have.
func (m *Manager) copyRows(id chunk.ID, old *entry) (bytes uint64) {
	s := old.seq
	rows := m.rowsOf(id)
	from := s.layout(old.small)
	for i, d := range s.dirs {
		n := uintptr(rows) * uintptr(from.Spec(i).Size)
		chunk.CopyBytes(d.Addr(id), unsafe.Add(old.base, from.Offset(i, old.colour)), n)
		bytes += uint64(n)
	}
	m.counts.CopiedBytes += bytes
	return bytes
}

// Slice returns column i of a chunk of the sequence as values of type T, one per
// row. It panics if T's size is not the column's. It is good until the next safe
// point or structural change. Writers say so with Written.
func Slice[T any](s *Sequence, i int, id chunk.ID) []T {
	if unsafe.Sizeof(*new(T)) != uintptr(s.full.Spec(i).Size) {
		panic("memmgr: Slice of a column whose values have another size")
	}
	return chunk.Slice[T](s.dirs[i].Addr(id), 0, int(s.m.rowsOf(id)))
}

// Written stamps column i of a chunk with the current tick.
func (s *Sequence) Written(i int, id chunk.ID) { s.dirs[i].Cell(id).Stamp = s.m.tick }

// Changed tells whether column i of a chunk was written after a tick.
func (s *Sequence) Changed(i int, id chunk.ID, since uint64) bool {
	return s.dirs[i].Cell(id).Stamp > since
}
