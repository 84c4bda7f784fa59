package memmgr

import (
	"iter"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

// Counts of Adapting are kept as things happen. All else is counted when it is asked for, from the table and
// the sequences, so that there is one truth.

// Stats is the state of a manager. Manager.Stats fills a copy.
type Stats struct {
	Arena     arena.Stats
	Sequences []SequenceStats // in the order in which they were made
	Chunks    int             // in use, spares included
	Small     int             // of these, in blocks that share slots
	Striped   int             // of these, in striped regions
	Spares    int             // of these, empty and kept for the next row
	Pins      uint64          // pins of chunks that have not ended
	Annexes   int             // chunks that have one, for views
	Rows      uint64
	Payload   uint64 // bytes of rows

	Adapting *Adapting // nil if the manager does not adapt
}

// SequenceStats is the state of a sequence.
type SequenceStats struct {
	Name    string
	Rows    int
	Chunks  int    // the one kept for the next row too; chunks that are left before Close are a leak
	Bytes   uint64 // of the chunks
	Payload uint64 // of these, of rows
}

// sequenceCount is the number of sequences.
func (m *Manager) sequenceCount() int {
	m.mustBeMade("Sequences")
	return len(m.seqs) - m.dropped
}

// Stats returns the state. It costs a pass over sequences and chunks.
func (m *Manager) Stats() Stats {
	m.mustBeMade("Stats")
	st := Stats{Arena: m.arena.Stats(), Pins: m.pins()}
	for id, e := range m.table.used() {
		st.Chunks++
		switch {
		case e.spot.Form.InBlock():
			st.Small++
		case e.spot.Form == spot.Striped:
			st.Striped++
		}
		if m.rowsOf(id) == 0 {
			st.Spares++
		}
		if e.annex.slots != 0 {
			st.Annexes++
		}
	}
	st.Sequences = make([]SequenceStats, 0, m.sequenceCount())
	for _, s := range m.live() {
		one := s.stats()
		st.Rows += uint64(one.Rows)
		st.Payload += one.Payload
		st.Sequences = append(st.Sequences, one)
	}
	if a, adapts := m.adapter.sum(); adapts {
		st.Adapting = &a
	}
	return st
}

func (s *Sequence) stats() SequenceStats {
	st := SequenceStats{Name: s.name, Rows: s.Len(), Chunks: len(s.chunks), Bytes: s.bytes()}
	st.Payload = uint64(st.Rows) * uint64(s.shape.Full.RowBytes())
	if s.spare != 0 {
		st.Chunks++
	}
	return st
}

// placement is the place of one chunk. placements fills it.
type placement struct {
	Chunk    chunk.ID
	Sequence string
	Order    int // place in the sequence; -1 for a spare
	Slot     arena.Slot
	Rows     int
	Block    int // of the slot, where chunks share it; -1 elsewhere
	Striped  bool
	Pins     int
	Bytes    uint64 // of rows
	Moves    uint64 // how often the chunk has moved
	Copied   uint64 // bytes that these took
}

// placements iterates over all chunks in use by number.
func (m *Manager) placements() iter.Seq[placement] {
	return func(yield func(placement) bool) {
		for id, e := range m.table.used() {
			p := placement{
				Chunk: id, Sequence: e.seq.name, Order: int(e.order - e.seq.first), Slot: e.spot.Slot, Rows: int(m.rowsOf(id)), Block: -1,
				Striped: e.spot.Form == spot.Striped, Pins: int(e.pins.Load()), Moves: e.moves, Copied: e.copied,
			}
			p.Bytes = uint64(p.Rows) * uint64(e.seq.shape.Full.RowBytes())
			if e.order == spareOrder {
				p.Order = -1
			}
			if e.spot.Form.InBlock() {
				p.Block = int(e.spot.Block)
			}
			if !yield(p) {
				return
			}
		}
	}
}
