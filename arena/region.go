package arena

import (
	"fmt"
	"iter"
	"math/bits"
)

// RegionInfo is the state of one region: a bit a slot in each mask. The legal
// states of a slot, and what leads from one to the next:
//
//	state        free committed dirty quarantined
//	reserved      1      0        0       0       the region has been decommitted
//	clean         1      1        0       0       open → clean; dirty → Purge → clean
//	live          0      1        1       0       Alloc: clean, dirty → live
//	quarantined   0      1        1       1       Quarantine: live → quarantined
//	dirty         1      1        1       0       Free: live, quarantined → dirty
//
// A region is committed and decommitted as a whole, so that the kernel's
// mappings stay few. A decommitted region is opened again before new ones.
type RegionInfo struct {
	Range       Range
	Number      uint32 // counted from the range's end of the chunk space
	First       Slot   // its first slot
	Free        uint32
	Committed   uint32
	Dirty       uint32
	Quarantined uint32
}

type region struct {
	free, committed, dirty, quarantined uint32
	slab                                address  // heap back end: aligned start; nil while reserved
	keep                                []uint64 // heap back end: what the collector sees
}

const allSlots = ^uint32(0)

// table is the regions of one range, opened in order, and where to look first.
type table struct {
	regions []region
	first   int // no region before it has a free slot
	purge   int // where the next Purge goes on
}

// spaceLeft tells whether one more region fits between the two ranges.
func (a *Arena) spaceLeft() bool {
	opened := len(a.tables[Normal].regions) + len(a.tables[Huge].regions)
	return uint64(opened+1)*RegionBytes <= a.chunkSpace
}

// firstSlot is the first slot of region i of a range: Normal counts from the
// start of the chunk space, Huge from its end.
func (a *Arena) firstSlot(r Range, i int) Slot {
	if r == Huge {
		i = int(a.chunkSpace/RegionBytes) - 1 - i
	}
	return Slot(i * SlotsPerRegion)
}

// find returns the region of a slot, or nil for a slot of no opened region.
func (a *Arena) find(s Slot) (*region, Range, int) {
	i := int(s / SlotsPerRegion)
	if n := &a.tables[Normal]; i < len(n.regions) {
		return &n.regions[i], Normal, i
	}
	i = int(a.chunkSpace/RegionBytes) - 1 - i
	if h := &a.tables[Huge]; i >= 0 && i < len(h.regions) {
		return &h.regions[i], Huge, i
	}
	return nil, 0, 0
}

// Alloc takes a free slot of the range, in the first region that has one, and
// opens or commits a region if none has. Its contents are undefined. When the
// range can't grow, the other range serves. Errors: ErrLimit, ErrFull, ErrClosed,
// or the operating system's refusal, wrapped; nothing has changed then.
func (a *Arena) Alloc(r Range) (Slot, error) {
	if a.closed {
		return NoSlot, ErrClosed
	}
	if !a.huge {
		r = Normal
	}
	for _, r := range [...]Range{r, 1 - r} {
		t := &a.tables[r]
		for t.first < len(t.regions) && t.regions[t.first].free == 0 {
			t.first++
		}
		if t.first == len(t.regions) {
			if !a.spaceLeft() {
				continue
			}
			t.regions = append(t.regions, region{free: allSlots})
		}
		g := &t.regions[t.first]
		if g.committed == 0 {
			if err := a.open(r, t.first); err != nil {
				return NoSlot, fmt.Errorf("arena: committing a region: %w", err)
			}
		}
		return a.take(r, t.first), nil
	}
	return NoSlot, fmt.Errorf("%w (%d regions in use)", ErrFull, a.chunkSpace/RegionBytes)
}

// take marks a free slot of a committed region as live, dirty ones first: their
// pages are there already.
func (a *Arena) take(r Range, i int) Slot {
	g := &a.tables[r].regions[i]
	pick := g.free & g.dirty
	if pick == 0 {
		pick = g.free
	}
	bit := pick & -pick
	g.free &^= bit
	if g.dirty&bit == 0 {
		g.dirty |= bit
		a.dirty(PurposeChunks, SlotBytes)
	}
	a.stats.Live += SlotBytes
	return a.firstSlot(r, i) + Slot(bits.TrailingZeros32(bit))
}

// dirty accounts for bytes that may become resident from now on. What an array
// has committed counts as live too; slots become live one by one.
func (a *Arena) dirty(p Purpose, bytes uint64) {
	a.stats.Dirty += bytes
	a.stats.DirtyBy[p] += bytes
	if p != PurposeChunks {
		a.stats.Live += bytes
	}
}

// clean is the reverse of dirty.
func (a *Arena) clean(p Purpose, bytes uint64) {
	a.stats.Dirty -= bytes
	a.stats.DirtyBy[p] -= bytes
	if p != PurposeChunks {
		a.stats.Live -= bytes
	}
}

