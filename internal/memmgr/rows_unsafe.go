package memmgr

import (
	"slices"
	"unsafe"

	"github.com/ashlar-go/ashlar/internal/chunk"
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
			size := s.shape.Full.Spec(i).Size
			chunk.CopyValue(unsafe.Add(dst.Addr, uintptr(to.Row())*uintptr(size)), d.At(from, size), size)
		}
	}
}

// copyRows copies the rows of a chunk from another place to where it is, and returns
// how many bytes they have. The last column is the first: see widen.
func (m *Manager) copyRows(id chunk.ID, old spot) (bytes uint64) {
	s := m.table.at(id).seq
	rows := m.rowsOf(id)
	for i, d := range slices.Backward(s.dirs) {
		n := uintptr(rows) * uintptr(s.shape.Full.Spec(i).Size)
		chunk.CopyBytes(d.Addr(id), m.address(s.shape, old, i), n)
		bytes += uint64(n)
	}
	m.counts.CopiedBytes += bytes
	return bytes
}

// poison overwrites a block.
func (m *Manager) poisonBlock(s *shape, at spot) {
	n := chunk.BlockBytes(s.Blocks[at.form-1].Class)
	mem := unsafe.Slice((*byte)(unsafe.Add(m.arena.Base(at.slot), uint32(at.block)*n)), n)
	for i := range mem {
		mem[i] = poison
	}
}

// Slice returns column i of a chunk of the sequence as values of type T, one per row: what
// [ColOf] and Col.Slice do, for those that do it once. Writers say so with Written.
func Slice[T any](s *Sequence, i int, id chunk.ID) []T { return ColOf[T](s, i).Slice(id) }

// Written stamps column i of a chunk with the current tick.
func (s *Sequence) Written(i int, id chunk.ID) { s.Directory(i).Cell(id).Stamp = s.m.tick }

// Changed tells whether column i of a chunk was written after a tick.
func (s *Sequence) Changed(i int, id chunk.ID, since uint64) bool {
	return s.Directory(i).Cell(id).Stamp > since
}
