package memmgr

import (
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

// A log that is cut in front for ever holds the regions that it needs, and no list of regions
// that it had.
func TestRetention(t *testing.T) {
	m := open(t, Options{})
	m.pacing.clock = stopped
	s := sequence(t, m, "log", 8, 7992)
	next, first := 0, 0
	for range 30 {
		for range 20 * s.Capacity() {
			l, err := s.Append()
			if err != nil {
				t.Fatal(err)
			}
			put(s, l, uint64(next))
			next++
		}
		safePoints(t, m, 1)
		if n := s.ChunkCount() - 40; n > 0 {
			s.DropChunks(n)
			first += n * s.Capacity()
		}
		if !slices.Equal(rowsOf(s), numbers(first, next)) {
			t.Fatal("rows differ")
		}
		if s.home.Len() > 4 || m.book.Regions() > 4 { // one of them in quarantine
			t.Fatalf("%d regions for %d chunks", s.home.Len(), s.ChunkCount())
		}
	}
	safePoints(t, m, 2)
	if _, _, _, home := formsOf(s); home != 40 || s.first != 600-40 {
		t.Errorf("%d of 40 chunks are home; the first is number %d", home, s.first)
	}
	if id, n := s.Chunk(0); m.Order(id) != 0 || n != s.Capacity() || s.At(0) != MakeLoc(id, 0) {
		t.Errorf("chunk %d has place %d and %d rows", id, m.Order(id), n)
	}
	s.DropChunks(40)
	safePoints(t, m, 2)
	fillRows(t, s, 20*s.Capacity())
	safePoints(t, m, 2)
	if s.home.Len() != 1 || !s.home.Has(0, m.table.at(s.chunks[0]).spot) || s.first != 0 {
		t.Errorf("%d regions after all rows have gone", s.home.Len())
	}
}

// Reclaim ends quarantines and takes spares, and gives back their memory.
func TestReclaim(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		m := open(t, o)
		s := sequence(t, m, "s", 8, 7992)
		fillRows(t, s, s.Capacity()+1)
		if _, err := m.Move(s.chunks[0]); err != nil {
			t.Fatal(err)
		}
		s.DropLast()
		if st := m.Stats(); m.book.Retired() != 1 || st.Spares != 1 {
			t.Fatalf("%+v", st)
		}
		freed, err := m.Reclaim(^uint64(0))
		st := m.Stats()
		if err != nil || m.book.Retired() != 0 || st.Spares != 0 || st.Arena.Quarantined != 0 || st.Arena.Idle != 0 {
			t.Errorf("%v, %+v", err, st)
		}
		if want := st.Arena.Live; m.Arena().Backend() == arena.OS && (freed < chunk.Bytes || st.Arena.Dirty != want) {
			t.Errorf("%d bytes given back, %d dirty, %d live", freed, st.Arena.Dirty, want)
		}
		if n, err := m.Reclaim(^uint64(0)); n != 0 || err != nil {
			t.Errorf("a second time %d bytes, %v", n, err)
		}
	})
}

// Under Stress, moves that find no room are counted, and nothing is lost.
func TestStressWithoutRoom(t *testing.T) {
	m := open(t, Options{Stress: true, Arena: arena.Options{Limit: arena.RegionBytes}})
	s := sequence(t, m, "s", 8, 7992)
	for {
		l, err := s.Append()
		if err != nil {
			break
		}
		put(s, l, uint64(s.Len()-1))
	}
	before := *m.counts
	safePoints(t, m, 3)
	after := *m.counts
	if n := uint64(s.ChunkCount()); after.skippedFull == before.skippedFull || after.skippedFull+after.moved-before.skippedFull-before.moved != 3*n {
		t.Errorf("%d chunks, three times: %+v, %+v", n, before, after)
	}
	if !slices.Equal(rowsOf(s), numbers(0, s.Len())) {
		t.Error("rows differ")
	}
}

// Reclaim takes the chunk of a sequence that was emptied, too.
func TestReclaimOfEmptied(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8)
	fillRows(t, s, 3)
	s.Truncate(0)
	if _, err := m.Reclaim(^uint64(0)); err != nil || s.busy() || m.Stats().Chunks != 0 || len(m.spares) != 0 {
		t.Errorf("%d chunks, %v", m.Stats().Chunks, err)
	}
	fillRows(t, s, 2)
	s.Truncate(0)
	fillRows(t, s, 1) // listed, and with rows again
	safePoints(t, m, 2)
	if s.Len() != 1 || len(m.spares) != 0 || s.listed {
		t.Errorf("%d rows, %d sequences listed", s.Len(), len(m.spares))
	}
}
