package memmgr

import (
	"slices"
	"unsafe"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
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
func (m *Manager) copyRows(id chunk.ID, old spot.At) (bytes uint64) {
	s := m.table.at(id).seq
	rows := m.rowsOf(id)
	for i, d := range slices.Backward(s.dirs) {
		n := uintptr(rows) * uintptr(s.shape.Full.Spec(i).Size)
		chunk.CopyBytes(d.Addr(id), m.book.Address(s.shape, old, i), n)
		bytes += uint64(n)
	}
	m.counts.copiedBytes += bytes
	return bytes
}

// gatherRows copies rows of a stretch side by side to another place before them.
func (s *Sequence) gatherRows(dst, src Loc, rows []uint32) {
	var column [1]unsafe.Pointer
	for i, d := range s.dirs {
		size := s.shape.Full.Spec(i).Size
		column[0] = d.At(src, size)
		chunk.Gather(d.At(dst, size), column[:], rows, size)
	}
}
