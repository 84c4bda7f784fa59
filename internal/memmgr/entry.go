package memmgr

import (
	"iter"
	"sync/atomic"

	"github.com/ashlar-go/ashlar/internal/chunk"
)

// entry is a line of the chunk table.
type entry struct {
	seq    *Sequence // nil: in no sequence
	spot   spot
	order  uint32 // place in the sequence, counted from its first chunk ever; spareOrder for its spare
	gen    uint32 // counts moves and re-use of the number
	annex  annex
	moves  uint64 // how often the chunk has moved
	copied uint64 // bytes that these took

	pins   atomic.Int32 // any goroutine may end one
	astray bool         // in the manager's list of those, whatever the number is used for since
}

const spareOrder = ^uint32(0)

// page is lines of the table side by side: they stay where they are while it grows, so
// that other goroutines may unpin meanwhile.
type page [1 << pageBits]entry

const pageBits = 6

// table is the chunk table, by chunk number; line 0 is no chunk's.
type table struct {
	pages []*page
	count int        // lines in use, or free again
	free  []chunk.ID // numbers, last in first out
}

// at returns the line of a number below count.
func (t *table) at(id chunk.ID) *entry { return &t.pages[id>>pageBits][id&(1<<pageBits-1)] }

// grow makes lines up to a number.
func (t *table) grow(id chunk.ID) {
	for int(id)>>pageBits >= len(t.pages) {
		t.pages = append(t.pages, new(page))
	}
	t.count = max(t.count, int(id)+1)
}

// in returns the line of a chunk that is in a sequence, or nil.
func (t *table) in(id chunk.ID) *entry {
	if int(id) >= t.count {
		return nil
	}
	if e := t.at(id); e.seq != nil {
		return e
	}
	return nil
}

// used iterates over the chunks that are in sequences.
func (t *table) used() iter.Seq2[chunk.ID, *entry] {
	return func(yield func(chunk.ID, *entry) bool) {
		for i := range t.count {
			id := chunk.ID(i)
			if e := t.in(id); e != nil && !yield(id, e) {
				return
			}
		}
	}
}

// numberTries is how many numbers are looked at for a new chunk.
const numberTries = 16

// choose returns a number for a chunk with columns in these directories: one for which
// they need no more cells, or as few more as can be. Sequences that grow in turn would
// else get numbers that differ in high bits alone.
func (t *table) choose(dirs []*Directory) (id chunk.ID, ok bool) {
	best, place := ^uint64(0), -1 // in free; behind its end: fresh ones
	try := func(i int, n chunk.ID) bool {
		cost := uint64(0)
		for _, d := range dirs {
			cost += d.more(n)
		}
		if cost < best {
			best, place, id = cost, i, n
		}
		return best == 0
	}
	n := len(t.free)
	for i := n - 1; i >= max(n-numberTries, 0); i-- {
		if try(i, t.free[i]) {
			break
		}
	}
	for i := 0; best != 0 && i < numberTries && t.count+i < MaxChunks; i++ {
		try(n+i, chunk.ID(t.count+i))
	}
	switch {
	case place < 0:
		return 0, false
	case place < n:
		copy(t.free[place:], t.free[place+1:])
		t.free = t.free[:n-1]
	default:
		first := chunk.ID(t.count)
		t.grow(id)
		for k := id - 1; k >= first; k-- { // the lowest is the next to go
			t.free = append(t.free, k)
		}
	}
	return id, true
}
