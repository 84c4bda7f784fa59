package memmgr

import (
	"errors"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
)

// A chunk that one sequence keeps for its next row serves another before that is refused.
func TestSparesServeOthers(t *testing.T) {
	m := open(t, Options{Arena: arena.Options{Limit: arena.RegionBytes}})
	var serial uint64
	var seqs []*Sequence
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		s := sequence(t, m, name, 8, 8000) // too wide for blocks
		fill(t, s, 6, &serial)
		seqs = append(seqs, s)
	}
	for _, s := range seqs {
		s.Truncate(s.Len() - s.Capacity()) // its last chunk is kept
	}
	if got := m.Stats().Spares; got != 5 {
		t.Fatalf("%d chunks are kept for the next row", got)
	}
	other := sequence(t, m, "other", 8, 8000)
	if fill(t, other, 7, &serial); other.ChunkCount() != 7 {
		t.Errorf("%d chunks", other.ChunkCount())
	}
	if got := m.Stats().Spares; got != 0 {
		t.Errorf("%d chunks are kept for the next row, and others were refused some", got)
	}
	var err error
	for err == nil {
		_, err = other.Append()
	}
	if !errors.Is(err, arena.ErrLimit) {
		t.Error(err)
	}
}

// fill appends rows for so many chunks.
func fill(t *testing.T, s *Sequence, chunks int, serial *uint64) {
	t.Helper()
	for range chunks * s.Capacity() {
		l, err := s.Append()
		if err != nil {
			t.Fatal(err)
		}
		*serial++
		put(s, l, *serial)
	}
}

// A spare chunk that a reader has pinned makes no space. Once it is unpinned, it does.
func TestPinnedSpareMakesNoSpace(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 8000)
	fillRows(t, s, s.Capacity()+1)
	id := s.chunks[1]
	s.DropLast()
	m.pin(id)
	if m.makeSpace(nil) || s.spare != id {
		t.Errorf("space was made of chunk %d, which is pinned: spare is %d", id, s.spare)
	}
	m.unpin(id)
	if !m.makeSpace(nil) || s.spare != 0 {
		t.Errorf("no space was made of chunk %d, which is not pinned: spare is %d", id, s.spare)
	}
	if m.makeSpace(nil) {
		t.Error("space was made of nothing")
	}
}
