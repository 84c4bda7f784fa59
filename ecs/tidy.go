package ecs

import (
	"fmt"
	"os"
	"time"
)

// tidier gives back the pages of slots in which nobody has a component any more, a
// few at the end of each frame. It looks at pools that have lost half of their rows and
// did not get them back for a while.
type tidier struct {
	pool  int    // under way
	at    uint32 // element of its slots to go on with; 0: none is under way
	due   uint64 // bytes to be looked at
	check uint64 // frame in which pools are looked at next
	freed uint64 // bytes so far
}

const (
	tidyEvery = 64        // frames between looks at pools
	tidyLeast = 256 << 10 // bytes of slots below which a pool is not worth it
	tidyStep  = 64 << 10  // bytes that are looked at in a step at least
	tidyMost  = 256 << 10 // and at most
)

// timeOneIn is how few frames are timed: reading the clock is felt in short ones.
const timeOneIn = 4

// tidying tells whether the frame that begins is to be timed.
func (w *World) tidying() bool { return w.tidier.at != 0 && w.frame%timeOneIn == 0 }

// share is how many bytes are looked at after a frame that was timed: 8 MB for each
// second of frames, which is about a quarter of a percent of the time, and as much again
// for pages that are used again after all.
func share(took time.Duration) uint64 { return uint64(max(took, 0) * timeOneIn / 125) }

// shrunk tells whether a pool is worth tidying: it has half of its rows, twice in a
// row, and so few that pages would be empty if its entities were spread at random.
func (p *pool) shrunk() bool {
	n := p.Len()
	p.peak = max(p.peak, n)
	if bytes := p.slotBytes(); bytes < tidyLeast || n > p.peak/2 || uint64(n) > 2*bytes/uint64(os.Getpagesize()) {
		p.shrank = 0
		return false
	}
	p.shrank++
	return p.shrank >= 2
}

// slotBytes is how much of a pool's slots may have been used.
func (p *pool) slotBytes() uint64 { return uint64(min(p.slots.Len(), p.w.next)) * 8 }

// tidy does a frame's share.
func (w *World) tidy(took time.Duration) error {
	t := &w.tidier
	if t.at == 0 {
		if w.frame < t.check {
			return nil
		}
		for ; t.pool < len(w.pools); t.pool++ {
			if w.pools[t.pool].shrunk() {
				t.at = 1
				break
			}
		}
		if t.at == 0 {
			t.pool, t.check = 0, w.frame+tidyEvery
			return nil
		}
	}
	t.due += share(took)
	if t.due < tidyStep {
		return nil
	}
	p := w.pools[t.pool]
	next, freed, err := p.slots.Tidy(t.at, min(t.due, tidyMost))
	t.due = 0
	t.freed += freed
	if t.at = next; next == 0 || next >= w.next {
		t.at = 0
		p.peak, p.shrank = p.Len(), 0
		t.pool++
	}
	if err != nil {
		return fmt.Errorf("ecs: %w", err)
	}
	return nil
}

// Tidied is how many bytes of slots were given back as pools became smaller, apart
// from what the manager counts.
func (w *World) Tidied() uint64 { return w.made("Tidied").tidier.freed }
