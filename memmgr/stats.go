package memmgr

import (
	"iter"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

// Counts are what a manager has done since it was made.
type Counts struct {
	Made          uint64 // chunks taken into use
	Freed         uint64 // chunks given back
	Moved         uint64 // chunks moved, small ones laid out anew not counted
	CopiedBytes   uint64 // bytes copied for both
	SkippedPinned uint64 // moves not made because the chunk was pinned
	SkippedFull   uint64 // moves not made because there was no room
}

// Stats is the state of a manager.
type Stats struct {
	Arena     arena.Stats
	Counts    Counts
	Sequences int
	Chunks    int    // in use, spares included
	Small     int    // of these, laid out small
	Spares    int    // of these, empty and kept for the next row
	Pins      uint64 // calls of Pin that wait for Unpin
	Annexes   int    // slots bound to chunks, for views
	Retired   int    // slots in quarantine
	Rows      uint64
	Payload   uint64 // bytes of rows
}

// Sequences is the number of sequences.
func (m *Manager) Sequences() int { return len(m.seqs) }

// Stats returns the state. It costs a pass over sequences and chunks.
func (m *Manager) Stats() Stats {
	st := Stats{Arena: m.arena.Stats(), Counts: m.counts, Sequences: len(m.seqs), Pins: m.pins, Retired: len(m.retired), Annexes: m.annexes}
	for i := range m.table {
		if e := &m.table[i]; e.seq != nil {
			st.Chunks++
			if e.small {
				st.Small++
			}
			if m.rowsOf(chunk.ID(i)) == 0 {
				st.Spares++
			}
		}
	}
	for _, s := range m.seqs {
		st.Rows += uint64(s.Len())
		st.Payload += uint64(s.Len()) * uint64(s.full.RowBytes())
	}
	return st
}

// Placement is where one chunk lies.
type Placement struct {
	Chunk    chunk.ID
	Sequence string
	Order    int // place in the sequence; -1 for a spare
	Slot     arena.Slot
	Rows     int
	Small    bool
	Pins     int
}

// Placements iterates over all chunks in use by number.
func (m *Manager) Placements() iter.Seq[Placement] {
	return func(yield func(Placement) bool) {
		for i := range m.table {
			e := &m.table[i]
			if e.seq == nil {
				continue
			}
			p := Placement{chunk.ID(i), e.seq.name, int(e.order), e.slot, int(m.rowsOf(chunk.ID(i))), e.small, int(e.pins)}
			if e.order == spareOrder {
				p.Order = -1
			}
			if !yield(p) {
				return
			}
		}
	}
}

// Leak is a sequence that still holds chunks.
type Leak struct {
	Sequence string
	Chunks   int
	Rows     int
	Pins     int
}

// Leaks lists the sequences that hold chunks and were not dropped: what a program
// that embeds the manager asks just before Close.
func (m *Manager) Leaks() (leaks []Leak) {
	for _, s := range m.seqs {
		l := Leak{Sequence: s.name, Rows: s.Len()}
		for i := range m.table {
			if e := &m.table[i]; e.seq == s {
				l.Chunks++
				l.Pins += int(e.pins)
			}
		}
		if l.Chunks > 0 {
			leaks = append(leaks, l)
		}
	}
	return leaks
}
