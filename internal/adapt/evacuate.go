package adapt

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/ashlar-go/ashlar/internal/arena"
)

// If memory goes back by whole regions alone, as on the Go heap, the manager empties the
// region with the fewest slots in use. The others must have room for its chunks:
//
//	slots in use   ▂▂ ▆▆ ██ ▅▅
//	               held: its chunks go ─→ behind the chunk before it, or
//	               given back ←─ all free  into the fullest region that has room
//
// One region is emptied at a time. It gives 2 MiB back for at most as much that is copied, so
// nothing is measured and nothing taken back. Only chunks in slots of their own are moved. A
// region with stripes, blocks or annexes stays.

const (
	// slack is what part of the slots in use may be free: that is no waste.
	slack = 16
	// triesMost is how many regions are looked into, the emptiest first.
	triesMost = 8
	// patience is for how many frames a region is held that no chunk has left.
	patience = 8
)

// never is a frame that does not come.
const never = ^uint64(0)

// toEmpty returns which of a range's regions to empty: the one with the fewest slots in use
// for which movable returns true, and the last of several. The others must have room for its
// chunks. It costs a pass over the regions.
func toEmpty(regions []arena.RegionInfo, movable func(arena.RegionInfo) bool) (victim arena.RegionInfo, ok bool) {
	used, room := 0, 0
	var emptiest []arena.RegionInfo
	for _, r := range regions {
		n := inUse(r)
		if n == 0 || r.Striped {
			continue
		}
		used, room = used+n, room+arena.SlotsPerRegion-n
		i, _ := slices.BinarySearchFunc(emptiest, r, func(a, b arena.RegionInfo) int { return cmp.Or(inUse(a)-inUse(b), 1) })
		if emptiest = slices.Insert(emptiest, i, r); len(emptiest) > triesMost {
			emptiest = emptiest[:triesMost]
		}
	}
	if room < arena.SlotsPerRegion || room*slack <= used {
		return victim, false
	}
	if i := slices.IndexFunc(emptiest, movable); i >= 0 {
		return emptiest[i], true
	}
	return victim, false
}

// inUse is how many slots of a region are not free; 0 of no region.
func inUse(r arena.RegionInfo) int { return bits.OnesCount32(^r.Free & r.Committed) }

// evacuation is the region that is being emptied.
type evacuation struct {
	on     bool
	region arena.RegionInfo // as it was when it began
	left   int              // slots in use at the end of the last frame
	waited int              // frames since that fell
	next   uint64           // frame in which to look at it, or in which one may begin
}

// evacuate ends an evacuation, and begins one now and then.
func (a *Adapter) evacuate() {
	memory := a.m.Arena()
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
			a.next = a.frame + uint64(a.o.Every)
		default:
			return
		}
		a.endEvacuation()
	}
	if a.frame < a.next {
		return
	}
	a.next = a.frame + uint64(a.o.Every)
	// Where all chunks are in one region, moving them gains nothing.
	if memory.CommittedChunks() <= arena.RegionBytes {
		return
	}
	for _, kind := range [...]arena.Range{arena.Normal, arena.Cold, arena.Huge} {
		if r, ok := toEmpty(regionsOf(memory, kind), a.m.Movable); ok {
			a.evacuation.on, a.region, a.left, a.waited = true, r, inUse(r), 0
			order := a.o.Order
			if a.walked != nil {
				order = slices.Concat(order, a.walked())
			}
			a.m.Leave(r, order)
			a.next = a.frame
			return
		}
	}
}

func (a *Adapter) endEvacuation() {
	if a.on {
		a.m.Stay(a.region)
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
