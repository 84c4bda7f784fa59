package memmgr

import (
	"slices"
	"testing"
)

// DropTail and DropAt remove rows of the last chunk, which goes with its last row.
func TestDropTail(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 800)
	n := s.Capacity()
	fillRows(t, s, 2*n+10)
	want := func(rows, tail, spares int) {
		t.Helper()
		if s.Len() != rows || s.TailLen() != tail || m.Stats().Spares != spares || !slices.Equal(rowsOf(s), numbers(0, rows)) {
			t.Errorf("%d rows, %d of them in the last chunk, %d spares; want %d, %d and %d", s.Len(), s.TailLen(), m.Stats().Spares, rows, tail, spares)
		}
		if err := m.Check(); err != nil {
			t.Error(err)
		}
	}
	s.DropTail(1)
	want(2*n+9, 9, 0)
	s.DropTail(8)
	want(2*n+1, 1, 0)
	s.DropTail(1)
	want(2*n, n, 1)
	s.DropAt(s.Last())
	want(2*n-1, n-1, 1)
	s.DropTail(n - 1)
	want(n, n, 1)
	s.DropTail(n - 1)
	want(1, 1, 1)
	s.DropAt(s.Last())
	want(0, 0, 2)
	if l := s.TryAppend(); l.Row() != 0 || s.Len() != 1 || !s.HasRoom() {
		t.Errorf("a row at %v, of %d", l, s.Len())
	}
	s.Push()
	if s.DropLast(); s.Len() != 1 {
		t.Errorf("%d rows", s.Len())
	}
	fillRows(t, s, n-1)
	if s.HasRoom() || s.TryAppend() != 0 || s.Len() != n {
		t.Errorf("room for another row than %d", n)
	}
}

// A sequence that empties, fills and empties again has its only chunk freed each time, also
// where a safe point has found rows in between.
func TestOnlyChunkIsFreedAgain(t *testing.T) {
	for _, pop := range []func(s *Sequence){func(s *Sequence) { s.DropLast() }, func(s *Sequence) { s.Truncate(0) }, func(s *Sequence) { s.SwapRemove(s.Last()) }} {
		m := open(t, Options{})
		s := sequence(t, m, "s", 8)
		fillRows(t, s, 1)
		pop(s)
		fillRows(t, s, 1)
		if err := m.SafePoint(); err != nil || m.Stats().Chunks != 1 {
			t.Fatalf("%v, %d chunks", err, m.Stats().Chunks)
		}
		pop(s)
		if err := m.SafePoint(); err != nil || m.Stats().Chunks != 0 || s.ChunkCount() != 0 {
			t.Errorf("%v, %d chunks of an empty sequence", err, m.Stats().Chunks)
		}
	}
}
