package entities

import "fmt"

// Check proves the invariants of the package comment: an error names the first that does
// not hold. It costs a pass over the records.
func (s *Set) Check() error {
	var alive, room uint32
	homes := make(map[*Home]uint32) // and how many blocks they have
	next := uint32(1)               // the first index of the next block
	for n := uint32(1); n < uint32(len(s.blocks)); n++ {
		b := &s.blocks[n]
		if b.lo != next || b.len == 0 || s.blockOf(b.lo) != n || s.blockOf(b.lo+b.len-1) != n {
			return fmt.Errorf("entities: block %d has %d indexes from %d on, want them from %d on", n, b.len, b.lo, next)
		}
		next += b.len
		free, err := s.checkBlock(n)
		if err != nil {
			return err
		}
		alive += b.len - free
		room += b.len
		if b.home != nil {
			homes[b.home]++
			if s.bound < next {
				return fmt.Errorf("entities: block %d ends at %d, beyond the bound %d", n, next, s.bound)
			}
		} else if free < b.len {
			return fmt.Errorf("entities: block %d has no home, and %d of its %d indexes are free", n, free, b.len)
		}
	}
	if alive != s.alive || room != s.room {
		return fmt.Errorf("entities: counted %d alive of %d indexes, there are %d of %d", s.alive, s.room, alive, room)
	}
	return s.checkLists(homes)
}

// checkLists looks at the lists of blocks: the lists of each home, which has so many blocks, and of
// blocks without a home. A block with free indexes that no home takes from is in one list.
func (s *Set) checkLists(homes map[*Home]uint32) error {
	listed := uint32(0)
	for h, blocks := range homes {
		if blocks != h.blocks {
			return fmt.Errorf("entities: a home counts %d blocks, and has %d", h.blocks, blocks)
		}
		waiting, err := s.checkList(&h.waiting, func(n uint32, b *block) bool { return b.home == h && n != h.current && b.free > 0 && b.free < b.len })
		if err != nil {
			return fmt.Errorf("entities: waiting %w", err)
		}
		listed += waiting
		if c := h.current; c != 0 && (c >= uint32(len(s.blocks)) || s.blocks[c].home != h) {
			return fmt.Errorf("entities: a home takes indexes of block %d, which is not its own", c)
		} else if c != 0 && h.left+s.blocks[c].free == s.blocks[c].len && (waiting > 0 || s.options.FIFO) {
			return fmt.Errorf("entities: block %d has free indexes alone, and its home has others", c)
		}
	}
	for k := range s.empty {
		empty, err := s.checkList(&s.empty[k], func(_ uint32, b *block) bool { return b.home == nil && b.kind == kind(k) })
		if err != nil {
			return fmt.Errorf("entities: without a home: %w", err)
		}
		listed += empty
	}
	for n := 1; n < len(s.blocks); n++ {
		if b := &s.blocks[n]; b.home == nil || b.home.current != uint32(n) && b.free > 0 {
			listed--
		}
	}
	if listed != 0 {
		return fmt.Errorf("entities: %d blocks more are in lists than should be", int32(listed))
	}
	return nil
}

// checkBlock walks a block's list and looks at its records. It returns how many indexes
// are free.
func (s *Set) checkBlock(n uint32) (free uint32, err error) {
	b := &s.blocks[n]
	records := s.records.Span(b.lo)[:b.len]
	i, want := b.head, b.free
	if h := b.home; h != nil && h.current == n {
		i, want = h.head, b.free+h.left
	}
	listed := make([]bool, b.len)
	last := uint32(0)
	for ; free < want; free++ {
		if i-b.lo >= b.len || listed[i-b.lo] || !isFree(records[i-b.lo]) {
			return 0, fmt.Errorf("entities: the list of block %d goes to index %d after %d of %d: it is of another block, in use, or there twice", n, i, free, want)
		}
		listed[i-b.lo] = true
		last, i = i, b.base()+linkOf(records[i-b.lo])
	}
	if want > 0 && (i != b.base() || s.options.FIFO && last != b.tail) {
		return 0, fmt.Errorf("entities: the list of block %d ends at %d, before %d, want %d", n, last, i, b.tail)
	}
	for k, r := range records {
		i := b.lo + uint32(k)
		switch {
		case !listed[k] && isFree(r):
			return 0, fmt.Errorf("entities: record %d is free, and in no list", i)
		case r == 0: // unseen
		case Entity(r).Version()&countMask == 0 || Entity(r).Version()>>CountBits != uint32(s.options.Tag):
			return 0, fmt.Errorf("entities: record %d has version %#x", i, Entity(r).Version())
		}
	}
	return free, nil
}

// checkList walks a list of blocks and returns how many there are; all must be as is
// says.
func (s *Set) checkList(l *list, is func(n uint32, b *block) bool) (count uint32, err error) {
	prev := uint32(0)
	for n := l.first; n != 0; n = s.blocks[n].next {
		b := &s.blocks[n]
		if count++; b.prev != prev || !is(n, b) || count > uint32(len(s.blocks)) {
			return 0, fmt.Errorf("block %d, which comes after %d, does not belong there: %d of its %d indexes are free", n, prev, b.free, b.len)
		}
		prev = n
	}
	if l.last != prev {
		return 0, fmt.Errorf("blocks end with %d, want %d", prev, l.last)
	}
	return count, nil
}
