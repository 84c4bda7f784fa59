package memmgr

import (
	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr/plan"
)

// Placement returns where everything lies, as plans are made from it: groups are
// the sequences, in the order in which they were made. Slots in quarantine count as
// free, since they are by the time that a move may want them. It costs a pass over
// chunks and regions.
func (m *Manager) Placement() plan.Placement {
	in := plan.Placement{
		Frame: m.frame,
		Huge:  m.arena.Serves(arena.Huge) == arena.Huge,
		Whole: m.arena.Backend() == arena.Heap,
	}
	for r := range m.arena.Regions() {
		in.Regions = append(in.Regions, plan.Region{Range: r.Range, Number: r.Number, Used: ^r.Free &^ r.Quarantined, Dirty: r.Dirty})
	}
	for g, s := range m.seqs {
		in.Groups = append(in.Groups, s.group())
		for order, id := range s.chunks {
			e := &m.table[id]
			r, place := m.arena.PlaceOf(e.slot)
			in.Chunks = append(in.Chunks, plan.Chunk{
				Group: g, Order: order, At: plan.Place{Range: r, N: place},
				Rows: m.rowsOf(id), Small: e.small, Pins: e.pins, Since: e.since,
			})
		}
	}
	return in
}

// group describes a sequence.
func (s *Sequence) group() plan.Group {
	_, cache := s.full.CacheRegion()
	g := plan.Group{Name: s.name, RowBytes: s.full.RowBytes(), Columns: s.full.Columns(), Capacity: s.full.Capacity(), Cache: cache != 0}
	if s.hasSmall {
		g.Small = s.small.Capacity()
	}
	return g
}
