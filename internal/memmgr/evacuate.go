package memmgr

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/ashlar-go/ashlar/internal/arena"
	"github.com/ashlar-go/ashlar/internal/chunk"
)

// If memory goes back by whole regions alone, as on the Go heap, the manager empties the
// region with the fewest slots in use. The others must have room for its chunks:
//
//	slots in use   ▂▂ ▆▆ ██ ▅▅
//	               held: its chunks go astray ─→ bring: behind the chunk before it, or
//	               given back ←─ all free        into the fullest region that has room
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

// fullest returns the region with the most slots in use that has room. It leaves one region
// out.
func fullest(regions []arena.RegionInfo, but arena.Slot) (best arena.RegionInfo, ok bool) {
	for _, r := range regions {
		if n := inUse(r); n > inUse(best) && n < arena.SlotsPerRegion && !r.Striped && r.First != but {
			best, ok = r, true
		}
	}
	return best, ok
}

// inUse is how many slots of a region are not free; 0 of no region.
func inUse(r arena.RegionInfo) int { return bits.OnesCount32(^r.Free & r.Committed) }

// evacuation is the region that is being emptied.
type evacuation struct {
	on     bool
	region arena.RegionInfo // as it was when it began
	into   arena.RegionInfo // the fullest one, when it was last looked for
	left   int              // slots in use at the end of the last frame
	waited int              // frames since that fell
}

// holds tells whether a slot is of the region.
func (v *evacuation) holds(slot arena.Slot) bool {
	return v.on && slot-slot%arena.SlotsPerRegion == v.region.First
}

// evacuate ends an evacuation, and begins one now and then.
func (a *adapter) evacuate() {
	m, v := a.m, &a.evacuation
	if v.on {
		n := m.arena.InUse(v.region.Range, v.region.Number)
		if v.waited++; n < v.left {
			v.left, v.waited = n, 0
		}
		switch {
		case n == 0:
			a.stats.Emptied++
			a.next = m.frame
		case v.waited > patience: // chunks are pinned, or others came
			a.stats.GivenUp++
			a.next = m.frame + uint64(a.o.Every)
		default:
			return
		}
		a.endEvacuation()
	}
	if m.frame < a.next {
		return
	}
	a.next = m.frame + uint64(a.o.Every)
	if !m.spread() || a.busy() {
		return
	}
	for _, kind := range [...]arena.Range{arena.Normal, arena.Cold, arena.Huge} {
		if r, ok := toEmpty(m.regionsOf(kind), m.movable); ok {
			a.beginEvacuation(r)
			return
		}
	}
}

// busy tells whether so many chunks come and go that an evacuation would be too late for
// them; but not for ever.
func (a *adapter) busy() bool {
	n := a.m.counts.Made + a.m.counts.Freed
	came := n - a.seen
	a.seen = n
	if a.putOff++; came > (a.m.counts.Made-a.m.counts.Freed)/16 && a.putOff <= 16 {
		return true
	}
	a.putOff = 0
	return false
}

func (a *adapter) beginEvacuation(r arena.RegionInfo) {
	m := a.m
	a.evacuation = evacuation{on: true, region: r, left: inUse(r)}
	m.arena.Hold(r.Range, r.Number, true)
	var ids []chunk.ID
	for slot := r.First; slot < r.First+arena.SlotsPerRegion; slot++ {
		if id := m.tenants[slot]; id != 0 {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(i, j chunk.ID) int { // the last one is brought first
		a, b := m.table.at(i), m.table.at(j)
		return cmp.Or(cmp.Compare(b.seq.place, a.seq.place), cmp.Compare(b.order, a.order))
	})
	m.goAstray(ids...)
}

func (a *adapter) endEvacuation() {
	if v := &a.evacuation; v.on {
		a.m.arena.Hold(v.region.Range, v.region.Number, false)
		v.on = false
	}
}

// movable tells whether all chunks of a region can be moved. A spare is freed before long.
func (m *Manager) movable(r arena.RegionInfo) bool {
	for left := ^r.Free; left != 0; left &= left - 1 {
		id := m.tenants[r.First+arena.Slot(bits.TrailingZeros32(left))]
		if e := m.table.at(id); id == 0 || e.order == spareOrder || e.seq.stays || e.pins.Load() != 0 {
			return false
		}
	}
	return true
}

// regionsOf lists the regions of a range.
func (m *Manager) regionsOf(kind arena.Range) (list []arena.RegionInfo) {
	for r := range m.arena.Regions() {
		if r.Range == kind {
			list = append(list, r)
		}
	}
	return list
}

// lodging finds a place for a chunk of the region that is emptied: behind the chunk before it,
// if the region of that is half full and so will stay. Otherwise it is in the fullest region
// that has room. It takes no new region; ok is false if the others are full.
func (m *Manager) lodging(e *entry) (at spot, ok bool) {
	v := &m.adapt.evacuation
	take := func(kind arena.Range, place uint32) bool {
		slot, took, err := m.arena.AllocAt(kind, place)
		at, ok = spot{slot: slot}, took && err == nil
		return ok
	}
	if i := e.order - e.seq.first; i > 0 {
		before := m.table.at(e.seq.chunks[i-1]).spot
		kind, place := m.arena.PlaceOf(before.slot)
		region := place / arena.SlotsPerRegion
		if place++; before.form == whole && !v.holds(before.slot) && place/arena.SlotsPerRegion == region &&
			m.arena.InUse(kind, region) >= arena.SlotsPerRegion/2 && take(kind, place) {
			return at, true
		}
	}
	for range 2 {
		for p := range uint32(arena.SlotsPerRegion) {
			if r := v.into; r.Free != 0 && take(r.Range, r.Number*arena.SlotsPerRegion+p) {
				return at, true
			}
		}
		v.into, _ = fullest(m.regionsOf(v.region.Range), v.region.First)
	}
	return at, false
}

// settleIn and moveOut note which chunk is in a slot of its own, if regions are emptied.
func (m *Manager) settleIn(at spot, id chunk.ID) {
	if at.form == whole && m.whole() {
		if m.tenants == nil {
			m.tenants = make(map[arena.Slot]chunk.ID)
		}
		m.tenants[at.slot] = id
	}
}

func (m *Manager) moveOut(at spot) {
	if at.form == whole {
		delete(m.tenants, at.slot)
	}
}

// whole tells whether memory goes back by whole regions alone.
func (m *Manager) whole() bool { return m.arena.Backend() == arena.Heap }
