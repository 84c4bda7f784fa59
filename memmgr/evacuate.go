package memmgr

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr/frames"
)

// After a peak, chunks of short sequences are few in many regions. The manager empties the region
// in which they have the fewest bytes, where the others have room for them:
//
//	bytes of chunks   ▂▂ ▆▆ ██ ▅▅
//	                  held: its chunks go ─→ into slots with free blocks, behind the chunk before
//	                        them, or into the fullest region that has room
//	                  all free: given back as a whole, by its age
//
// One region is emptied at a time. It gives 2 MiB back for at most as much that is copied, so
// nothing is measured and nothing taken back. Chunks in blocks and in slots of their own are moved.
// A region with stripes or annexes stays, and so do huge pages: only striped regions have them.

const (
	// slack is the share of the bytes in use that may be free besides: that is no waste
	// (TestToEmpty).
	slack = 16
	// triesMost is how many regions are looked into, the emptiest first (TestToEmpty).
	triesMost = 8
	// patience is for how many frames a region is held that no chunk has left.
	patience = frames.Few
)

// never is a frame that does not come.
const never = ^uint64(0)

// toEmpty returns which of a range's regions to empty: the one with the fewest bytes of chunks for
// which movable returns true, given how many slots are free in the others; the last of several. It
// costs a pass over the regions.
func toEmpty(regions []arena.RegionInfo, bytes func(arena.RegionInfo) uint64, movable func(arena.RegionInfo, int) bool) (victim arena.RegionInfo, ok bool) {
	type candidate struct {
		arena.RegionInfo
		bytes uint64
	}
	var emptiest []candidate
	var full filling
	free := 0
	for _, r := range regions {
		n := inUse(r)
		if n == 0 || r.Striped {
			continue
		}
		c := candidate{r, bytes(r)}
		full.add(c.bytes)
		free += arena.SlotsPerRegion - n
		i, _ := slices.BinarySearchFunc(emptiest, c, func(a, b candidate) int { return cmp.Or(cmp.Compare(a.bytes, b.bytes), 1) })
		if emptiest = slices.Insert(emptiest, i, c); len(emptiest) > triesMost {
			emptiest = emptiest[:triesMost]
		}
	}
	if !full.wasteful() {
		return victim, false
	}
	for _, c := range emptiest {
		if movable(c.RegionInfo, free-(arena.SlotsPerRegion-inUse(c.RegionInfo))) {
			return c.RegionInfo, true
		}
	}
	return victim, false
}

// inUse is how many slots of a region are not free; 0 of no region.
func inUse(r arena.RegionInfo) int { return bits.OnesCount32(^r.Free & r.Committed) }

func extentOf(m *Manager) extent {
	idle, _ := m.arena.Idle()
	return extent{m.layout, m.arena.DirtyBy(arena.PurposeChunks), idle}
}

// evacuate ends an evacuation, and begins one now and then.
func (a *adapter) evacuate() {
	memory := a.manager.Arena()
	if a.on {
		n := memory.InUse(a.region.Range, a.region.Number)
		if a.waited++; n < a.left {
			a.left, a.waited = n, 0
		}
		switch {
		case n == 0:
			a.done.Emptied++
		case a.waited > patience: // chunks are pinned, or others came
			a.done.GivenUp++
			a.next = a.frame + uint64(a.options.Every)
		default:
			return
		}
		a.endEvacuation()
	}
	if a.frame < a.next {
		return
	}
	a.next = a.frame + uint64(a.options.Every)
	now := extentOf(a.manager)
	if now == a.full {
		return
	}
	a.full = now
	fills := filled(memory, a.manager.regionBytes)
	for _, kind := range [...]arena.Range{arena.Normal, arena.Cold, arena.Huge} {
		if !fills[kind].wasteful() {
			continue // as most of the time: regions are not listed for that
		}
		a.full = extent{} // a region that can't be emptied now may be movable later
		if r, ok := toEmpty(regionsOf(memory, kind), a.manager.regionBytes, a.manager.movable); ok {
			a.evacuation.on, a.region, a.left, a.waited = true, r, inUse(r), 0
			order := a.options.order
			if a.walked != nil {
				order = slices.Concat(order, a.walked())
			}
			a.manager.leave(r, order)
			a.next = a.frame
			return
		}
	}
}

// filling is how full the regions in use of a range are.
type filling struct {
	used uint64 // bytes of chunks
	all  uint64 // bytes of the regions
}

func (f *filling) add(bytes uint64) { f.used, f.all = f.used+bytes, f.all+arena.RegionBytes }

// wasteful tells whether a region may be worth emptying: as much as a region is free, and a share of
// the used bytes. One region in use alone never is: it has less free than that.
func (f filling) wasteful() bool {
	waste := f.all - f.used
	return waste >= arena.RegionBytes && waste*slack > f.used
}

// filled is the filling of each range, in one pass over the regions.
func filled(memory *arena.Arena, bytes func(arena.RegionInfo) uint64) (list [arena.Cold + 1]filling) {
	for r := range memory.Regions() {
		if inUse(r) > 0 && !r.Striped {
			list[r.Range].add(bytes(r))
		}
	}
	return list
}

func (a *adapter) endEvacuation() {
	if a.on {
		a.manager.stay(a.region)
		a.on = false
	}
}

// regionsOf lists the regions of a range.
func regionsOf(memory *arena.Arena, kind arena.Range) (list []arena.RegionInfo) {
	for r := range memory.Regions() {
		if r.Range == kind {
			list = append(list, r)
		}
	}
	return list
}
