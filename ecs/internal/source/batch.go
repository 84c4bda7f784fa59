package source

import (
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// Batch is rows of a table that a struct is filled with together. They are a run of one chunk, or
// numbers of rows. Numbers may be of several chunks side by side, if each column is one run there.
//
//	all of a chunk    First 0, N all, Whole          ████████
//	a run             First 2, N 4                   ··████··
//	numbers           Rows 1 4 5                     ·█··██··
//	of two chunks     Rows 1 4 5 9, More {second}    ·█··██·· ·█······
//
// Numbers count on from chunk to chunk by the capacity of a chunk. They are of 16 bits, so the
// chunks of a batch have at most 65,536 rows together. They ascend: rowOf searches them.
type Batch struct {
	// Chunk is the first chunk's position in the sequence, ID its number, and More the numbers
	// of the others that have rows of the batch.
	Chunk int
	ID    chunk.ID
	More  []chunk.ID
	// Rows are the numbers of N rows, counted from the first row of the first chunk. If they are
	// nil, the rows are the N from First on.
	Rows     []uint16
	First, N int
	// Entities are the entities of the N rows. They may be read if the set needs them. In a batch of numbers they are
	// set only then.
	Entities []store.Entity
	// Whole says that they are all rows of the chunk, and Guess that it is not known yet whether
	// all match: Bring finds out.
	Whole, Guess bool
}

// ChunkOf returns the n rows of the i-th chunk of a table, which was entered, as a batch. Its entities are the chunk's
// own column: they are good while no structure changes. They stay unseen if no source needs them. With chunks side by
// side, n may be the rows of several, before Numbers chooses among them.
func (s *Set) ChunkOf(i int, id chunk.ID, n int) Batch {
	if s.names {
		s.store.See(id)
	}
	return Batch{Chunk: i, ID: id, N: n, Entities: s.store.Unread(id, n), Whole: true}
}

// Run returns n rows of a chunk, from a row on, as a batch.
func (b *Batch) Run(first, n int) Batch {
	return Batch{Chunk: b.Chunk, ID: b.ID, First: first, N: n, Entities: b.Entities[first:][:n]}
}

// Numbers makes the batch one of the rows of these numbers. Before the call, its entities are
// those of all rows of its chunks; after it, of these rows alone. Rows is kept, not copied, and must stay as it is until Put. Handles are copied
// only if some column or field needs them, since that costs as much as picking a column.
func (s *Set) Numbers(b *Batch, rows []uint16) {
	b.Rows, b.N, b.Whole, b.Guess = rows, len(rows), false, false
	if !s.names {
		return
	}
	s.handles = s.handles[:0]
	for _, row := range rows {
		s.handles = append(s.handles, b.Entities[row])
	}
	b.Entities = s.handles
}

// stamp marks a column of the batch's chunks as written. A chunk is marked as a whole, even if few
// of its rows are passed. Queries for changes know chunks, and Mark refines that by rows.
func (b *Batch) stamp(of *store.Component, tick uint64) {
	of.Dir.Cell(b.ID).Stamp = tick
	for _, id := range b.More {
		of.Dir.Cell(id).Stamp = tick
	}
}

// rows returns the numbers of the batch's rows. They count from the row with its value at first.
func (s *Set) rows(b *Batch, x *source) (rows []uint16, first raw.Ptr) {
	first = raw.At(x.of.Dir.Addr(b.ID), x.part)
	if b.Rows == nil {
		return s.First(b.N), raw.At(first, uintptr(b.First)*x.of.Size)
	}
	return b.Rows, first
}

// First are the numbers of a chunk's first n rows. All callers share the slice, so it must not be
// passed to a system without a copy.
func (s *Set) First(n int) []uint16 {
	for i := len(s.all); i < n; i++ {
		s.all = append(s.all, uint16(i))
	}
	return s.all[:n]
}
