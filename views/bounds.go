package views

import (
	"cmp"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Bounds knows the least and the greatest value of a column in each chunk, so that a filter skips
// chunks in which nothing can match. Use NewBounds. It is used by the goroutine that owns the manager.
//
//	chunk 1      chunk 2      chunk 3          wanted: 40 to 55
//	3 … 21       18 … 47      60 … 90
//	skipped      gone over    skipped
//
// Columns that rows are appended to in their order, as times are, gain most. In random order every
// chunk spans nearly all values, and none is skipped.
type Bounds[T any, K cmp.Ordered] struct {
	column memmgr.Col[T]
	key    func(v *T) K
	known  map[chunk.ID]bounds[K]
}

// bounds are a chunk's least and greatest key: valid while the column was not written there since the tick. Rows
// that come are written, and rows that go are noted as a write. A chunk that moves keeps its stamps.
type bounds[K cmp.Ordered] struct {
	least, greatest K
	tick            uint64
}

// NewBounds makes bounds of a column by a key of its values, such as one field. It reads nothing yet.
//
//	b := views.NewBounds(times, func(v *int64) int64 { return *v })
func NewBounds[T any, K cmp.Ordered](column memmgr.Col[T], key func(v *T) K) *Bounds[T, K] {
	return &Bounds[T, K]{column: column, key: key, known: make(map[chunk.ID]bounds[K])}
}

// Of returns the least and the greatest key in the chunk of a row: one of the locations that Col.Chunks
// yields. If a key is not a number, both are not, so that no comparison skips the chunk. It costs a
// look, and a pass over the chunk's values if they may have changed. Code that writes values without
// Col.Set calls Written, as for every query for changes.
func (b *Bounds[T, K]) Of(l memmgr.Loc) (least, greatest K) {
	id := l.Chunk()
	x, is := b.known[id]
	if is && !b.column.Changed(l, x.tick-1) {
		return x.least, x.greatest
	}
	values := b.column.Slice(memmgr.MakeLoc(id, 0))
	x = bounds[K]{tick: b.column.Manager().Tick()}
	for i := range values {
		k := b.key(&values[i])
		if i == 0 {
			x.least, x.greatest = k, k
		}
		x.least, x.greatest = min(x.least, k), max(x.greatest, k)
	}
	b.known[id] = x
	return x.least, x.greatest
}
