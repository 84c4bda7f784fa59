package memmgr

import (
	"slices"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/plan"
)

// Placement returns where everything lies, as plans are made from it: groups are
// the sequences, in the order in which they were made. Only chunks in slots of their own
// are listed, of sequences that have no others: places of blocks and stripes follow from
// what they hold. Slots in quarantine count as free, since they are by the time that a
// move may want them. It costs a pass over chunks and regions.
func (m *Manager) Placement() plan.Placement {
	m.mustBeMade("Placement")
	in := plan.Placement{
		Frame: m.frame,
		Whole: m.whole(),
	}
	for r := range m.arena.Regions() {
		used := ^r.Free &^ r.Quarantined
		if r.Striped {
			used = ^uint32(0) // no slots for others
		}
		in.Regions = append(in.Regions, plan.Region{Range: r.Range, Number: r.Number, Used: used, Dirty: r.Dirty})
	}
	for g, s := range m.live() {
		in.Groups = append(in.Groups, plan.Group{Name: s.name, RowBytes: s.shape.Full.RowBytes()})
		if !s.plain() {
			continue
		}
		for order, id := range s.chunks {
			e := m.table.at(id)
			r, place := m.arena.PlaceOf(e.spot.slot)
			in.Chunks = append(in.Chunks, plan.Chunk{
				Group: g, Order: order, At: plan.Place{Range: r, N: place},
				Rows: m.rowsOf(id), Pins: uint32(e.pins.Load()), Since: e.since,
			})
		}
	}
	return in
}

// whole tells whether memory goes back by whole regions alone.
func (m *Manager) whole() bool { return m.arena.Backend() == arena.Heap }

// plain tells whether all chunks of a sequence have slots of their own.
func (s *Sequence) plain() bool {
	return !s.stripes(len(s.chunks)-1) &&
		!slices.ContainsFunc(s.chunks, func(id chunk.ID) bool { return s.m.table.at(id).spot.form != whole })
}
