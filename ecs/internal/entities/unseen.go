package entities

// TakeUnseen makes at most n entities as the next calls of Take would, and leaves their records unwritten: the handles
// are first and those that follow it. A record of 0 is of such an entity. To Alive it is not alive: who gives a handle away,
// or is asked about one, writes the record first.
//
// It takes whole pages of indexes that were never in reach, and returns 0 where Take would use others before.
func (s *Set) TakeUnseen(h *Home, n int) (first Entity, taken int) {
	if h.left > 0 {
		return 0, 0
	}
	s.leave(h) // as Take would
	if h.blocks == 0 || h.waiting.first|s.empty[whole].first|s.empty[part].first != 0 {
		return 0, 0
	}
	lo := uint64(len(s.pages)) * pageLen
	pages := min(uint64(n), max(uint64(s.options.Max)+1, lo)-lo) / pageLen
	if pages == 0 {
		return 0, 0
	}
	s.records.SetDense(false) // pages that are not written take no memory, as a huge one would
	err := s.records.Grow(uint32(lo + pages*pageLen))
	s.records.SetDense(true)
	if err != nil { // Take says so, if it is refused that, too
		return 0, 0
	}
	for range pages {
		number := uint32(len(s.blocks))
		s.pages = append(s.pages, page{first: number})
		s.blocks = append(s.blocks, block{home: h, lo: uint32(lo), len: pageLen, kind: whole})
		b := &s.blocks[number]
		b.head = b.base()
		s.handOver(b, h.Kin)
		lo += pageLen
	}
	s.enter(h, uint32(len(s.blocks)-1))
	count := uint32(pages) * pageLen
	h.blocks += uint32(pages)
	s.room += count
	s.alive += count
	s.bound = uint32(lo)
	return s.firstOf(uint32(lo) - count), int(count)
}

// Left is how many entities Take makes of the home's current block.
func (s *Set) Left(h *Home) int { return int(h.left) }

// firstOf is the first entity that has an index.
func (s *Set) firstOf(i uint32) Entity { return Entity(s.firstVersion()) | Entity(i) }

// firstVersion is the bits of the version that all indexes begin with.
func (s *Set) firstVersion() uint64 {
	return uint64(s.options.Tag)<<(VersionShift+CountBits) | 1<<VersionShift
}
