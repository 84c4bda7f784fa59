package memmgr

import (
	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

// The only chunk of a sequence is laid out with more room as rows come, and with less as
// they go:
//
//	rows     full: promote, at once, to room for twice as many
//	         ────────────→
//	room     block 1 KiB │ … │ block 32 KiB │ slot
//	         ←────────────
//	         three quarters of the next smaller room: bring, at a safe point
//
// So a row that comes and goes copies no more than a few others. Number, rows and locations
// stay.
//
// A sequence of few chunks has each of them in a slot of its own: see Shape.Few. When one more is
// made, it goes into a striped region, and so do all later ones. An only chunk before it follows at
// once, others at safe points. If no region is to be had, a chunk takes a slot and stays there. A
// sequence that has shrunk to half, or to a block, goes back, so that its region is free again.

// gone reports whether the sequence was dropped.
func (s *Sequence) gone() bool { return s.place < 0 }

// tailRows is the number of rows in the last chunk, tailCap how many it has room
// for as it is laid out now.
func (s *Sequence) tailRows() uint32 { return uint32((s.next - s.tail) >> chunkBits) }

func (s *Sequence) tailCap() uint32 { return uint32((s.end - s.tail) >> chunkBits) }

// setTail makes a chunk the last one; 0 is none.
func (s *Sequence) setTail(id chunk.ID, rows, capacity uint32) {
	s.lay()
	s.tail = MakeLoc(id, 0)
	s.next, s.end = s.tail.Plus(rows), s.tail.Plus(capacity)
	s.watch()
}

// withSlack is how many rows a layout is to have room for, so that some more may come.
func withSlack(rows uint32) uint32 { return rows + rows/3 }

// smaller returns the most rows with which the only chunk goes to the next smaller layout;
// 0 if there is no smaller one, or there are more chunks.
func (s *Sequence) smaller() uint32 {
	if len(s.chunks) != 1 {
		return 0
	}
	for i := range s.shape.Blocks {
		b := &s.shape.Blocks[len(s.shape.Blocks)-1-i]
		if b.Capacity() < s.tailCap() {
			return b.Capacity() - b.Capacity()/4
		}
	}
	return 0
}

// tooLarge tells whether the only chunk has so few rows that it is to be laid out with less
// room. One in the cold range stays there: blocks have none.
func (s *Sequence) tooLarge() bool {
	return s.tailRows() <= s.smaller() && s.manager.book.Range(s.manager.table.at(s.tail.Chunk()).spot) != arena.Cold
}

// watch sets the floor, at which sink is called: when so few rows are left that they fit less
// room, at least a quarter of them having gone, and when the last chunk loses its last row.
func (s *Sequence) watch() {
	rows := s.tailRows()
	s.floor = s.tail.Plus(min(s.smaller(), rows-(rows+3)/4))
}

// few is how many chunks it has before it is striped: none if more are expected. Few chunks that are cold
// lie in the cold range.
func (s *Sequence) few() int {
	switch {
	case s.cold:
		return spot.FewMost
	case s.expected > uint64(s.shape.Few)*uint64(s.shape.Capacity(spot.Whole)):
		return 0
	}
	return s.shape.Few
}

// stripes tells whether the chunk at a place belongs into a region.
func (s *Sequence) stripes(at int) bool {
	return s.shape.Stripes != nil && (at >= s.few() || s.home.Len() > 0 && !s.shrunk())
}

// shrunk tells whether the sequence's chunks are too few to stay striped.
func (s *Sequence) shrunk() bool {
	n := len(s.chunks)
	return s.home.Len() > 0 && (n <= s.few()/2 || s.cold && n <= s.few() || s.tailRows() <= s.smaller())
}

// kind is the range that the sequence's slots are taken from.
func (s *Sequence) kind() arena.Range {
	if s.cold {
		return arena.Cold
	}
	return arena.Normal
}
