package query

import (
	mathbits "math/bits"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// World is what the plan is of.
func (p *Plan) World() *Base { return p.base }

// Matching goes over the rows that match, a table at a time. Each table's are looked for when
// those of the table before are done with, so entities that were met may be changed: their
// rows may move to tables that come later, and are met again there if they still match.
func (p *Plan) Matching(yield func(store.Rows) bool) {
	var t tests
	var bits []uint64
	for _, s := range slices.Clone(p.Sources()) {
		if s.idle() {
			continue
		}
		rows := s.Table.All()
		if s.tested() {
			t.find(&s)
			rows = t.rows(&s, p.base.S, bits[:0])
			bits = rows.Bits
		}
		if rows.N > 0 && !yield(rows) {
			return
		}
	}
}

// rows are those of a source that pass all tests, with their bits in a slice.
func (t *tests) rows(s *Source, st *store.Store, bits []uint64) store.Rows {
	n := 0
	for i := range s.Seq.ChunkCount() {
		id, rows := s.Seq.Chunk(i)
		es, at := st.Entities(id, rows), i*s.Table.Stride()
		for k := range s.Table.Stride() {
			w := uint64(0)
			if k*64 < rows {
				w = t.word(at, k*64, es)
			}
			bits = append(bits, w)
			n += mathbits.OnesCount64(w)
		}
	}
	return store.Rows{Table: s.Table, Bits: bits, N: n}
}
