package memmgr

import (
	"cmp"
	"slices"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/profile"
)

// Map returns where the chunks lie now, for people to look at: regions by address,
// chunks by group and order. Heat is not the manager's to know, and 0. It costs a pass
// over regions and chunks.
func (m *Manager) Map() profile.Map {
	m.mustBeMade("Map")
	out := profile.Map{Frame: m.frame, Whole: m.whole()}
	regions := slices.SortedFunc(m.arena.Regions(), func(a, b arena.RegionInfo) int { return cmp.Compare(a.First, b.First) })
	for _, r := range regions {
		out.Regions = append(out.Regions, profile.Region{
			Range: r.Range.String(), Number: r.Number,
			Free: r.Free, Dirty: r.Dirty, Quarantined: r.Quarantined, Striped: r.Striped,
		})
	}
	at := func(slot arena.Slot) int {
		i, _ := slices.BinarySearchFunc(regions, slot, func(r arena.RegionInfo, s arena.Slot) int {
			return cmp.Compare(r.First+arena.SlotsPerRegion-1, s)
		})
		return i
	}
	for _, b := range m.blocks {
		for slot := range b.masks {
			out.Regions[at(slot)].Blocks |= 1 << (slot % arena.SlotsPerRegion)
		}
	}
	for p := range m.Placements() {
		e, i := m.table.at(p.Chunk), at(p.Slot)
		out.Chunks = append(out.Chunks, profile.Placed{
			Group: p.Sequence, Order: p.Order, Region: i, Slot: int(p.Slot - regions[i].First),
			Rows: uint64(p.Rows), Bytes: uint64(p.Rows) * uint64(e.seq.shape.Full.RowBytes()),
			Pins: p.Pins, Moves: e.moves, Copied: e.copied,
		})
	}
	slices.SortStableFunc(out.Chunks, func(a, b profile.Placed) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Order, b.Order))
	})
	return out
}
