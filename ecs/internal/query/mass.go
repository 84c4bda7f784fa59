package query

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// World is what the plan is of.
func (p *Plan) World() *Base { return p.base }

// Matching goes over the rows that match, a table at a time. It looks for a table's rows after
// the table before is done. So entities that it has passed may be changed. Their rows may move
// to tables that come later, and are passed again there if they still match.
func (c *Cursor) Matching(yield func(store.Rows) bool) {
	var t tests
	var h hiding
	var bits []uint64
	for _, s := range slices.Clone(c.Sources()) {
		if !c.hidden(&t, &h, &s, c.hides()) || s.idle() {
			continue
		}
		rows := s.Table.All()
		if t.hide != nil || s.tested() || c.skips() {
			c.find(&t, &s)
			rows = t.matching(&s, c.base.S, bits[:0])
			bits = rows.Bits
		}
		if rows.N > 0 && !yield(rows) {
			return
		}
	}
}

// matching are those of a source that pass all tests, with their bits in a slice.
func (t *tests) matching(s *Source, st *store.Store, bits []uint64) store.Rows {
	n := 0
	for i := range s.Seq.ChunkCount() {
		id, rows := s.Seq.Chunk(i)
		var words []uint64
		if s.fresh(id, t.since) {
			var k int
			words, k, _ = t.match(i*s.Table.Stride(), st.Entities(id, rows))
			n += k
		}
		bits = append(bits, words...)
		bits = append(bits, make([]uint64, s.Table.Stride()-len(words))...)
	}
	return store.Rows{Table: s.Table, Bits: bits, N: n}
}
