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
// mappings stay few. A decommitted region is opened again before new ones. Of a striped
// region, positions are accounted for one by one: Take leads from reserved to live, and
// Purge from dirty to reserved.
type RegionInfo struct {
	Range       Range
	Number      uint32 // counted from the range's end of the chunk space
	First       Slot   // its first slot
	Free        uint32
	Committed   uint32
	Dirty       uint32
	Quarantined uint32
	Striped     bool // slots are positions in stripes: see AllocStriped
}

type region struct {
	free, committed, dirty, quarantined uint32
	held                                bool     // Alloc looks elsewhere first
	runs                                []Run    // of a striped region; nil for others
	laid                                []Run    // of one that was striped: how what is dirty lies
	mapped                              bool     // its pages are usable
	borders                             uint64   // accounted for beside slots since it was striped
	advised                             bool     // to use huge pages
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

// spaceLeft tells whether one more region of a range fits: Normal and Huge grow
// towards each other, and stop at Cold, in the middle, once that has regions.
func (a *Arena) spaceLeft(r Range) bool {
	all := int(a.chunkSpace / RegionBytes)
	normal, huge, cold := len(a.tables[Normal].regions), len(a.tables[Huge].regions), len(a.tables[Cold].regions)
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

// firstSlot is the first slot of region i of a range: Normal counts from the
// start of the chunk space, Huge from its end, Cold from its middle.
func (a *Arena) firstSlot(r Range, i int) Slot {
	switch r {
	case Huge:
		i = int(a.chunkSpace/RegionBytes) - 1 - i
	case Cold:
		i += int(a.chunkSpace/RegionBytes) / 2
	}
	return Slot(i * SlotsPerRegion)
}

// find returns the region of a slot, or nil for a slot of no opened region.
func (a *Arena) find(s Slot) (*region, Range, int) {
	at, all := int(s/SlotsPerRegion), int(a.chunkSpace/RegionBytes)
	for r, i := range [ranges]int{Normal: at, Huge: all - 1 - at, Cold: at - all/2} {
		if t := &a.tables[r]; i >= 0 && i < len(t.regions) {
			return &t.regions[i], Range(r), i
		}
	}
	return nil, 0, 0
}

// others is where a slot comes from when a range can't grow, by range.
var others = [ranges][ranges]Range{
	Normal: {Normal, Cold, Huge},
	Huge:   {Huge, Normal, Cold},
	Cold:   {Cold, Normal, Huge},
}

// Serves returns the range that serves for r: Normal for Huge, where no huge
// pages were asked for.
func (a *Arena) Serves(r Range) Range {
	if r == Huge && !a.huge {
		return Normal
	}
	return r
}

// HasIdle tells whether a range has a region without a slot in use that may be resident. It costs
// a look at each region.
func (a *Arena) HasIdle(r Range) bool {
	regions := a.tables[a.Serves(r)].regions
	for i := range regions {
		if g := &regions[i]; g.free == allSlots && g.dirty != 0 && !g.held {
			return true
		}
	}
	return false
}

// Alloc takes a free slot of the range, in the first region that has one and is
// not held, and opens or commits a region if none has. Its contents are undefined.
// When the range can't grow, or may not even after empty regions were given back, free
// slots of the other ranges and then of held regions serve. Errors:
// ErrLimit, ErrFull, ErrClosed, or the operating system's refusal, wrapped; no slot
// has changed then.
func (a *Arena) Alloc(r Range) (Slot, error) {
	if a.closed {
		return NoSlot, ErrClosed
	}
	var refused error
	for _, r := range others[a.Serves(r)] {
		i, ok := a.roomy(r)
		if !ok {
			continue
		}
		if refused = a.ready(r, i); refused == nil {
			return a.take(r, i), nil
		}
		break
	}
	if r, i, ok := a.roomLeft(a.Serves(r)); ok {
		return a.take(r, i), nil
	}
	if refused != nil {
		return NoSlot, refused
	}
	return NoSlot, fmt.Errorf("%w (%d regions in use)", ErrFull, a.chunkSpace/RegionBytes)
}

// roomy returns the first region of a range that has a free slot and is not
// held, a new one if need be.
func (a *Arena) roomy(r Range) (i int, ok bool) {
	t := &a.tables[r]
	for t.first < len(t.regions) && (t.regions[t.first].free == 0 || !t.regions[t.first].plain()) {
		t.first++
	}
	for i = t.first; i < len(t.regions); i++ {
		if g := &t.regions[i]; g.free != 0 && !g.held && g.plain() {
			return i, true
		}
	}
	return i, a.enter(r, i)
}

// enter makes lines of the table for the regions of a range up to number i.
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

// ready commits a region if it is not, in place of others that are empty if need be.
func (a *Arena) ready(r Range, i int) error {
	if a.tables[r].regions[i].committed == allSlots {
		return nil
	}
	err := a.open(r, i)
	if err != nil && a.giveBack(RegionBytes) {
		err = a.open(r, i)
	}
	if err != nil {
		return fmt.Errorf("arena: committing a region: %w", err)
	}
	return nil
}

// take marks a free slot of a committed region as live, dirty ones first: their
// pages are there already.
func (a *Arena) take(r Range, i int) Slot {
	g := &a.tables[r].regions[i]
	pick := g.free & g.dirty
	if pick == 0 {
		pick = g.free
	}
	return a.takeBit(r, i, pick&-pick)
}

// takeBit marks one free slot of a committed region as live.
func (a *Arena) takeBit(r Range, i int, bit uint32) Slot {
	g := &a.tables[r].regions[i]
	a.uncount(r, g)
	if g.plain() && g.laid != nil { // what was touched lies here and there
		was := g.dirtied()
		g.dirty, g.borders, g.laid = g.committed, 0, nil
		a.dirty(PurposeChunks, g.dirtied()-was)
	}
	g.free &^= bit
	a.count(r, g)
	if g.dirty&bit == 0 {
		was := g.dirtied()
		g.dirty |= bit
		a.dirty(PurposeChunks, g.dirtied()-was)
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

// open commits a region, or what is missing of one that was striped.
func (a *Arena) open(r Range, i int) error {
	g := &a.tables[r].regions[i]
	more := RegionBytes - g.charged()
	if err := a.charge(PurposeChunks, more); err != nil {
		return err
	}
	if err := a.mapRegion(r, i); err != nil {
		a.discharge(PurposeChunks, more)
		return err
	}
	a.uncount(r, g)
	a.clean(PurposeChunks, g.dirtied())
	g.committed, g.borders = allSlots, 0
	a.dirty(PurposeChunks, g.dirtied())
	a.count(r, g)
	return nil
}

// mapRegion makes the pages of a region usable, if they are not.
func (a *Arena) mapRegion(r Range, i int) error {
	g := &a.tables[r].regions[i]
	if g.mapped {
		return nil
	}
	if a.backend == Heap {
		g.slab, g.keep = newSlab()
		a.stats.Reserved += RegionBytes
	} else {
		at := a.regionBase(r, i)
		if err := a.commit(at, RegionBytes); err != nil {
			return err
		}
		if r == Huge && !g.advised {
			g.advised = true
			a.advise(at, RegionBytes)
		}
	}
	g.mapped = true
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
	a.uncount(r, g)
	a.clean(PurposeChunks, g.dirtied())
	a.discharge(PurposeChunks, g.charged())
	g.committed, g.dirty, g.borders, g.runs, g.laid, g.mapped = 0, 0, 0, nil, nil, false
	return nil
}

// count adds a region's idle and spare bytes to the accounting, uncount takes them off: around
// every change of what is free or committed.
func (a *Arena) count(r Range, g *region) {
	n := a.idle(r, g)
	a.stats.Idle += n
	a.spares += a.spare(r, g)
	if g.free == allSlots {
		a.stats.IdleRegions += n
	}
}

func (a *Arena) uncount(r Range, g *region) {
	n := a.idle(r, g)
	a.stats.Idle -= n
	a.spares -= a.spare(r, g)
	if g.free == allSlots {
		a.stats.IdleRegions -= n
	}
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

// byPieces tells whether memory of a range comes and goes by less than regions.
func (a *Arena) byPieces(r Range) bool { return r != Huge && a.backend == OS }

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
	a.uncount(r, g)
	g.free |= bit
	g.quarantined &^= bit
	if g.free == allSlots && !g.plain() {
		if a.byPieces(r) {
			g.laid = g.runs
		}
		g.runs = nil
	}
	a.count(r, g)
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
