package entities

// TakeN makes len(dst) entities, as many calls of Take would, and writes their handles to dst.
// After an error, which is Take's, n have been made. FreeN(dst[:n]) undoes that, except
// for versions and order.
func (s *Set) TakeN(h *Home, dst []Entity) (n int, err error) {
	for n < len(dst) {
		if h.left == 0 {
			if err := s.refill(h); err != nil {
				return n, err
			}
		}
		run := dst[n:min(len(dst), n+int(h.left))]
		if len(run) > lineLen {
			s.warm(h.current)
		}
		b := &s.blocks[h.current]
		h.head = takeRun(s.records.Span(b.lo)[:b.len], b.lo, h.head, run)
		h.left -= uint32(len(run))
		s.alive += uint32(len(run))
		n += len(run)
	}
	return n, nil
}

// lineLen is how many records a cache line has.
const lineLen = 8

// warm loads the records of a block, so that their cache lines are waited for together. Indexes that were
// freed one by one link to and fro, and each is known when the one before it has been read. It returns a
// sum of the records, without which the compiler would leave the loads out. A block of 512 has 64 lines
// (go -C bench run . -programs -rows bullets).
//
//go:noinline
func (s *Set) warm(n uint32) (sum uint64) {
	b := &s.blocks[n]
	records := s.records.Span(b.lo)[:b.len]
	for i := 0; i < len(records); i += lineLen {
		sum += records[i]
	}
	return sum
}

// takeRun takes the free indexes of a block, with first index lo, that are linked from one on, as many as there
// are to be. It returns the next.
func takeRun(records []uint64, lo, head uint32, dst []Entity) (next uint32) {
	i := head - lo
	for n := 0; n < len(dst); {
		r := bare(records[i])
		to := linkOf(records[i]) - 1
		records[i], dst[n] = r, Entity(r)|Entity(lo+i)
		n++
		step := to - i
		i = to
		if step != 1 && step != ^uint32(0) {
			continue
		}
		// Indexes freed in a batch are linked up or down: the next record is known
		// without waiting for this one's link.
		k := takeLinked(records, lo, i, dst[n:], step)
		i += uint32(k) * step
		n += k
	}
	return lo + i
}

// takeLinked is takeRun for records that link to the one a step further on. It returns how many these
// are. (It is apart because sums of constants are looked up again in each turn of the loop otherwise.)
//
//go:noinline
func takeLinked(records []uint64, lo, i uint32, dst []Entity, step uint32) (n int) {
	low, handle := linked(0, i+step+1), uint64(lo+i) // below the version: of a record, and of its handle
	at, by := uint64(i), uint64(int32(step))
	lower := by * linkOne
	for n = range dst {
		if at >= uint64(len(records)) {
			return n
		}
		r := records[at] - low
		if r<<(64-VersionShift) != 0 {
			return n
		}
		records[at], dst[n] = r, Entity(r|handle)
		at += by
		low += lower
		handle += by
	}
	return len(dst)
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
func freeSpan(records []uint64, lo, head uint32, handles []Entity) (n int) {
	first := handles[0]
	i := first.Index() - lo
	end := freed(uint64(first), 0)
	if n = 1; len(handles) > 1 {
		switch handles[1] - first {
		case 1:
			n = follow(handles[:min(len(handles), len(records)-int(i))], 1)
			fill(records[i:int(i)+n], end+uint64(i)*linkOne)
		case ^Entity(0):
			n = follow(handles[:min(len(handles), int(i)+1)], ^Entity(0))
			fill(records[int(i)+1-n:i+1], end+uint64(int(i)+3-n)*linkOne)
		}
	}
	records[i] = end + uint64(head-lo+1)*linkOne
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
func fill(records []uint64, r uint64) {
	for i := range records {
		records[i] = r
		r += linkOne
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
		records[i] = freed(uint64(e), 0)
		if free == 0 {
			*first = e.Index()
		} else {
			records[tail-lo] += uint64(i+1) * linkOne
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
