package entities

import "fmt"

const (
	pageLen = 512 // indexes: 4 KiB of records
	partLen = 64
)

// kind is how large a block is.
type kind uint8

const (
	whole kind = iota // a page
	part              // an eighth of one
	kinds
)

// page says which blocks a page is made of: number first of all, or of its parts.
type page struct {
	first uint32
	mask  uint32 // of the numbers of its parts; 0: it is whole
}

// block is adjacent indexes that are taken by one home. Legal states:
//
//	state     home  list          free indexes
//	unowned   nil   Set.empty     all
//	current   set   none          any; Home.head is the first, Home.left are not in free
//	waiting   set   Home.waiting  some, linked from head
//	full      set   none          none
//
// unowned → current (acquire) → full or waiting (leave); waiting → current (refill, and with
// LIFO freeRun); full → waiting or current (freeRun); all → unowned (leave, Drop, Clear);
// waiting and current → another home's (steal, Drop).
type block struct {
	home       *Home
	kin        uint32 // of the home that took it when it was unowned
	lo, len    uint32 // its indexes
	kind       kind
	prev, next uint32 // in the list that it is in
	head       uint32 // the free index to be taken first
	tail       uint32 // and last, with FIFO
	free       uint32
}

// base is one less than the block's first index: links count from there.
func (b *block) base() uint32 { return b.lo - 1 }

// blockOf is the number of an index's block.
func (s *Set) blockOf(i uint32) uint32 {
	p := s.pages[i/pageLen]
	return p.first + i/partLen&p.mask
}

// list is blocks, doubly linked.
type list struct{ first, last uint32 }

func (s *Set) pushFront(l *list, n uint32) {
	s.blocks[n].prev, s.blocks[n].next = 0, l.first
	if l.first != 0 {
		s.blocks[l.first].prev = n
	} else {
		l.last = n
	}
	l.first = n
}

func (s *Set) pushBack(l *list, n uint32) {
	s.blocks[n].prev, s.blocks[n].next = l.last, 0
	if l.last != 0 {
		s.blocks[l.last].next = n
	} else {
		l.first = n
	}
	l.last = n
}

// push puts a block where it comes first, or with FIFO last.
func (s *Set) push(l *list, n uint32) {
	if s.options.FIFO {
		s.pushBack(l, n)
	} else {
		s.pushFront(l, n)
	}
}

func (s *Set) unlink(l *list, n uint32) {
	b := &s.blocks[n]
	if b.prev != 0 {
		s.blocks[b.prev].next = b.next
	} else {
		l.first = b.next
	}
	if b.next != 0 {
		s.blocks[b.next].prev = b.prev
	} else {
		l.last = b.prev
	}
}

// enter makes a block, which is in no list, the one that the home takes indexes from.
func (s *Set) enter(h *Home, n uint32) {
	b := &s.blocks[n]
	h.current, h.kin, h.head, h.left, h.base = n, b.kin, b.head, b.free, b.base()
	b.free = 0
}

// leave is the reverse: the block waits if it has some free indexes, and is unowned if all are
// free.
func (s *Set) leave(h *Home) {
	n := h.current
	if n == 0 {
		return
	}
	b := &s.blocks[n]
	b.head, b.free = h.head, b.free+h.left
	h.current, h.head, h.left, h.base = 0, 0, 0, 0
	switch b.free {
	case 0:
	case b.len:
		s.release(n)
	default:
		s.push(&h.waiting, n)
	}
}

// turn is leave and enter for another block of the home, with LIFO.
func (s *Set) turn(h *Home, n uint32) {
	if c := h.current; c != 0 {
		b := &s.blocks[c]
		b.head, b.free = h.head, h.left
		switch h.left {
		case 0:
		case b.len:
			s.release(c)
		default:
			s.pushFront(&h.waiting, c)
		}
	}
	b := &s.blocks[n]
	if b.free > 0 {
		s.unlink(&h.waiting, n)
	}
	s.enter(h, n)
}

// release makes a block unowned.
func (s *Set) release(n uint32) {
	b := &s.blocks[n]
	b.home.blocks--
	b.home = nil
	s.push(&s.empty[b.kind], n)
}

