package placement

import (
	"cmp"
	"slices"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
)

// Of is the map of a manager as it is now. Heat and the moves of single chunks are
// what a recorder knows, and 0 here.
func Of(m *memmgr.Manager, frame uint64) profile.Map {
	out := profile.Map{Frame: frame}
	infos := slices.SortedFunc(m.Arena().Regions(), func(a, b arena.RegionInfo) int { return cmp.Compare(a.First, b.First) })
	for _, r := range infos {
		out.Regions = append(out.Regions, profile.Region{Range: r.Range.String(), Number: r.Number, Free: r.Free, Dirty: r.Dirty, Quarantined: r.Quarantined})
	}
	for p := range m.Placements() {
		i, _ := slices.BinarySearchFunc(infos, p.Slot, func(r arena.RegionInfo, s arena.Slot) int { return cmp.Compare(r.First+arena.SlotsPerRegion-1, s) })
		rowBytes := m.Sequence(p.Chunk).Layout().RowBytes()
		out.Chunks = append(out.Chunks, profile.Placed{
			Group: p.Sequence, Order: p.Order, Region: i, Slot: int(p.Slot - infos[i].First),
			Rows: uint64(p.Rows), Bytes: uint64(p.Rows) * uint64(rowBytes), Pins: p.Pins,
		})
	}
	slices.SortStableFunc(out.Chunks, func(a, b profile.Placed) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Order, b.Order))
	})
	return out
}
