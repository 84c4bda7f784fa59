package arena

import (
	"math/bits"
	"os"
)

// RegionInfo is the state of one region: a bit a slot in each mask. The legal
// states of a slot, and the calls that lead from one to the next:
//
//	state        free committed dirty quarantined
//	reserved      1      0        0       0       not accounted for: Purge, or never used
//	clean         1      1        0       0       of a region that counts as a whole: open → clean
//	live          0      1        1       0       Alloc: reserved, clean, dirty → live
//	quarantined   0      1        1       1       Quarantine: live → quarantined
//	dirty         1      1        1       0       Free: live, quarantined → dirty
//
// The pages of a region become usable and unusable as a whole, so that the kernel's mappings stay
// few. Committed tells which slots count against limits. They count one by one, striped or not:
// Alloc and Take lead from reserved to live, and Purge from dirty to reserved. In the Huge range and
// on the heap back end a region counts as a whole, and Purge leads to reserved only where no slot
// is in use. A decommitted region is opened again before new ones.
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

// region is the state behind a RegionInfo. Its masks change between Arena.uncount and Arena.count
// alone. It is plain while runs is nil. AllocStriped sets runs; the last free position moves them to
// laid, and they stay there until the region is decommitted or counts as a whole again. mapped,
// advised and slab change with the request to the system that they describe.
type region struct {
	free, committed, dirty, quarantined uint32
	held                                bool     // Alloc looks elsewhere first
	runs                                []Run    // of a striped region; nil for others
	laid                                []Run    // of one that was striped: how its dirty pages lie
	mapped                              bool     // its pages are usable
	borders                             uint64   // accounted for beside slots since it was striped
	advised                             bool     // to use huge pages
	slab                                address  // heap back end: aligned start; nil while reserved
	keep                                []uint64 // heap back end: the reference that keeps the slab
}

const allSlots = ^uint32(0)

// A region is never taken out of its table: its number is part of places, which are the same in
// every run. So a program's greatest extent costs some hundred bytes for each 2 MiB.

// table is the regions of one range, opened in order, and where to look first.
type table struct {
	regions []region
	first   int // no region before it has a free slot
	purge   int // where the next Purge goes on
}

// A striped region is taken as a whole. Its slots are positions then: position n has
// the n-th piece of each run, not the n-th 64 KiB:
//
//	| run 0: pieces 0 1 2 … 31 | run 1: pieces 0 1 2 … 31 | …
//
// Positions are live, quarantined, free and dirty as other slots are. Only Take hands
// them out, and the region is an ordinary one again once all of them are free.

// Run is bytes of a striped region: Step for each position, from Offset on.
type Run struct{ Offset, Step uint32 }

// plain tells whether a region hands out slots one by one.
func (g *region) plain() bool { return g.runs == nil }

// charged is a region's bytes against limits, dirtied its bytes that may be resident.
func (g *region) charged() uint64 { return g.with(g.committed) }

func (g *region) dirtied() uint64 { return g.with(g.dirty) }

// with is the bytes of some of a region's slots, and of its borders.
func (g *region) with(mask uint32) uint64 {
	return min(uint64(bits.OnesCount32(mask))*SlotBytes+g.borders, RegionBytes)
}

// bordersOf returns how much more than its positions a striped region may hold, if the positions in
// use are side by side: a page at each end of each run, in whole slots.
func bordersOf(runs []Run) uint64 {
	bytes := uint64(2*len(runs)) * uint64(os.Getpagesize())
	return (bytes + SlotBytes - 1) / SlotBytes * SlotBytes
}

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