// refill has the home enter a block with free indexes.
func (s *Set) refill(h *Home) error {
	s.leave(h)
	n := h.waiting.first
	if n != 0 {
		s.unlink(&h.waiting, n)
	} else {
		var err error
		if n, err = s.acquire(h); err != nil {
			return err
		}
		b := &s.blocks[n]
		b.home = h
		h.blocks++
		if b.free == b.len {
			s.handOver(b, h.Kin)
		}
		s.bound = max(s.bound, b.lo+b.len)
	}
	s.enter(h, n)
	return nil
}

// acquire finds a block for a home that has no free index: an unowned one, a new one, or one
// with free indexes that another home loses.
func (s *Set) acquire(h *Home) (n uint32, err error) {
	k := whole
	if h.blocks == 0 { // so page 0 is in parts
		k = part
	}
	for _, k := range [...]kind{k, part, whole} {
		if n := s.empty[k].first; n != 0 {
			s.unlink(&s.empty[k], n)
			return n, nil
		}
	}
	if err := s.addPage(k); err != nil {
		if n := s.steal(); n != 0 {
			return n, nil
		}
		return 0, err
	}
	n = s.empty[k].first
	s.unlink(&s.empty[k], n)
	return n, nil
}

// addPage makes the next page. Its blocks are unowned.
func (s *Set) addPage(k kind) error {
	lo := uint64(len(s.pages)) * pageLen
	end := min(lo+pageLen, uint64(s.options.Max)+1)
	lo = max(lo, 1)
	if lo >= end {
		return TooMany{s.options.Max}
	}
	if err := s.records.Grow(uint32(end)); err != nil {
		return fmt.Errorf("a record for entity %d of at most %d: %w", lo, s.options.Max, err)
	}
	if len(s.blocks) == 0 {
		s.blocks = make([]block, 1, 16) // number 0 is none
		*s.records.Ptr(0) = freeBit     // no handle with index 0 is alive
	}
	p := page{first: uint32(len(s.blocks))}
	step := uint64(pageLen)
	if k == part {
		step, p.mask = partLen, pageLen/partLen-1
	}
	s.pages = append(s.pages, p)
	for lo < end {
		to := min(lo/step*step+step, end)
		s.blocks = append(s.blocks, block{lo: uint32(lo), len: uint32(to - lo), kind: k})
		b, first := &s.blocks[len(s.blocks)-1], s.firstVersion()
		records := s.records.Span(b.lo)[:b.len]
		for i := range records { // written, never read: that would be a page fault more
			records[i] = linked(first, uint32(i)+2)
		}
		b.end(records)
		s.pushBack(&s.empty[k], uint32(len(s.blocks)-1))
		lo = to
	}
	s.room += uint32(end - max(uint64(len(s.pages)-1)*pageLen, 1))
	return nil
}

// link makes all indexes of a block free, in their order, and ends the entities that have
// them.
func (s *Set) link(n uint32) {
	b := &s.blocks[n]
	records := s.records.Span(b.lo)[:b.len]
	for i, r := range records {
		if r == 0 {
			r = s.firstVersion()
		}
		if !isFree(r) {
			r = freed(r, 0)
		}
		records[i] = linked(bare(r), uint32(i)+2)
	}
	b.end(records)
}

// end ends the list of a block's records, which are all linked in their order.
func (b *block) end(records []uint64) {
	last := &records[b.len-1]
	*last = linked(bare(*last), 0)
	b.head, b.tail, b.free = b.lo, b.lo+b.len-1, b.len
}

// steal takes a block with free indexes from the home that has it; 0 if no index is free.
func (s *Set) steal() uint32 {
	if s.alive == s.room {
		return 0
	}
	for {
		if s.thief++; s.thief >= uint32(len(s.blocks)) {
			s.thief = 1
		}
		b := &s.blocks[s.thief]
		switch h := b.home; {
		case h == nil:
			continue
		case h.current == s.thief && h.left+b.free > 0:
			b.head, b.free = h.head, b.free+h.left
			h.current, h.head, h.left, h.base = 0, 0, 0, 0
		case h.current != s.thief && b.free > 0:
			s.unlink(&h.waiting, s.thief)
		default:
			continue
		}
		b.home.blocks--
		return s.thief
	}
}
