package memmgr

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/ashlar-go/ashlar/internal/arena"
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

// Slice returns column i of a chunk of the sequence as values of type T, one per
// row. It panics if T's size is not the column's, or if the chunk is not one of the
// sequence's. It is good until the next safe point or structural change. Writers say so
// with Written.
func Slice[T any](s *Sequence, i int, id chunk.ID) []T {
	d := s.Directory(i)
	mustFit[T]("Slice", s.shape, s.name, i)
	if e := s.m.table.in(id); e == nil || e.seq != s {
		panic(fmt.Sprintf("memmgr: Slice of chunk %d, which %q does not have: keep numbers of chunks only while their rows stay", id, s.name))
	}
	return chunk.Slice[T](d.Addr(id), 0, int(s.m.rowsOf(id)))
}

// mustFit panics for a type that is not a column's.
func mustFit[T any](what string, s *shape, name string, i int) {
	if spec := s.Full.Spec(i); unsafe.Sizeof(*new(T)) != uintptr(spec.Size) || unsafe.Alignof(*new(T)) > uintptr(spec.Align) {
		panic(fmt.Sprintf("memmgr: %s of column %d of %q as %T: its values have %d bytes, aligned to %d: name the type that the column was made of", what, i, name, *new(T), spec.Size, spec.Align))
	}
	if arena.Checked {
		mustBePlain[T](what, name, i)
	}
}

// mustBePlain panics for a type with Go pointers.
func mustBePlain[T any](what, name string, i int) {
	if path, found := chunk.PointerPath(reflect.TypeFor[T]()); found {
		panic(fmt.Sprintf("memmgr: %s of column %d of %q as %v, which holds a Go pointer at %s, and the collector does not look into chunks: store an index or a handle instead", what, i, name, reflect.TypeFor[T](), path))
	}
}

// Written stamps column i of a chunk with the current tick.
func (s *Sequence) Written(i int, id chunk.ID) { s.Directory(i).Cell(id).Stamp = s.m.tick }

// Changed tells whether column i of a chunk was written after a tick.
func (s *Sequence) Changed(i int, id chunk.ID, since uint64) bool {
	return s.Directory(i).Cell(id).Stamp > since
}
