package entities

// TakeN makes len(dst) entities, as many calls of Take would, and writes their handles to dst.
// After an error, which is that of Take, n have been made. FreeN(dst[:n]) undoes that, except
// for versions and order.
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
		used := flagFree + Entity(int32(step)) // takes the flag off, and makes an index of the link
		for n < len(dst) && uint32(records[i]) == i+step {
			e := records[i] - used
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

// freeRun is FreeN for the first handles that are in one block. It returns how many these are.
func (s *Set) freeRun(n uint32, handles []Entity) (done int) {
	b := &s.blocks[n]
	h := b.home
	if s.options.FIFO {
		return s.freeLast(h, n, handles)
	}
	if h.current != n {
		s.turn(h, n)
	}
	records, lo, head := s.records.Span(b.lo)[:b.len], b.lo, h.head
	for done < len(handles) && handles[done].Index()-lo < b.len {
		rest := handles[done:]
		n := freeSpan(records, lo, head, rest)
		head = rest[n-1].Index()
		done += n
	}
	h.head = head
	h.left += uint32(done)
	s.alive -= uint32(done)
	if h.left == b.len && h.waiting.first != 0 {
		s.leave(h)
	}
	return done
}

// freeSpan is freeRun for at least one handle of one version whose indexes go up by one from
// each to the next, or down by one, in the block whose records are given. Handles that were
// taken in a batch are like that. Each links to the one before it.
func freeSpan(records []Entity, lo, head uint32, handles []Entity) (n int) {
	first := handles[0]
	i := first.Index() - lo
	freed := first.freed(0)
	if n = 1; len(handles) > 1 {
		switch handles[1] - first {
		case 1:
			n = follow(handles[:min(len(handles), len(records)-int(i))], 1)
			fill(records[i:int(i)+n], freed|Entity(first.Index()-1))
		case ^Entity(0):
			n = follow(handles[:min(len(handles), int(i)+1)], ^Entity(0))
			fill(records[int(i)+1-n:i+1], freed|Entity(first.Index()+2-uint32(n)))
		}
	}
	records[i] = freed | Entity(head)
	return n
}

// follow is how many handles go on by step from each to the next.
func follow(handles []Entity, step Entity) int {
	n, next := 0, handles[0]
	for ; n+4 <= len(handles); n += 4 {
		h := (*[4]Entity)(handles[n:])
		if h[0] != next || h[1] != next+step || h[2] != next+2*step || h[3] != next+3*step {
			break
		}
		next += 4 * step
	}
	for n < len(handles) && handles[n] == next {
		next += step
		n++
	}
	return n
}

// fill writes records that link up by one from each to the next.
func fill(records []Entity, r Entity) {
	for i := range records {
		records[i] = r
		r++
	}
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
