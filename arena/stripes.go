package arena

import (
	"math/bits"
	"os"
)

// A striped region is taken as a whole. Its slots are positions then: position n has
// the n-th piece of each run, not the n-th 64 KiB:
//
//	| run 0: pieces 0 1 2 … 31 | run 1: pieces 0 1 2 … 31 | …
//
// Positions are live, quarantined, free and dirty as other slots are. Only Take hands
// them out, and the region is an ordinary one again once all of them are free.

// Run is bytes of a striped region: Step for each position, from Offset on.
type Run struct{ Offset, Step uint32 }

// AllocStriped takes a region without a slot in use and makes it striped. It returns
// the region's first slot; no position is live yet. The last position's pieces must
// end within the region. Errors are those of Alloc; a range that can't grow does not
// fall back on others.
func (a *Arena) AllocStriped(r Range, runs []Run) (first Slot, err error) {
	if a.closed {
		return NoSlot, ErrClosed
	}
	r = a.Serves(r)
	t := &a.tables[r]
	i := 0
	for ; i < len(t.regions); i++ {
		if g := &t.regions[i]; g.free == allSlots && !g.held && g.runs == nil {
			break
		}
	}
	if !a.enter(r, i) {
		return NoSlot, ErrFull
	}
	if err := a.ready(r, i); err != nil {
		return NoSlot, err
	}
	t.regions[i].runs = runs
	return a.firstSlot(r, i), nil
}

// Take makes a free position of a striped region live. It panics if it is not free, or
// if its region is not striped.
func (a *Arena) Take(s Slot) {
	g, r, i := a.find(s)
	bit := uint32(1) << (s % SlotsPerRegion)
	if g == nil || g.runs == nil || g.free&bit == 0 {
		panic("arena: Take of a position that is not free, or is in no striped region")
	}
	a.takeBit(r, i, bit)
}

// IsFree tells whether a position of a striped region is free.
func (a *Arena) IsFree(s Slot) bool {
	g, _, _ := a.find(s)
	return g != nil && g.runs != nil && g.free>>(s%SlotsPerRegion)&1 != 0
}

// plain tells whether a region hands out slots one by one.
func (g *region) plain() bool { return g.runs == nil }

// pages calls f with the whole pages that the positions from lo to hi have in each run,
// as offset and bytes.
func (g *region) pages(lo, hi int, f func(offset, bytes uint64) error) error {
	page := uint64(os.Getpagesize())
	for _, run := range g.runs {
		from := (uint64(run.Offset) + uint64(lo)*uint64(run.Step) + page - 1) / page * page
		to := (uint64(run.Offset) + uint64(hi)*uint64(run.Step)) / page * page
		if to > from {
			if err := f(from, to-from); err != nil {
				return err
			}
		}
	}
	return nil
}

// purgePositions is purgeSlots for a striped region.
func (a *Arena) purgePositions(r Range, i int) (freed uint64, err error) {
	g := &a.tables[r].regions[i]
	for todo := g.free & g.dirty; todo != 0; {
		lo := bits.TrailingZeros32(todo)
		n := bits.TrailingZeros32(^(todo >> lo))
		err := g.pages(lo, lo+n, func(offset, bytes uint64) error {
			return a.purge(plus(a.regionBase(r, i), offset), bytes)
		})
		if err != nil {
			return freed, err
		}
		run := uint32(1<<n-1) << lo
		a.uncount(r, g)
		g.dirty &^= run
		a.count(r, g)
		todo &^= run
		a.clean(PurposeChunks, uint64(n)*SlotBytes)
		freed += uint64(n) * SlotBytes
	}
	return freed, nil
}
