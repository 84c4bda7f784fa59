package walk

import (
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr/frames"
)

// Rows that a query by hand passes count as those of a system do, in worlds that have none: see Visits of package schedule.
// The base notes the cursors that have walked since it was asked last. So a query that was dropped is forgotten, and one
// that does not walk costs nothing.

// list notes that the cursor walks: at most as many as there are frames between two looks of the store. So a query that a
// program makes in each frame counts.
func (c *Cursor) list() {
	if b := c.base; len(b.byHand) < frames.Many {
		b.byHand = append(b.byHand, c)
		c.listed = true
	}
}

// ByHand goes over the cursors of queries by hand that have walked since the last call.
func (b *Base) ByHand(yield func(*Cursor) bool) {
	list := b.byHand
	b.byHand = nil
	for _, c := range list {
		c.listed = false
	}
	for _, c := range list {
		if !yield(c) {
			return
		}
	}
}

// Visited is the rows that the cursor has passed since the last call, and the components that it asks about.
func (c *Cursor) Visited() store.Visit {
	v := store.Visit{Required: c.Required, Excluded: c.Excluded, Maybe: c.maybe, Pieces: c.pieces, Met: int64(c.Met)}
	c.Met = 0
	return v
}
