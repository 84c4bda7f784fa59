package memmgr

import (
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr/frames"
)

// DropTail and DropAt remove rows of the last chunk, which goes with its last row.
func TestDropTail(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 800)
	n := s.Capacity()
	fillRows(t, s, 2*n+10)
	want := func(rows, tail, spares int) {
		t.Helper()
		if s.Len() != rows || int(s.tailRows()) != tail || m.Stats().Spares != spares || !slices.Equal(rowsOf(s), numbers(0, rows)) {
			t.Errorf("%d rows, %d of them in the last chunk, %d spares; want %d, %d and %d", s.Len(), int(s.tailRows()), m.Stats().Spares, rows, tail, spares)
		}
		only := s.ChunkCount() == 1
		if id, n, ok := s.Only(); ok != only || ok && (n != rows || id != s.At(0).Chunk()) {
			t.Errorf("chunk %d of %d rows is the only one: %v, want %d rows, %v", id, n, ok, rows, only)
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
	if l := s.TryAppend(); l.Row() != 0 || s.Len() != 1 {
		t.Errorf("a row at %v, of %d", l, s.Len())
	}
	s.TryAppend()
	if s.DropLast(); s.Len() != 1 {
		t.Errorf("%d rows", s.Len())
	}
	fillRows(t, s, n-1)
	if s.TryAppend() != 0 || s.Len() != n {
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

// A spare that no row wanted for a while is freed, unless it is pinned. One that was used in
// between stays. The time is counted in frames, so that numbers of chunks are the same with
// adapting on and off.
func TestSparesGetOld(t *testing.T) {
	for _, backend := range []arena.Backend{arena.OS, arena.Heap} {
		m := open(t, Options{Arena: arena.Options{Backend: backend}})
		idle, pinned, used := sequence(t, m, "idle", 8, 8000), sequence(t, m, "pinned", 8, 8000), sequence(t, m, "used", 8, 8000)
		for _, s := range []*Sequence{idle, pinned, used} {
			fillRows(t, s, 2*s.Capacity()+1)
			if s == pinned {
				m.pin(s.tail.Chunk())
			}
			s.DropLast()
		}
		reuse := func() {
			if _, err := used.Append(); err != nil {
				t.Fatal(err)
			}
			used.DropLast()
		}
		old, waits := idle.spare, pinned.spare
		for n := range frames.Many {
			if idle.spare == 0 || old == 0 || waits == 0 {
				t.Fatalf("%v: no spare after %d frames", backend, n)
			}
			frame(t, m)
		}
		for range frames.Many {
			reuse()
			frame(t, m)
		}
		if idle.spare != 0 || pinned.spare != waits || used.spare == 0 {
			t.Errorf("%v: after %d frames the spares are %d, pinned %d, used %d", backend, m.frame, idle.spare, pinned.spare, used.spare)
		}
		m.unpin(waits)
		frame(t, m)
		next := sequence(t, m, "next", 8, 8000)
		fillRows(t, next, 1)
		if got := next.tail.Chunk(); got != old {
			t.Errorf("%v: the next chunk has number %d, not that of the spare, %d", backend, got, old)
		}
		for range 2 * frames.Many {
			frame(t, m)
		}
		if st := m.Stats(); st.Spares != 0 {
			t.Errorf("%v: %d spares in the end", backend, st.Spares)
		}
	}
}
