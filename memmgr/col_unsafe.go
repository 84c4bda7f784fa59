package memmgr

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

// specOf is the size and alignment of a column of values of type T. It panics if T has
// a Go pointer, naming the field, since the collector does not look into chunks, and if
// it is larger than a chunk.
func specOf[T any]() chunk.Spec {
	spec, err := chunk.SpecOf(reflect.TypeFor[T]())
	if err != nil {
		panic(fmt.Sprintf("memmgr: column: %v", err))
	}
	return spec
}

// Col is a column of values of type T: a handle, checked once where it is made, by
// which code without unsafe reads and writes them. It is small, may be copied, and is good as long as
// its sequence. Of a column whose Directory several sequences share it reaches the rows of all of them.
//
// Slices and pointers that its methods return point into chunks. They are good until the next safe point or
// structural change. The zero value is of no use; see colOf.
//
// chunk numbers and locations must be of rows that the column has. That is not checked, for
// speed: others, and stale ones, give a runtime
// error or other rows' memory. Builds with the tag ashlarcheck panic and name the mistake.
type Col[T any] struct {
	m *Manager
	d *Directory
}

// colOf returns column i of a sequence as one of values of type T. It panics if there is no such
// column, if T has another size or a stricter alignment than the column was made for, and if it has a Go
// pointer.
func colOf[T any](s *Sequence, i int) Col[T] {
	if i < 0 || i >= s.Layout().Columns() {
		panic(fmt.Sprintf("memmgr: ColOf of column %d of %q, which has %d: count from 0", i, s.name, s.Layout().Columns()))
	}
	if want, has := specOf[T](), s.Layout().Spec(i); want.Size != has.Size || want.Align > has.Align {
		panic(fmt.Sprintf("memmgr: ColOf of column %d of %q as %v, which has %d bytes aligned to %d, and the column was made for %d aligned to %d: declare it by SpecOf of the same type",
			i, s.name, reflect.TypeFor[T](), want.Size, want.Align, has.Size, has.Align))
	}
	return Col[T]{s.manager, s.dirs[i]}
}

// Manager returns the manager of the column; nil for the zero value.
func (c Col[T]) Manager() *Manager { return c.m }

// Slice returns the values from a row to the last one of its chunk: all new rows for the
// location that AppendRun returns. Code that writes there calls Written.
func (c Col[T]) Slice(l Loc) []T {
	if arena.Checked {
		c.mustHaveRow(l)
	}
	return unsafe.Slice((*T)(c.d.At(l, uint32(unsafe.Sizeof(*new(T))))), c.m.rowsOf(l.Chunk())-l.Row())
}

// At returns the address of a row's value. Code that writes there calls Written.
func (c Col[T]) At(l Loc) *T {
	if arena.Checked {
		c.mustBeRow(l)
	}
	return (*T)(c.d.At(l, uint32(unsafe.Sizeof(*new(T)))))
}

// Set writes a row's value, and notes that the column has changed in its chunk.
func (c Col[T]) Set(l Loc, v T) {
	if arena.Checked {
		c.mustBeRow(l)
	}
	cell := c.d.CellOf(l) // the address is beside the stamp: no place is read
	*(*T)(unsafe.Add(cell.Addr, l.Index()*unsafe.Sizeof(v))) = v
	cell.Stamp = c.m.tick
}

// Written notes that the column has changed in the chunk of a row: Changed tells it.
func (c Col[T]) Written(l Loc) { c.d.CellOf(l).Stamp = c.m.tick }

// Changed tells whether the column was written in the chunk of a row after a tick: see
// Manager.Advance.
func (c Col[T]) Changed(l Loc, since uint64) bool { return c.d.CellOf(l).Stamp > since }

// mustHave panics for a chunk that does not have the column, in checked builds.
func (c Col[T]) mustHave(id chunk.ID) {
	if !c.d.has(id) {
		panic(fmt.Sprintf("memmgr: chunk %d does not have this column of %v: pass chunks and locations of the sequence that it was made of", id, reflect.TypeFor[T]()))
	}
}

// mustBeRow panics for a location that is not of a row of a chunk with the column, in checked builds.
func (c Col[T]) mustBeRow(l Loc) {
	c.mustHave(l.Chunk())
	if rows := c.m.rowsOf(l.Chunk()); l.Row() >= rows {
		panic(fmt.Sprintf("memmgr: the value of row %v, in a chunk which has %d rows: keep locations only while their rows stay", l, rows))
	}
}

// mustHaveRow panics for a location that is neither in its chunk nor at its end, in checked builds.
func (c Col[T]) mustHaveRow(l Loc) {
	c.mustHave(l.Chunk())
	if rows := c.m.rowsOf(l.Chunk()); l.Row() > rows {
		panic(fmt.Sprintf("memmgr: values from row %v on, in a chunk which has %d rows: pass the location of a row", l, rows))
	}
}

// Written stamps column i of a chunk with the current tick.
func (s *Sequence) Written(i int, id chunk.ID) { s.directory(i).Cell(id).Stamp = s.manager.tick }
