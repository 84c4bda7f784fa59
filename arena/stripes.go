package arena

import (
	"fmt"
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

// AllocStriped takes a region without a slot in use, makes it striped and one of its
// positions live. It returns the region's first slot. The last position's pieces must end
// within the region. Only positions that are or were in use count against limits, until
// they are purged. Errors are those of Alloc; a range that can't grow does not fall back
// on others.
func (a *Arena) AllocStriped(r Range, runs []Run, position uint32) (first Slot, err error) {
	if err := a.chargeSlot(); err != nil {
		return NoSlot, err
	}
	r = a.Serves(r)
	t := &a.tables[r]
	i := 0
	for ; i < len(t.regions); i++ {
		if g := &t.regions[i]; g.free == allSlots && !g.held {
			break
		}
	}
	if !a.enter(r, i) {
		a.discharge(PurposeChunks, SlotBytes)
		return NoSlot, ErrFull
	}
	err = a.mapRegion(r, i)
	if err != nil && a.giveBack(RegionBytes) {
		err = a.mapRegion(r, i)
	}
	if err != nil {
		a.discharge(PurposeChunks, SlotBytes)
		return NoSlot, fmt.Errorf("arena: committing a region: %w", err)
	}
	g, bit := &t.regions[i], uint32(1)<<position
	a.discharge(PurposeChunks, uint64(bits.OnesCount32(g.committed&^g.dirty|g.committed&bit))*SlotBytes)
	g.committed = g.committed&g.dirty | bit
	g.runs = runs
	a.takeBit(r, i, bit)
	return a.firstSlot(r, i), nil
}

// chargeSlot accounts for a position about to be used, in place of what is idle if need be.
func (a *Arena) chargeSlot() error {
	err := a.charge(PurposeChunks, SlotBytes)
	if err != nil && a.giveBack(SlotBytes) {
		err = a.charge(PurposeChunks, SlotBytes)
	}
	return err
}

// Take makes a free position of a striped region live. It panics if it is not free, or
// if its region is not striped. Errors: ErrLimit, ErrClosed.
func (a *Arena) Take(s Slot) error {
	g, r, i := a.find(s)
	bit := uint32(1) << (s % SlotsPerRegion)
	if g == nil || g.runs == nil || g.free&bit == 0 {
		panic("arena: Take of a position that is not free, or is in no striped region")
	}
	if g.committed&bit == 0 {
		if err := a.chargeSlot(); err != nil {
			return err
		}
		g.committed |= bit
	}
	a.takeBit(r, i, bit)
	return nil
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
		g.committed &^= run
		a.count(r, g)
		todo &^= run
		a.clean(PurposeChunks, uint64(n)*SlotBytes)
		a.discharge(PurposeChunks, uint64(n)*SlotBytes)
		freed += uint64(n) * SlotBytes
	}
	return freed, nil
}
