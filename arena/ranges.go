package arena

import (
	"fmt"
	"iter"
	"math/bits"
)

// Three ranges share the chunk space and no region, since each has advice of its own, and each border
// of advice costs the kernel a mapping. Normal and Huge grow from the ends, so neither has to be given
// a size. Cold begins in the middle, so that a program without cold chunks has all space for the others.

// others is where a slot comes from when a range can't grow, by range.
var others = [ranges][ranges]Range{
	Normal: {Normal, Cold, Huge},
	Huge:   {Huge, Normal, Cold},
	Cold:   {Cold, Normal, Huge},
}

// serves returns the range that serves for r: Normal for Huge, where no huge
// pages were asked for.
func (a *Arena) serves(r Range) Range {
	if r == Huge && !a.huge {
		return Normal
	}
	return r
}

// spaceLeft tells whether one more region of a range fits: Normal and Huge grow
// towards each other, and stop at Cold, in the middle, once that has regions.
func (a *Arena) spaceLeft(r Range) bool {
	all := int(a.chunkSpace / RegionBytes)
	normal, huge, cold := len(a.tables[Normal].regions), len(a.tables[Huge].regions), len(a.tables[Cold].regions)
	// Cold ends at Huge, and Normal at Cold. Before Cold begins, the middle is nobody's.
	lo, hi := normal, all-huge // [lo, hi) is nobody's
	switch {
	case r == Cold && cold == 0:
		return lo <= all/2 && all/2 < hi
	case r == Cold:
		return all/2+cold < hi
	case r == Normal && cold > 0:
		return lo < all/2
	case r == Huge && cold > 0:
		return hi > all/2+cold
	}
	return lo < hi
}

// firstSlot is the first slot of region i of a range: Normal counts from the first of all
// slots, Huge from their end, Cold from their middle.
func (a *Arena) firstSlot(r Range, i int) Slot {
	switch r {
	case Huge:
		i = int(a.chunkSpace/RegionBytes) - 1 - i
	case Cold:
		i += int(a.chunkSpace/RegionBytes) / 2
	}
	return Slot(i * SlotsPerRegion)
}

// find returns the region of a slot, or nil for a slot of no opened region. A slot is of one range at
// most, because ranges never meet: so the order in which they are tried does not matter.
func (a *Arena) find(s Slot) (*region, Range, int) {
	at, all := int(s/SlotsPerRegion), int(a.chunkSpace/RegionBytes)
	for r, i := range [ranges]int{Normal: at, Huge: all - 1 - at, Cold: at - all/2} {
		if t := &a.tables[r]; i >= 0 && i < len(t.regions) {
			return &t.regions[i], Range(r), i
		}
	}
	return nil, 0, 0
}

// mustUse returns the region and bit of a slot in use, or panics. A slot that is freed twice would
// be given to two owners, and that would be found much later: so each such call looks.
func (a *Arena) mustUse(s Slot, what string) (*region, Range, int, uint32) {
	g, r, i := a.find(s)
	bit := uint32(1) << (s % SlotsPerRegion)
	if g == nil || g.free&bit != 0 {
		panic(fmt.Sprintf("arena: %s of slot %d, which is not in use: it was freed before, or is another arena's", what, s))
	}
	return g, r, i, bit
}

// enter makes lines of the table for the regions of a range up to number i, all free and reserved. It
// asks the system for nothing. Regions in between are used as they are needed.
func (a *Arena) enter(r Range, i int) bool {
	t := &a.tables[r]
	for len(t.regions) <= i {
		if !a.spaceLeft(r) {
			return false
		}
		t.regions = append(t.regions, region{free: allSlots})
	}
	return true
}

// byPieces tells whether memory of a range comes and goes by less than regions.
func (a *Arena) byPieces(r Range) bool { return r != Huge && a.backend == OS }

// bySlots reports whether slots of a region are accounted for one by one. Slots of a region that was
// striped are not: its resident pages lie here and there.
func (a *Arena) bySlots(r Range, g *region) bool { return a.byPieces(r) && g.laid == nil }

// takable reports whether slots of a region can be taken as it is.
func (a *Arena) takable(r Range, g *region) bool {
	return g.mapped && (g.committed == allSlots || a.bySlots(r, g))
}

// idle returns how many bytes of a region Purge could give back now: everything dirty if no
// slot is in use, and free slots if pages are given back one by one.
func (a *Arena) idle(r Range, g *region) uint64 {
	switch {
	case g.free == allSlots:
		return uint64(bits.OnesCount32(g.dirty)) * SlotBytes
	case !a.byPieces(r):
		return 0
	}
	return uint64(bits.OnesCount32(g.free&g.dirty)) * SlotBytes
}

// HasIdle tells whether a range has a region without a slot in use that may be resident. It costs
// a look at each region.
func (a *Arena) HasIdle(r Range) bool {
	regions := a.tables[a.serves(r)].regions
	for i := range regions {
		if g := &regions[i]; g.free == allSlots && g.dirty != 0 && !g.held {
			return true
		}
	}
	return false
}

// InUse counts the slots of a region that are not free.
func (a *Arena) InUse(r Range, region uint32) int {
	if t := &a.tables[r]; int(region) < len(t.regions) {
		return SlotsPerRegion - bits.OnesCount32(t.regions[region].free)
	}
	return 0
}

// Held tells whether a region is held.
func (a *Arena) Held(r Range, region uint32) bool {
	t := &a.tables[r]
	return int(region) < len(t.regions) && t.regions[region].held
}

// Hold keeps Alloc from using the free slots of a region while there is room
// elsewhere. A region is held or not, whatever the number
// of calls. It does nothing for a region that there is no space for.
func (a *Arena) Hold(r Range, region uint32, on bool) {
	t := &a.tables[r]
	if a.closed || on && !a.enter(r, int(region)) || int(region) >= len(t.regions) {
		return
	}
	t.regions[region].held = on
}

// Regions iterates over all regions that were ever opened, by range.
func (a *Arena) Regions() iter.Seq[RegionInfo] {
	return func(yield func(RegionInfo) bool) {
		for r := range ranges {
			for i, g := range a.tables[r].regions {
				if !yield(RegionInfo{r, uint32(i), a.firstSlot(r, i), g.free, g.committed, g.dirty, g.quarantined, !g.plain()}) {
					return
				}
			}
		}
	}
}
