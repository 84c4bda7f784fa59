package memmgr

// Some chunks are kept although no row needs them now: a sequence's spare, and the only chunk of a
// sequence without rows. They make rows that come and go at a border cheap. They are freed
//
//	at a safe point          the only chunk without rows; the spare once half of the tail is empty
//	after 256 to 512 frames  any spare
//	when memory is refused   all, and then the request is made again: makeSpace
//
// A pinned one stays. Which numbers are free follows from calls and frames alone, never from time.

// makeSpace frees memory that is not needed, after a refusal: chunks that are kept for the
// next row, chunks of sequences without rows, and left places without a pin or an
// address in use. So a limit refuses the same calls whatever has moved. A sequence whose chunk is being
// moved keeps that. It tells whether it freed any.
func (m *Manager) makeSpace(moving *Sequence) bool {
	any := m.trimSpares(true, moving)
	waited := len(m.waiting)
	m.freeUnpinned()
	any = any || len(m.waiting) < waited
	return m.book.ReleaseUnheld() || any
}

// trimSpares frees the chunks of sequences without rows, but for a chunk that is being
// moved. It frees spare chunks that are not pinned: all, or those that are not likely to be used
// soon. It tells whether it freed any. A call for few, for the sake of a sequence, comes before the
// safe point at which they are due: see regret.
func (m *Manager) trimSpares(all bool, moving *Sequence) (any bool) {
	keep := m.spares[:0]
	early := !all && moving != nil
	for _, s := range m.spares {
		if s.gone() {
			continue
		}
		if s.spare != 0 && (all || s.tailRows() <= uint32(s.Capacity())/2) && m.table.at(s.spare).pins.Load() == 0 {
			s.freeSpare()
			any, s.early = true, early
		}
		if s != moving && s.tail != 0 && s.next == s.tail {
			s.freeEmpty()
			any, s.early = true, early
		}
		if s.listed = s.spare != 0 || s.tail != 0 && s.next == s.tail; s.listed {
			keep = append(keep, s)
		} else {
			s.watch()
		}
	}
	clear(m.spares[len(keep):])
	m.spares = keep
	return any
}

// freeOldSpares frees the spare chunks that are not pinned and were there when it was last called.
func (m *Manager) freeOldSpares() {
	for _, s := range m.spares {
		if s.spare != 0 && s.old && m.table.at(s.spare).pins.Load() == 0 {
			s.freeSpare()
		}
		s.old = s.spare != 0
	}
}

// freeEmpty gives the only chunk back, if there is one without rows.
func (s *Sequence) freeEmpty() {
	if s.tail != 0 && s.next == s.tail {
		s.manager.freeChunk(s.tail.Chunk())
		s.chunks, s.first = nil, 0
		s.home.Leave()
		s.setTail(0, 0, 0)
	}
}

// freeSpare gives the spare chunk back.
func (s *Sequence) freeSpare() {
	if s.spare != 0 {
		id := s.spare
		s.spare = 0
		s.manager.freeChunk(id)
	}
}
