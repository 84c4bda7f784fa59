package entities

// Return undoes Take and TakeN of entities that nobody has seen: their handles come next again, in the order of
// the list, as far as their blocks are not empty. It leaves versions as they are. All must be alive, and
// each is there once.
func (s *Set) Return(handles []Entity) {
	for i := len(handles) - 1; i >= 0; i-- {
		s.giveBack(handles[i])
	}
}

// giveBack makes an index the next one that its home takes of its block.
func (s *Set) giveBack(e Entity) {
	i := e.Index()
	n := s.blockOf(i)
	b := &s.blocks[n]
	h := b.home
	s.alive--
	switch {
	case h.current == n:
	case !s.options.FIFO:
		s.turn(h, n)
	default:
		s.giveWaiting(n, e)
		return
	}
	if h.left+b.free == 0 {
		b.tail = i
	}
	*s.records.Ptr(i) = e.unused(h.head)
	h.head = i
	if h.left++; h.left+b.free == b.len && (h.waiting.first != 0 || s.options.FIFO) {
		s.leave(h)
	}
}

// giveWaiting is giveBack with FIFO to a block that waits for its turn, or was full.
func (s *Set) giveWaiting(n uint32, e Entity) {
	b := &s.blocks[n]
	if b.free == 0 {
		b.tail, b.head = e.Index(), 0
		s.pushFront(&b.home.waiting, n)
	}
	*s.records.Ptr(e.Index()) = e.unused(b.head)
	b.head = e.Index()
	if b.free++; b.free == b.len {
		s.unlink(&b.home.waiting, n)
		s.release(n)
	}
}

// unused is the record of an index that was taken in vain, with the free index that comes after it.
func (e Entity) unused(link uint32) Entity {
	return e>>VersionShift<<VersionShift | flagFree | Entity(link)
}
