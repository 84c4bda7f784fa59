package memmgr

import (
	"cmp"
	"math"
	"slices"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/profile"
)

// AnnexPrefix is before the name of a sequence in the name of the annexes of its chunks.
const AnnexPrefix = "annex/"

// Map returns where the chunks lie now, for people to look at: regions by
// address, chunks by group and order. Slots of annexes are listed as chunks without rows of a
// group that begins with AnnexPrefix, in the order of their chunks. Heat and the frame are not the
// manager's to know, and 0. It costs a pass over regions and chunks.
func (m *Manager) Map() profile.Map {
	out := profile.Map{Whole: m.Arena().Backend() == arena.Heap}
	regions := slices.SortedFunc(m.Arena().Regions(), func(a, b arena.RegionInfo) int { return cmp.Compare(a.First, b.First) })
	for _, r := range regions {
		out.Regions = append(out.Regions, profile.Region{
			Range: r.Range.String(), Number: r.Number,
			Free: r.Free, Dirty: r.Dirty, Quarantined: r.Quarantined, Striped: r.Striped,
		})
	}
	at := func(s arena.Slot) (region, slot int) {
		region, _ = slices.BinarySearchFunc(regions, s, func(r arena.RegionInfo, s arena.Slot) int {
			return cmp.Compare(r.First+arena.SlotsPerRegion-1, s)
		})
		return region, int(s - regions[region].First)
	}
	var annexes []profile.Placed
	for p := range m.placements() {
		i, slot := at(p.Slot)
		if p.Block >= 0 {
			out.Regions[i].Blocks |= 1 << slot
		}
		out.Chunks = append(out.Chunks, profile.Placed{
			Group: p.Sequence, Order: p.Order, Region: i, Slot: slot,
			Rows: uint64(p.Rows), Bytes: p.Bytes, Pins: p.Pins, Moves: p.Moves, Copied: p.Copied,
		})
	}
	for _, w := range m.waiting { // as in quarantine: somebody may read there still
		if !w.at.Form.InBlock() {
			i, slot := at(w.at.Slot)
			out.Regions[i].Quarantined |= 1 << slot
		}
	}
	for _, e := range m.table.used() {
		for i := range e.annex.slots {
			c := profile.Placed{Group: AnnexPrefix + e.seq.name, Order: int(e.order & math.MaxInt32), Bytes: min(uint64(e.annex.bytes-min(e.annex.bytes, i*chunk.Bytes)), chunk.Bytes)}
			c.Region, c.Slot = at(e.annex.first + arena.Slot(i))
			annexes = append(annexes, c)
		}
	}
	byOrder := func(a, b profile.Placed) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Order, b.Order))
	}
	slices.SortStableFunc(annexes, byOrder)
	number := make(map[string]int)
	for _, c := range out.Chunks {
		number[c.Group]++ // a sequence may have the name of an annex
	}
	for _, c := range annexes {
		c.Order = number[c.Group]
		number[c.Group]++
		out.Chunks = append(out.Chunks, c)
	}
	slices.SortStableFunc(out.Chunks, byOrder)
	return out
}
