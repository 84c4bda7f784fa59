package memmgr

import (
	"fmt"
	"iter"
	"strings"

	"github.com/ashlar-go/ashlar/chunk"
)

// The chunk table has a line for each chunk number. Numbers are given out again, the last one that
// came back first. A number that waits for the end of a pin is in no list.
//
//	number   1     2     3     4
//	         used  free  used  left      free list: 2        waiting: 4
//
// Directories find a chunk's cell by the low bits of its number, so numbers are chosen such that
// the columns' cells stay few: see choose.

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

// candidatesMost is how many candidates are looked at where any of them would do, and the best is sought:
// numbers for a new chunk (TestLockStepTakesLittleHeap), and sequences to move a chunk behind
// (TestLeaveBehindTheOneBefore).
const candidatesMost = 16

// choose returns a number for a chunk with columns in these directories: one for which
// they need no more cells, or as few more as can be. Sequences that grow in turn would
// else get numbers that differ in high bits alone.
func (t *table) choose(dirs []*Directory) (id chunk.ID, ok bool) {
	best, place := ^uint64(0), -1 // in free; behind its end: fresh ones
	try := func(i int, n chunk.ID) bool {
		cost := uint64(0)
		for _, d := range dirs {
			if cost += d.more(n); cost >= best {
				return false
			}
		}
		best, place, id = cost, i, n
		return best == 0
	}
	n := len(t.free)
	for i := n - 1; i >= max(n-candidatesMost, 0); i-- {
		if try(i, t.free[i]) {
			break
		}
	}
	for i := 0; best != 0 && i < candidatesMost && t.count+i < maxChunks; i++ {
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

func (m *Manager) mustUse(id chunk.ID, what string) *entry {
	e := m.table.in(id)
	if e == nil {
		panic(fmt.Sprintf("memmgr: %s of chunk %d, which is not in use: its rows were removed, or the manager was closed", what, id))
	}
	return e
}

// pinned iterates over the pinned chunks and how often each is pinned.
func (m *Manager) pinned() iter.Seq2[chunk.ID, int] {
	return func(yield func(chunk.ID, int) bool) {
		for i := range m.table.count {
			id := chunk.ID(i)
			if n := m.table.at(id).pins.Load(); n != 0 && !yield(id, int(n)) {
				return
			}
		}
	}
}

// pins is how many pins of chunks have not ended.
func (m *Manager) pins() (n uint64) {
	for _, k := range m.pinned() {
		n += uint64(k)
	}
	return n
}

// pinList names at most three pinned chunks, and counts the others, for messages.
func (m *Manager) pinList() string {
	var b strings.Builder
	more := -3
	for id, n := range m.pinned() {
		if more++; more > 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		name := "no sequence any more"
		if s := m.table.at(id).seq; s != nil {
			name = fmt.Sprintf("%q", s.name)
		}
		fmt.Fprintf(&b, "chunk %d of %s pinned %d times", id, name, n)
	}
	if more > 0 {
		fmt.Fprintf(&b, ", and %d more chunks", more)
	}
	return b.String()
}

// live returns the sequences, in the order in which they were made.
func (m *Manager) live() []*Sequence {
	if m.dropped > 0 {
		n := 0
		for _, s := range m.seqs {
			if s != nil {
				m.seqs[n], s.place = s, n
				n++
			}
		}
		clear(m.seqs[n:])
		m.seqs, m.dropped = m.seqs[:n], 0
	}
	return m.seqs
}
