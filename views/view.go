package views

import (
	"slices"

	"github.com/ashlar-go/ashlar/memmgr"
)

// View is the values of some rows, side by side in an order of their own, such as the order in
// which things are drawn. Use New. It is used by the goroutine that owns the manager.
//
//	rows in the reader's order     chunks of the column, each with the tick of its last write
//	 7  2  9  2  4  …         ──→  │ ▒ ▒ ▒   ▒ │ │   ▒   ▒ ▒ │ …
//	 values, side by side     ←──    all at first, then the rows of changed chunks
//
// A plain loop over Col.At is as fast as gathering by hand. A view is faster where most chunks
// do not change between two refreshes.
type View[T any] struct {
	column memmgr.Col[T]
	rows   []memmgr.Loc
	chunks []memmgr.Loc // a row of each chunk that rows lie in
	chunk  []uint32     // of each row, by its place in chunks
	stale  []bool       // of each chunk, in a refresh
	values []T
	tick   uint64 // of the last refresh; 0 before the first
}

// New makes a view of a column for rows in the given order. A row may be there twice. The view
// is good as long as the column has these rows; when rows were removed, make another one.
func New[T any](column memmgr.Col[T], rows []memmgr.Loc) *View[T] {
	v := &View[T]{column: column, rows: slices.Clone(rows), values: make([]T, len(rows)), chunk: make([]uint32, len(rows))}
	places := make(map[uint32]uint32)
	for i, l := range rows {
		place, ok := places[uint32(l.Chunk())]
		if !ok {
			place = uint32(len(v.chunks))
			places[uint32(l.Chunk())] = place
			v.chunks = append(v.chunks, l)
		}
		v.chunk[i] = place
	}
	v.stale = make([]bool, len(v.chunks))
	return v
}

// Values refreshes the view and returns the values, one for each row. They are a copy: good
// until the next call of Values, whatever moves. It costs a look at each chunk that rows lie
// in; if one has changed, a look at each row, and a read of the rows in changed chunks.
func (v *View[T]) Values() []T {
	found := false
	for i, l := range v.chunks {
		v.stale[i] = v.tick == 0 || v.column.Changed(l, v.tick-1)
		found = found || v.stale[i]
	}
	if found {
		for i, place := range v.chunk {
			if v.stale[place] {
				v.values[i] = *v.column.At(v.rows[i])
			}
		}
		v.tick = memmgr.Col[T](v.column).Manager().Tick()
	}
	return v.values
}
