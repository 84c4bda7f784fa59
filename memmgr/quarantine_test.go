package memmgr

import (
	"fmt"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

// Places of unpinned chunks are free again when memory is short, without a safe point.
func TestUnpinnedAreFreeAtOnce(t *testing.T) {
	if arena.Checked {
		t.Skip("places are poisoned, and in quarantine until the second safe point")
	}
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 8000)
	fillRows(t, s, 32*s.Capacity())
	if _, _, _, home := formsOf(s); home == 0 {
		t.Fatal("no region")
	}
	unpin := s.Pin()
	s.Truncate(0)
	m.Arena().SetLimit(m.Arena().Stats().Committed)
	unpin()
	for range 32 * s.Capacity() {
		if _, err := s.Append(); err != nil {
			t.Fatalf("after %d rows: %v", s.Len(), err)
		}
	}
	m.Arena().SetLimit(0)
}

// A program without safe points keeps a bounded number of places in quarantine.
func TestQuarantineIsBounded(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 8000)
	fillRows(t, s, 1)
	for range spot.RetiredMost {
		if _, err := m.Move(s.chunks[0]); err != nil {
			t.Fatal(err)
		}
	}
	if n := m.book.Retired(); n != spot.RetiredMost {
		t.Errorf("%d places", n)
	}
	if _, err := m.Move(s.chunks[0]); err != nil {
		t.Fatal(err)
	}
	if n := m.book.Retired(); n != spot.RetiredMost/2+1 {
		t.Errorf("%d places", n)
	}
	if m.counts.moved != spot.RetiredMost+1 || m.counts.copiedBytes != (spot.RetiredMost+1)*8008 {
		t.Errorf("%+v", *m.counts)
	}
	safePoints(t, m, 2)
	if n := m.book.Retired(); n != 0 {
		t.Errorf("%d places two safe points later", n)
	}
}

// The number of a pinned chunk is free again once it is unpinned.
func TestPinnedNumbersAreUsedAgain(t *testing.T) {
	m := open(t, Options{})
	for i := range 50 {
		s := sequence(t, m, fmt.Sprint("s", i), 8)
		fillRows(t, s, 1)
		id := s.tail.Chunk()
		m.pin(id)
		s.Drop()
		m.unpin(id)
		safePoints(t, m, 2)
	}
	if m.table.count > 3 {
		t.Errorf("%d numbers for a chunk at a time", m.table.count)
	}
}
