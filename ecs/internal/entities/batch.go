package entities

// TakeN makes len(dst) entities, as many calls of Take would, and writes their handles to dst.
// After an error, which is Take's, n have been made. FreeN(dst[:n]) undoes that, except
// for versions and order. Entities in blocks of a Kin have some flags to begin with; 0 is any. It
// tells whether all have.
func (s *Set) TakeN(h *Home, dst []Entity, f Flags, kin uint32) (n int, all bool, err error) {
	all = true
	for n < len(dst) {
		if h.left == 0 {
			if err := s.refill(h); err != nil {
				return n, false, err
			}
		}
		flags := Entity(f) << IndexBits
		if kin != 0 && h.kin != kin {
			flags, all = 0, false
		}
		run := dst[n:min(len(dst), n+int(h.left))]
		if len(run) > lineLen {
			s.warm(h.current)
		}
		h.head = takeRun(s.records.Span(0), h.head, run, flags)
		h.left -= uint32(len(run))
		s.alive += uint32(len(run))
		n += len(run)
	}
	return n, all, nil
}

// lineLen is how many records a cache line has.
const lineLen = 8

// warm loads the records of a block, so that their cache lines are waited for together. Indexes that were
// freed one by one link to and fro, and each is known when the one before it has been read. It returns a
// sum of the records, without which the compiler would leave the loads out. A block of 512 has 64 lines
// (go -C bench run . -programs -rows bullets).
//
//go:noinline
func (s *Set) warm(n uint32) (sum Entity) {
	b := &s.blocks[n]
	records := s.records.Span(b.lo)[:b.len]
	for i := 0; i < len(records); i += lineLen {
		sum += records[i]
	}
	return sum
}

// takeRun takes the free indexes of a block that are linked from one on, as many as there are
// to be, and returns the next.
func takeRun(records []Entity, i uint32, dst []Entity, flags Entity) (next uint32) {
	for n := 0; n < len(dst); {
		link := uint32(records[i])
		e := records[i].used(i)
		records[i], dst[n] = e|flags, e
		n++
		step := link - i
		i = link
		if step != 1 && step != ^uint32(0) {
			continue
		}
		// Indexes freed in a batch are linked up or down: the next record is known
		// without waiting for this one's link.
		used := flagFree + Entity(int32(step)) // takes the flag off, and makes an index of the link
		k := takeLinked(records, i, dst[n:], used, used-flags)
		i += uint32(k) * step
		n += k
	}
	return i
}

// takeLinked is takeRun for records that link to the one above or below, with used above
// their handles, and kept above the new ones. It returns how many these are. (It is
// apart because the sums of constants are looked up again in each turn of the loop otherwise.)
//
//go:noinline
func takeLinked(records []Entity, i uint32, dst []Entity, used, kept Entity) (n int) {
	for n < len(dst) {
		r, next := records[i], i+uint32(used)
		if uint32(r) != next {
			break
		}
		records[i], dst[n] = r-kept, r-used
		i = next
		n++
	}
	return n
}

// FreeN ends entities in their order, as calls of Free would: all must be alive, and
// each is there once.
func (s *Set) FreeN(handles []Entity) {
	if len(handles) == 1 {
		s.Free(handles[0])
		return
	}
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
	s.ended(uint32(done))
	if h.left == b.len && h.waiting.first != 0 {
		s.leave(h)
	}
	return done
}

// freeSpan is freeRun for at least one handle of one version. Their indexes go up by one from
// each to the next, or down by one, in the block of the given records. Handles that were
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
	next := handles[0]
	for n, e := range handles {
		if e != next {
			return n
		}
		next += step
	}
	return len(handles)
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
	s.ended(uint32(done))
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
