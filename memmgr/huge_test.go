package memmgr

import (
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

// Long sequences have huge pages in their later regions, and in the first ones only those that stated rows fill.
func TestHugeRegions(t *testing.T) {
	const region = chunk.RegionChunks
	for _, tt := range []struct{ expected, full int }{ // rows, of which each is a chunk, and regions
		{0, 0}, {region - 1, 0}, {region, 1}, {3*region - 1, 2}, {3 * region, 3}, {100 * region, 6},
	} {
		m := open(t, Options{})
		var o AdaptOptions
		o.expected = []expected{{"s", tt.expected}}
		m.Adapt(o)
		s := sequence(t, m, "s", 8, 60000)
		fillRows(t, s, spot.HugeFrom+2*region)
		for i, id := range s.chunks {
			r, _ := m.arena.PlaceOf(m.table.at(id).spot.Slot)
			if want := i >= spot.HugeFrom || i/region < tt.full; (r == arena.Huge) != want {
				t.Fatalf("%d rows are expected, and chunk %d lies in %v pages", tt.expected, i, r)
			}
		}
	}
}

// A sequence of more than a region takes an idle region of huge pages in place of new memory. One
// of fewer chunks does not, and none does where there is no such region.
func TestIdleHugeRegions(t *testing.T) {
	m := open(t, Options{})
	if !servesHuge(t, m.arena) {
		t.Skip("this back end has no huge pages: they are tested on linux")
	}
	in := func(s *Sequence, order int) arena.Range {
		r, _ := m.arena.PlaceOf(m.table.at(s.chunks[order]).spot.Slot)
		return r
	}
	large, few := sequence(t, m, "large", 8, 60000), sequence(t, m, "few", 8, 60000)
	fillRows(t, large, spot.HugeFrom+chunk.RegionChunks)
	fillRows(t, few, chunk.RegionChunks+1)
	if r := in(few, chunk.RegionChunks); r != arena.Normal {
		t.Errorf("without an idle region chunk %d lies in %v pages", chunk.RegionChunks, r)
	}
	large.Truncate(spot.HugeFrom - 1) // and not one chunk more stays, kept for the next row
	safePoints(t, m, 3)
	more := sequence(t, m, "more", 8, 60000)
	fillRows(t, more, chunk.RegionChunks)
	before := m.arena.Stats().Committed
	fillRows(t, more, 1)
	if r := in(more, chunk.RegionChunks-1); r != arena.Normal {
		t.Errorf("chunk %d lies in %v pages", chunk.RegionChunks-1, r)
	}
	if r, committed := in(more, chunk.RegionChunks), m.arena.Stats().Committed; r != arena.Huge || committed != before {
		t.Errorf("chunk %d lies in %v pages, and %d bytes more are committed", chunk.RegionChunks, r, committed-before)
	}
}
