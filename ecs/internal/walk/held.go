package walk

import (
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/tune"
)

// held is matching rows of a table that are to be gathered and were not passed yet. Few rows of a
// chunk may match, above all where rows are wide. Then a call for each chunk would be a large
// part of the time. So rows of chunks side by side, with columns in one piece, are passed together.
//
//	chunk         first      first+1    first+2
//	matches       ·█···█··   ········   ··█·····
//	rows          1  5                  18           capacity 8: 2×8 + 2
//	chunks        first                 first+2      only these are stamped
//	                                         └ last; end is the first chunk that lies elsewhere
//
// It is empty at the beginning of a table and at its end. Between chunks it may have rows that
// matched and were not passed. Where changes are asked for, rows do not wait beyond their chunk.
type held struct {
	rows   []uint16   // counted from the first row of the first chunk
	chunks []chunk.ID // of these rows; chunks without a match are left out
	first  int        // position in the sequence of the chunk that rows count from
	last   int        // position of the last chunk with some of the rows
	end    int        // position behind the chunks that are known to be side by side
	enough int        // how many rows are enough for a call: see tune.Sizes; 0: not known yet
}

// heldMost is how many rows chunks can have together, since their numbers are of 16 bits.
const heldMost = 1 << 16

// clear begins with a table. A walk that ended early may have left rows of another one.
func (h *held) clear() { h.rows, h.chunks, h.end = h.rows[:0], h.chunks[:0], 0 }

// hold adds rows of the chunk under way to the held ones. It passes these if they are many, or if
// other chunks could not be held with them.
//
// Rows of earlier chunks are passed first if this chunk does not lie beside them, or if its numbers
// would not fit into 16 bits. Order of rows is kept: held rows come before the next ones.
// Beside looks at many chunks, so its answer is kept in end until the walk gets there.
func (c *Cursor) hold(t *Table, words []uint64, into raw.Ptr, call func(raw.Ptr) bool) bool {
	h, b, capacity := &c.cut.held, &c.cut.chunk, t.Seq.Capacity()
	if len(h.rows) > 0 && (b.Chunk >= h.end || (b.Chunk-h.first+1)*capacity > heldMost) && !c.passHeld(t, into, call) {
		return false
	}
	if h.enough == 0 {
		h.enough = tune.Of(c.base.Manager.Caches()).HeldRows
	}
	if len(h.rows) == 0 {
		if h.first = b.Chunk; b.Chunk >= h.end {
			h.end = b.Chunk + t.Seq.Beside(b.Chunk)
		}
	}
	h.rows = raw.Numbers(h.rows, words, (b.Chunk-h.first)*capacity)
	h.chunks, h.last = append(h.chunks, b.ID), b.Chunk
	// Values that a call writes by handle may have the next chunk's rows match: it has to be tested later.
	if len(h.rows) >= h.enough || len(c.Changes) > 0 || t.certain {
		return c.passHeld(t, into, call)
	}
	return true
}

// passHeld passes the rows that are held, if there are any. It has to run before rows of a later
// chunk are passed in another way, and at the end of the table. It uses cut.part, and leaves
// cut.chunk to the caller, which may be about to pass that.
func (c *Cursor) passHeld(t *Table, into raw.Ptr, call func(raw.Ptr) bool) bool {
	h, b := &c.cut.held, &c.cut.part
	if len(h.rows) == 0 {
		return true
	}
	*b = c.set.ChunkOf(h.first, h.chunks[0], (h.last-h.first+1)*t.Seq.Capacity())
	b.More = h.chunks[1:]
	c.set.Numbers(b, h.rows)
	c.set.Bring(b)
	more := c.pass(b, nil, into, call)
	h.rows, h.chunks = h.rows[:0], h.chunks[:0]
	return more
}
