package entities

// TakeN makes len(dst) entities, as many calls of Take would, and writes their handles
// to dst. After an error, which is that of Take, n have been made: FreeN(dst[:n]) undoes
// that, but for versions and order.
func (s *Set) TakeN(h *Home, dst []Entity) (n int, err error) {
	for n < len(dst) {
		if h.left == 0 {
			if err := s.refill(h); err != nil {
				return n, err
			}
		}
		n += s.takeRun(h, dst[n:])
	}
	return n, nil
}

// takeRun takes free indexes of the current block, as many as there are.
func (s *Set) takeRun(h *Home, dst []Entity) int {
	dst = dst[:min(len(dst), int(h.left))]
	records, i := s.records.Span(0), h.head
	for n := 0; n < len(dst); {
		link := uint32(records[i])
		e := records[i].used(i)
		records[i], dst[n] = e, e
		n++
		step := link - i
		i = link
		if step != 1 && step != ^uint32(0) {
			continue
		}
		// What was freed in a batch is linked up or down: the next record is known
		// without waiting for this one's link.
		for n < len(dst) && uint32(records[i]) == i+step {
			e := records[i].used(i)
			records[i], dst[n] = e, e
			i += step
			n++
		}
	}
	h.head = i
	h.left -= uint32(len(dst))
	s.alive += uint32(len(dst))
	return len(dst)
}

// FreeN ends entities in their order, as calls of Free would: all must be alive, and
// each is there once.
func (s *Set) FreeN(handles []Entity) {
	for len(handles) > 0 {
		handles = handles[s.freeRun(s.blockOf(handles[0].Index()), handles):]
	}
}

// freeRun is FreeN for those that handles begin with, as far as they are in one block. It
// returns how many these are.
func (s *Set) freeRun(n uint32, handles []Entity) (done int) {
	b := &s.blocks[n]
	h := b.home
	if s.options.FIFO {
		return s.freeLast(h, n, handles)
	}
	if h.current != n {
		s.leave(h)
		if b.free > 0 {
			s.unlink(&h.waiting, n)
		}
		s.enter(h, n)
	}
	records, lo, head := s.records.Span(b.lo)[:b.len], b.lo, h.head
	for _, e := range handles {
		i := e.Index() - lo
		if i >= uint32(len(records)) {
			break
		}
		records[i] = e.freed(head)
		head = e.Index()
		done++
	}
	h.head = head
	h.left += uint32(done)
	s.alive -= uint32(done)
	if h.left == b.len && h.waiting.first != 0 {
		s.leave(h)
	}
	return done
}

// freeLast is freeRun with FIFO.
func (s *Set) freeLast(h *Home, n uint32, handles []Entity) (done int) {
	b := &s.blocks[n]
	free, first := b.free, &b.head
	if h.current == n {
		free, first = free+h.left, &h.head
	} else if free == 0 {
		s.pushBack(&h.waiting, n)
	}
	records, lo, tail := s.records.Span(b.lo)[:b.len], b.lo, b.tail
	for _, e := range handles {
		i := e.Index() - lo
		if i >= uint32(len(records)) {
			break
		}
		records[i] = e.freed(0)
		if free == 0 {
			*first = e.Index()
		} else {
			records[tail-lo] |= Entity(e.Index())
		}
		tail = e.Index()
		free++
		done++
	}
	b.tail = tail
	b.free += uint32(done)
	s.alive -= uint32(done)
	if free == b.len {
		if h.current == n {
			s.leave(h)
		} else {
			s.unlink(&h.waiting, n)
			s.release(n)
		}
	}
	return done
}
