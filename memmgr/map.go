package memmgr

import (
	"cmp"
	"slices"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/profile"
)

// Map returns where the chunks lie now, for people to look at: regions by
// address, chunks by group and order. Heat and the frame are not the manager's to know, and
// 0. It costs a pass over regions and chunks.
func (m *Manager) Map() profile.Map {
	out := profile.Map{Whole: m.Arena().Backend() == arena.Heap}
	regions := slices.SortedFunc(m.Arena().Regions(), func(a, b arena.RegionInfo) int { return cmp.Compare(a.First, b.First) })
	for _, r := range regions {
		out.Regions = append(out.Regions, profile.Region{
			Range: r.Range.String(), Number: r.Number,
			Free: r.Free, Dirty: r.Dirty, Quarantined: r.Quarantined, Striped: r.Striped,
		})
	}
	for p := range m.placements() {
		i, _ := slices.BinarySearchFunc(regions, p.Slot, func(r arena.RegionInfo, s arena.Slot) int {
			return cmp.Compare(r.First+arena.SlotsPerRegion-1, s)
		})
		slot := int(p.Slot - regions[i].First)
		if p.Block >= 0 {
			out.Regions[i].Blocks |= 1 << slot
		}
		out.Chunks = append(out.Chunks, profile.Placed{
			Group: p.Sequence, Order: p.Order, Region: i, Slot: slot,
			Rows: uint64(p.Rows), Bytes: p.Bytes, Pins: p.Pins, Moves: p.Moves, Copied: p.Copied,
		})
	}
	slices.SortStableFunc(out.Chunks, func(a, b profile.Placed) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Order, b.Order))
	})
	return out
}