// open commits a reserved region.
func (a *Arena) open(r Range, i int) error {
	if err := a.charge(PurposeChunks, RegionBytes); err != nil {
		return err
	}
	g := &a.tables[r].regions[i]
	if a.backend == Heap {
		g.slab, g.keep = newSlab()
		a.stats.Reserved += RegionBytes
	} else {
		at := a.regionBase(r, i)
		if err := a.commit(at, RegionBytes); err != nil {
			a.discharge(PurposeChunks, RegionBytes)
			return err
		}
		if r == Huge {
			a.advise(at, RegionBytes)
		}
	}
	g.committed = allSlots
	return nil
}

// shut decommits a region without live or quarantined slots.
func (a *Arena) shut(r Range, i int) error {
	t := &a.tables[r]
	g := &t.regions[i]
	if a.backend == Heap {
		g.slab, g.keep = nil, nil
		a.stats.Reserved -= RegionBytes
	} else if err := a.decommit(a.regionBase(r, i), RegionBytes); err != nil {
		return err
	}
	a.clean(PurposeChunks, uint64(bits.OnesCount32(g.dirty))*SlotBytes)
	a.discharge(PurposeChunks, RegionBytes)
	g.committed, g.dirty = 0, 0
	return nil
}

// mustUse returns the region and bit of a slot in use, or panics.
func (a *Arena) mustUse(s Slot, what string) (*region, Range, int, uint32) {
	g, r, i := a.find(s)
	bit := uint32(1) << (s % SlotsPerRegion)
	if g == nil || g.free&bit != 0 {
		panic(fmt.Sprintf("arena: %s of slot %d, which is not in use: it was freed before, or is another arena's", what, s))
	}
	return g, r, i, bit
}

// Free makes a live or quarantined slot free; it stays committed and dirty until
// it is used again or purged. It panics if the slot is not in use.
func (a *Arena) Free(s Slot) {
	g, r, i, bit := a.mustUse(s, "Free")
	if g.quarantined&bit != 0 {
		a.stats.Quarantined -= SlotBytes
	} else {
		a.stats.Live -= SlotBytes
	}
	g.free |= bit
	g.quarantined &^= bit
	t := &a.tables[r]
	t.first = min(t.first, i)
}

// Quarantine takes a live slot out of use without making it free: it is not
// handed out again until Free. It panics if the slot is not live.
func (a *Arena) Quarantine(s Slot) {
	g, _, _, bit := a.mustUse(s, "Quarantine")
	if g.quarantined&bit != 0 {
		panic(fmt.Sprintf("arena: Quarantine of slot %d, which is in quarantine already", s))
	}
	g.quarantined |= bit
	a.stats.Live -= SlotBytes
	a.stats.Quarantined += SlotBytes
}

// Purge gives free memory back, at most about maxBytes of it: first regions
// without a slot in use, which are decommitted whole, then single free slots that
// are dirty, in the normal range only since purging a part of a huge page splits it. It
// goes on where the last call stopped, and returns the bytes given back. After
// an error, what was given back before stays so.
func (a *Arena) Purge(maxBytes uint64) (freed uint64, err error) {
	for r := range ranges {
		for i := range a.tables[r].regions {
			if freed >= maxBytes {
				return freed, nil
			}
			if g := &a.tables[r].regions[i]; g.free == allSlots && g.committed != 0 {
				n := uint64(bits.OnesCount32(g.dirty)) * SlotBytes
				if err := a.shut(r, i); err != nil {
					return freed, fmt.Errorf("arena: purging a region: %w", err)
				}
				freed += n
			}
		}
	}
	t := &a.tables[Normal]
	for range t.regions {
		if freed >= maxBytes || a.backend == Heap {
			return freed, nil
		}
		if t.purge >= len(t.regions) {
			t.purge = 0
		}
		n, err := a.purgeSlots(t.purge)
		freed += n
		if err != nil {
			return freed, fmt.Errorf("arena: purging slots: %w", err)
		}
		t.purge++
	}
	return freed, nil
}

// purgeSlots purges the runs of free dirty slots of a normal region.
func (a *Arena) purgeSlots(i int) (freed uint64, err error) {
	g := &a.tables[Normal].regions[i]
	for todo := g.free & g.dirty; todo != 0; {
		lo := bits.TrailingZeros32(todo)
		n := bits.TrailingZeros32(^(todo >> lo))
		run := uint32(1<<n-1) << lo
		bytes := uint64(n) * SlotBytes
		if err := a.purge(plus(a.regionBase(Normal, i), uint64(lo)*SlotBytes), bytes); err != nil {
			return freed, err
		}
		g.dirty &^= run
		todo &^= run
		a.clean(PurposeChunks, bytes)
		freed += bytes
	}
	return freed, nil
}

// Regions iterates over all regions that were ever opened, by range.
func (a *Arena) Regions() iter.Seq[RegionInfo] {
	return func(yield func(RegionInfo) bool) {
		for r := range ranges {
			for i, g := range a.tables[r].regions {
				if !yield(RegionInfo{r, uint32(i), a.firstSlot(r, i), g.free, g.committed, g.dirty, g.quarantined}) {
					return
				}
			}
		}
	}
}
