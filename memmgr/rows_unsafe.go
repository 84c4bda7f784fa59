package memmgr

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

// moveRow copies a row over another in every column, if they differ, and stamps
// both chunks.
func (s *Sequence) moveRow(to, from Loc) {
	tick := s.manager.tick
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

// Annex returns the start of at least so many bytes, up to AnnexMost, that are bound to a
// chunk: room for views. They are made at the first call, in normal pages, and made anew,
// with other contents, when more are asked for. The address is good until then, until
// DropAnnex, or until the chunk is freed; it stays when the chunk moves. Errors are the
// arena's.
func (m *Manager) Annex(id chunk.ID, bytes uint32) (unsafe.Pointer, error) {
	defer m.use("Annex")()
	e := m.mustUse(id, "Annex")
	if bytes > AnnexMost {
		panic(fmt.Sprintf("memmgr: an annex of %d bytes for chunk %d of %q: the limit is AnnexMost, %d", bytes, id, e.seq.name, AnnexMost))
	}
	n := max((bytes+chunk.Bytes-1)/chunk.Bytes, 1)
	if e.annex.slots < n {
		first, err := m.arena.AllocRun(arena.Normal, int(n))
		if err != nil && m.makeSpace(m.table.at(id).seq) {
			first, err = m.arena.AllocRun(arena.Normal, int(n))
		}
		if err != nil {
			return nil, fmt.Errorf("memmgr: an annex for chunk %d of %q: %w", id, e.seq.name, err)
		}
		m.freeAnnex(id)
		e.annex = annex{first: first, slots: n}
	}
	e.annex.bytes = bytes
	return m.arena.Base(e.annex.first), nil
}
