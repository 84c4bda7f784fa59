package memmgr

import (
	"fmt"
	"testing"
)

// Of many sequences that lose their rows between two safe points, few keep a chunk. One that gets a
// row in turn with losing it costs no chunk, and rows are untouched.
func TestFewEmptySequencesKeepAChunk(t *testing.T) {
	m := open(t, Options{})
	full := sequence(t, m, "full", 8)
	fillRows(t, full, 1)
	seqs := make([]*Sequence, 10*emptyMost)
	for i := range seqs {
		seqs[i] = sequence(t, m, fmt.Sprint("s", i), 8, 16)
		fillRows(t, seqs[i], 3)
		seqs[i].Truncate(0)
		if n := m.Stats().Chunks; n > 2+emptyMost {
			t.Fatalf("after %d sequences that lost their rows %d chunks are in use", i+1, n)
		}
	}
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
	last, made := seqs[len(seqs)-1], m.counts.made
	for range 10 * emptyMost {
		fillRows(t, last, 1)
		last.DropLast()
	}
	if n := m.counts.made - made; n > 0 {
		t.Errorf("rows that come and go in one sequence made %d chunks", n)
	}
	for _, s := range seqs {
		fillRows(t, s, 2)
	}
	if err := m.Check(); err != nil || full.Len() != 1 || m.Stats().Chunks != 1+len(seqs) {
		t.Errorf("%d chunks, %d rows, %v", m.Stats().Chunks, full.Len(), err)
	}
}

// Where rows come and go in turn in more sequences than keep a chunk, more keep one soon.
func TestRowsThatComeAndGoInTurnCostNoChunks(t *testing.T) {
	m := open(t, Options{})
	seqs := make([]*Sequence, 9*emptyMost)
	for i := range seqs {
		seqs[i] = sequence(t, m, fmt.Sprint("s", i), 8)
	}
	made := make([]uint64, 12)
	for round := range made {
		for _, s := range seqs {
			fillRows(t, s, 1)
			s.DropLast()
		}
		made[round] = m.counts.made
	}
	if n := made[len(made)-1] - made[6]; n > 0 {
		t.Errorf("chunks made by round: %v", made)
	}
	if err := m.SafePoint(); err != nil || m.Stats().Chunks > 0 {
		t.Errorf("after a safe point %d chunks are in use, %v", m.Stats().Chunks, err)
	}
	if err := m.Check(); err != nil {
		t.Error(err)
	}
}

// While many sequences have rows and a spare chunk each, the list of them is not gone over for
// each that is added.
func TestTrimmingGrowsWithTheList(t *testing.T) {
	m := open(t, Options{})
	const n = 8 * emptyMost
	for i := range n {
		s := sequence(t, m, fmt.Sprint("s", i), 4096)
		c := s.Capacity()
		for range 2 {
			if _, n, err := s.AppendRun(c); n != c || err != nil {
				t.Fatal(n, err)
			}
		}
		s.Truncate(c) // the tail is full: the spare is likely to be used
	}
	if len(m.spares) != n || m.trimAt < n/2 || m.trimAt > 2*n {
		t.Errorf("%d of %d sequences are listed, and trimmed beyond %d", len(m.spares), n, m.trimAt)
	}
}
