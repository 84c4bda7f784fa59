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
	*s.records.Ptr(i) = linked(bare(uint64(e)), h.head-h.base)
	h.head = i
	if h.left++; h.left+b.free == b.len && (h.waiting.first != 0 || s.options.FIFO) {
		s.leave(h)
	}
}

// giveWaiting is giveBack with FIFO to a block that waits for its turn, or was full.
func (s *Set) giveWaiting(n uint32, e Entity) {
	b := &s.blocks[n]
	if b.free == 0 {
		b.tail, b.head = e.Index(), b.base()
		s.pushFront(&b.home.waiting, n)
	}
	*s.records.Ptr(e.Index()) = linked(bare(uint64(e)), b.head-b.base())
	b.head = e.Index()
	if b.free++; b.free == b.len {
		s.unlink(&b.home.waiting, n)
		s.release(n)
	}
}
