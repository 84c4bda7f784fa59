package arena

import (
	"fmt"
	"math/bits"
	"slices"
)

// A run's pieces are side by side, so a position is 64 KiB in all but no 64 KiB in one place. Two ways
// of cutting a region have their pieces at different pages. So a region that was touched under one way
// keeps pages that another way would count again. It is decommitted first, which mixes decides.

// AllocStriped takes a region without a slot in use, stripes it and makes one of its positions
// live. It returns the region's first slot. The last position's pieces must end within the
// region. Positions that are or were in use count against limits until they are purged, and so
// does a little for the pages at the borders of runs. In the Huge range the whole region
// counts. Errors are those of Alloc; a range that cannot grow does not fall back on others.
func (a *Arena) AllocStriped(r Range, runs []Run, position uint32) (first Slot, err error) {
	if a.closed {
		return noSlot, ErrClosed
	}
	r = a.serves(r)
	t := &a.tables[r]
	// An empty region that was cut the same way comes first, then any empty one, then a new one.
	i := len(t.regions)
	for k := range t.regions {
		if g := &t.regions[k]; g.free == allSlots && !g.held {
			if i = min(i, k); !a.mixes(r, g, runs) {
				i = k
				break
			}
		}
	}
	if !a.enter(r, i) {
		return noSlot, ErrFull
	}
	if a.mixes(r, &t.regions[i], runs) {
		_ = a.shut(r, i) // a refused return is counted, and resident beside what is accounted for
	}
	if r == Huge { // resident as a whole
		err = a.ready(r, i)
	} else {
		err = a.readyStriped(r, i, bordersOf(runs), uint32(1)<<position)
	}
	if err != nil {
		return noSlot, err
	}
	t.regions[i].runs = runs
	a.takeBit(r, i, 1<<position)
	return a.firstSlot(r, i), nil
}

// mixes tells whether a region without a slot in use has been touched elsewhere than where
// runs have their pieces.
func (a *Arena) mixes(r Range, g *region, runs []Run) bool {
	return a.byPieces(r) && g.dirty != 0 && !slices.Equal(g.laid, runs)
}

// readyStriped makes the pages of a region without a slot in use usable, and accounts for
// one position and the borders in place of the former charge.
func (a *Arena) readyStriped(r Range, i int, borders uint64, bit uint32) error {
	g := &a.tables[r].regions[i]
	// The positions in use before are idle now: they stay charged as far as they are dirty. So the
	// change may be more or less than the charge, and only more can be refused.
	try := func() error {
		next := *g
		next.committed, next.borders = g.committed&g.dirty|bit, borders
		want, was := next.charged(), g.charged()
		if want > was {
			if err := a.charge(PurposeChunks, want-was); err != nil {
				return err
			}
		}
		if err := a.mapRegion(r, i); err != nil {
			if want > was {
				a.discharge(PurposeChunks, want-was)
			}
			return err
		}
		if want < was {
			a.discharge(PurposeChunks, was-want)
		}
		a.uncount(r, g)
		a.clean(PurposeChunks, g.dirtied())
		g.committed, g.borders = next.committed, borders
		a.dirty(PurposeChunks, g.dirtied())
		a.count(r, g)
		return nil
	}
	err := try()
	if err != nil && a.giveBack(SlotBytes+borders) {
		err = try()
	}
	if err != nil {
		return fmt.Errorf("arena: committing a region: %w", err)
	}
	return nil
}

// Take makes a free position of a striped region live. It panics if it is not free, or
// if its region is not striped. Errors: ErrLimit, ErrClosed.
func (a *Arena) Take(s Slot) error {
	g, r, i := a.find(s)
	bit := uint32(1) << (s % SlotsPerRegion)
	if g == nil || g.runs == nil || g.free&bit == 0 {
		panic("arena: Take of a position that is not free, or is in no striped region")
	}
	if err := a.admit(r, i, bit); err != nil {
		return err
	}
	a.takeBit(r, i, bit)
	return nil
}

// IsFree tells whether a position of a striped region is free.
func (a *Arena) IsFree(s Slot) bool {
	g, _, _ := a.find(s)
	return g != nil && g.runs != nil && g.free>>(s%SlotsPerRegion)&1 != 0
}

// Positions in use stay side by side if the last free one is taken: runs fill from their ends, and
// the charge of borders stays right. One that is committed already comes first, as with slots.

// LastFree returns the last free position of a striped region among the positions that take nothing more of
// limits, and then counted is true, or else of all. The region must have a free one.
func (a *Arena) LastFree(first Slot) (s Slot, counted bool) {
	g, _, _ := a.find(first)
	free := g.free & g.committed
	if g.charged() == RegionBytes {
		free = g.free
	}
	if counted = free != 0; !counted {
		free = g.free
	}
	return first + Slot(bits.Len32(free)-1), counted
}
