package arena

import (
	"fmt"
	"math/bits"
)

// Memory goes back in two ways. Purge is asked for, within a budget, and goes on where it stopped, so
// that all regions have their turn. giveBack serves a request that was refused: it begins at the first
// region, and takes whole regions and pieces as they come, because the caller waits.

// Purge gives free memory back, at most about maxBytes of it. First come regions without a
// slot in use, which are decommitted whole, then single free slots that are dirty. Slots of
// the huge range are left, because purging a part of a huge page splits it. It goes on where
// the last call stopped, and returns the bytes given back. Bytes given back before an error
// before stays so. With nothing to give back it looks at each region once.
func (a *Arena) Purge(maxBytes uint64) (freed uint64, err error) {
	if freed, err = a.PurgeRegions(maxBytes); err != nil || a.backend == Heap {
		return freed, err
	}
	for _, r := range [...]Range{Normal, Cold} {
		t := &a.tables[r]
		for range t.regions {
			if freed >= maxBytes || a.stats.Idle == 0 {
				return freed, nil
			}
			if t.purge >= len(t.regions) {
				t.purge = 0
			}
			n, err := a.purgeSlots(r, t.purge)
			freed += n
			if err != nil {
				return freed, fmt.Errorf("arena: purging slots: %w", err)
			}
			t.purge++
		}
	}
	return freed, nil
}

// PurgeRegions is Purge for regions without a slot in use alone.
func (a *Arena) PurgeRegions(maxBytes uint64) (freed uint64, err error) {
	for r := range ranges {
		for i := range a.tables[r].regions {
			if freed >= maxBytes {
				return freed, nil
			}
			if g := &a.tables[r].regions[i]; g.free == allSlots && g.mapped {
				n := a.idle(r, g)
				if err := a.shut(r, i); err != nil {
					return freed, fmt.Errorf("arena: purging a region: %w", err)
				}
				freed += n
			}
		}
	}
	return freed, nil
}

// giveBack decommits regions without a slot in use, of any range, and purges idle slots and
// positions of others. It stops when at least bytes have been given back, or more if a limit is
// exceeded. It tells whether it gave any back: if so, a refused request is worth repeating. It
// gives back nothing where limits would refuse the request after all. A region that the system
// refuses to decommit is left.
func (a *Arena) giveBack(bytes uint64) (any bool) {
	// A refusal that is certain must leave idle memory alone: the next request would commit it again.
	if a.missing(bytes) > a.spares {
		return false
	}
	bytes += a.over()
	for r := range ranges {
		for i := range a.tables[r].regions {
			if bytes == 0 {
				return any
			}
			g := &a.tables[r].regions[i]
			was := a.stats.Committed
			switch {
			case g.free == allSlots && g.mapped:
				any = a.shut(r, i) == nil || any
			case a.byPieces(r) && a.idle(r, g) != 0:
				freed, _ := a.purgeSlots(r, i)
				any = any || freed != 0
			}
			// Counted as limits count, not as resident: the request lacks bytes of the limit.
			bytes -= min(bytes, was-a.stats.Committed)
		}
	}
	return any
}

// purgeSlots purges the runs of free dirty slots of a region, with one request for each run. Pages
// stay usable, so no mapping is split. Bytes given back before an error stay so.
func (a *Arena) purgeSlots(r Range, i int) (freed uint64, err error) {
	g := &a.tables[r].regions[i]
	if !g.plain() {
		return a.purgePositions(r, i)
	}
	for todo := g.free & g.dirty; todo != 0; {
		lo := bits.TrailingZeros32(todo)
		n := bits.TrailingZeros32(^(todo >> lo))
		run := uint32(1<<n-1) << lo
		bytes := uint64(n) * SlotBytes
		if err := a.purge(plus(a.regionBase(r, i), uint64(lo)*SlotBytes), bytes); err != nil {
			return freed, err
		}
		a.uncommit(r, g, run)
		todo &^= run
		freed += bytes
	}
	return freed, nil
}

// purgePositions is purgeSlots for a striped region. Pages that a free position shares with one in
// use stay: the borders account for them.
func (a *Arena) purgePositions(r Range, i int) (freed uint64, err error) {
	g := &a.tables[r].regions[i]
	for todo := g.free & g.dirty; todo != 0; {
		// Free positions include the ones purged before, for the pages that both share.
		at := bits.TrailingZeros32(todo)
		lo := SlotsPerRegion - bits.LeadingZeros32(^g.free&(1<<at-1))
		hi := at + bits.TrailingZeros32(^(g.free >> at))
		err := g.pages(lo, hi, func(offset, bytes uint64) error {
			return a.purge(plus(a.regionBase(r, i), offset), bytes)
		})
		if err != nil {
			return freed, err
		}
		run := todo & (1<<hi - 1)
		a.uncommit(r, g, run)
		todo &^= run
		freed += uint64(bits.OnesCount32(run)) * SlotBytes
	}
	return freed, nil
}

// PurgePart gives pages of a live slot back, whose contents are undefined then, and
// returns the bytes. The slot stays accounted as dirty, since writes make them resident
// again unseen. It does nothing on the Go-heap back end, and where huge pages are
// advised, which it would split.
func (a *Arena) PurgePart(s Slot, offset, bytes uint32) (freed uint64, err error) {
	_, r, _, _ := a.mustUse(s, "PurgePart")
	if a.backend == Heap || r == Huge || bytes == 0 {
		return 0, nil
	}
	if err := a.purge(plus(a.Base(s), uint64(offset)), uint64(bytes)); err != nil {
		return 0, fmt.Errorf("arena: purging a part of a slot: %w", err)
	}
	return uint64(bytes), nil
}

// uncommit notes that slots were given back to the operating system.
func (a *Arena) uncommit(r Range, g *region, slots uint32) {
	a.uncount(r, g)
	charged, dirtied := g.charged(), g.dirtied()
	g.dirty &^= slots
	g.committed &^= slots
	a.count(r, g)
	a.clean(PurposeChunks, dirtied-g.dirtied())
	a.discharge(PurposeChunks, charged-g.charged())
}
