package memmgr

import "github.com/ashlar-go/ashlar/internal/arena"

// The only chunk of a sequence is laid out with more room as rows come, and with less as
// they go:
//
//	rows     full: promote, at once, to room for twice as many
//	         ────────────→
//	room     block 2 KiB │ … │ block 32 KiB │ slot
//	         ←────────────
//	         three quarters of the next smaller room: bring, at a safe point
//
// So a row that comes and goes copies no more than a few others. Number, rows and locations
// stay.

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
	return s.tailRows() <= s.smaller() && s.m.rangeOf(s.m.table.at(s.tail.Chunk()).spot) != arena.Cold
}

// watch sets the floor, at which sink is called: when so few rows are left that they fit less
// room, at least a quarter of them having gone, and when the last chunk loses its last row.
func (s *Sequence) watch() {
	rows := s.tailRows()
	s.floor = s.tail.Plus(min(s.smaller(), rows-(rows+3)/4))
}

// sink is called when the floor is reached.
func (s *Sequence) sink() {
	if s.next == s.tail {
		s.dropTail()
		return
	}
	s.floor = s.tail
	if s.tooLarge() {
		s.m.goAstray(s.tail.Chunk())
	}
}
