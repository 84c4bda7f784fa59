package entities

// Clear ends all entities: all handles are stale, and all blocks unowned, lowest indexes
// first. Homes stay in use. It costs a pass over the records.
func (s *Set) Clear() {
	s.empty = [kinds]list{}
	for n := 1; n < len(s.blocks); n++ {
		b := &s.blocks[n]
		if b.home != nil {
			b.home.reset()
		}
		b.home = nil
		s.link(uint32(n))
		s.pushBack(&s.empty[b.kind], uint32(n))
	}
	s.alive = 0
}

// Drop ends the use of a home. Its blocks become the common home's; blocks without an entity
// become unowned. It costs a look at each block of the set.
func (s *Set) Drop(h *Home) {
	if h == &s.common {
		return
	}
	s.leave(h) // which is the only block that may have free indexes alone
	*h = Home{Kin: h.Kin, blocks: h.blocks}
	for n := uint32(1); h.blocks > 0; n++ {
		b := &s.blocks[n]
		switch {
		case b.home != h:
			continue
		case b.free > 0:
			s.pushBack(&s.common.waiting, n)
		}
		b.home = &s.common
		s.common.blocks++
		h.blocks--
	}
	if c := &s.common; c.current != 0 && c.waiting.first != 0 && c.left == s.blocks[c.current].len {
		s.leave(c)
	}
}

// reset is the home without blocks.
func (h *Home) reset() { *h = Home{Kin: h.Kin} }

// Close forgets all entities, for when the arena is closed: no handle is alive, and Take
// returns arena.ErrClosed.
func (s *Set) Close() {
	for n := range s.blocks {
		if h := s.blocks[n].home; h != nil {
			h.reset()
		}
	}
	*s = Set{records: makeRecords(s.arena, s.options.Max), options: s.options, arena: s.arena}
}
