package memmgr

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

// A chunk that is pinned for long keeps no other one of its sequence from its position.
func TestPinKeepsNoOtherAway(t *testing.T) {
	m := open(t, Options{})
	m.pacing.clock = stopped
	s := sequence(t, m, "long", 8, 8000)
	fillRows(t, s, 5*s.Capacity())
	m.pin(s.chunks[0])
	defer m.unpin(s.chunks[0])
	fillRows(t, s, 20*s.Capacity())
	safePoints(t, m, 3)
	for _, i := range []int{3, 12} {
		if ok, err := m.Move(s.chunks[i]); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	safePoints(t, m, 2)
	if _, _, _, home := formsOf(s); home != 24 {
		t.Errorf("%d of 24 chunks that may move are home", home)
	}
}

// A safe point looks at a bounded number of chunks that are astray, and the next one goes on.
func TestStraightenLooksAtFew(t *testing.T) {
	m := open(t, Options{})
	m.setBudget(Budget{Bytes: 1}, 0, stopped)
	s := sequence(t, m, "long", 8, 60000)
	const n = astrayMost + 2*chunk.RegionChunks
	if _, _, err := s.AppendRun(1); err != nil {
		t.Fatal(err)
	}
	fillRows(t, s, n-1)
	safePoints(t, m, stripeFrom+2)
	for _, id := range s.chunks {
		if ok, err := m.Move(id); !ok || err != nil {
			t.Fatal(ok, err)
		}
		m.pin(id)
	}
	for _, want := range []int{astrayMost, 2*astrayMost - n} {
		if safePoints(t, m, 1); m.turn != want || len(m.astray) != n {
			t.Fatalf("the next safe point begins at the %dth of %d chunks, want the %dth", m.turn, len(m.astray), want)
		}
	}
	m.unpin(m.astray[m.turn])
	m.unpin(m.astray[m.turn+5])
	for want := range 3 { // the budget allows one move
		if _, _, _, home := formsOf(s); home != want || len(m.astray) != n-want {
			t.Errorf("%d chunks are home and %d are not, want %d", home, len(m.astray), want)
		}
		safePoints(t, m, 1)
	}
	for _, id := range m.astray {
		m.unpin(id)
	}
}

// A sequence that was emptied while a place of its region was in quarantine begins anew, in
// slots.
func TestFewAfterMany(t *testing.T) {
	m := open(t, Options{})
	m.pacing.clock = stopped
	s := sequence(t, m, "s", 8, 7992)
	fillRows(t, s, 12*s.Capacity())
	safePoints(t, m, 3)
	if _, err := m.Move(s.chunks[11]); err != nil {
		t.Fatal(err)
	}
	s.Truncate(0)
	safePoints(t, m, 1)
	if s.busy() || m.book.Regions() == 0 {
		t.Fatalf("%d chunks, %d regions", len(s.chunks), m.book.Regions())
	}
	fillRows(t, s, 6*s.Capacity())
	if _, wholes, stripes, _ := formsOf(s); wholes != 6 || stripes != 0 {
		t.Errorf("%d chunks in slots, %d striped", wholes, stripes)
	}
}

// A chunk that is kept for the next row may be moved: it has no position of its own.
func TestMoveOfSpare(t *testing.T) {
	m := open(t, Options{})
	m.pacing.clock = stopped
	s := sequence(t, m, "s", 8, 7992)
	fillRows(t, s, 12*s.Capacity()+1)
	safePoints(t, m, 3)
	s.DropLast()
	id := s.spare
	if ok, err := m.Move(id); !ok || err != nil || s.spare != id {
		t.Fatal(ok, err, s.spare)
	}
	if s.home.Len() != 1 || len(m.astray) != 0 {
		t.Errorf("%d regions, %d chunks are astray", s.home.Len(), len(m.astray))
	}
	s.Truncate(11*s.Capacity() + 1)
	id = s.tail.Chunk()
	if ok, err := m.Move(id); !ok || err != nil || len(m.astray) != 1 {
		t.Fatal(ok, err, m.astray)
	}
	at := m.table.at(id).spot
	s.DropLast() // it was to come home
	safePoints(t, m, 3)
	if s.spare != id || m.table.at(id).spot != at || s.home.Len() != 1 || len(m.astray) != 0 {
		t.Errorf("%d regions, %d chunks are astray; the spare went from %v to %v", s.home.Len(), len(m.astray), at, m.table.at(id).spot)
	}
	fillRows(t, s, s.Capacity()+1) // it is used where it is, and comes home
	safePoints(t, m, 2)
	if _, _, _, home := formsOf(s); home != 13 || s.chunks[11] != id {
		t.Errorf("%d of 13 chunks are home", home)
	}
}

// Rows of no bytes have nothing to lay side by side: their chunks stay in slots.
func TestNothingToStripe(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "tags", 0)
	for s.Len() < 12*s.Capacity() {
		if _, _, err := s.AppendRun(s.Capacity()); err != nil {
			t.Fatal(err)
		}
	}
	safePoints(t, m, 3)
	if _, wholes, _, _ := formsOf(s); wholes != 12 || m.book.Regions() != 0 || len(m.astray) != 0 {
		t.Errorf("%d of 12 chunks in slots, %d regions, %d chunks are astray", wholes, m.book.Regions(), len(m.astray))
	}
}

// Memory that a pinned chunk has left is free with the next call that makes a chunk, once it is
// unpinned.
func TestUnpinnedIsFreeWithNextChunk(t *testing.T) {
	m := open(t, Options{})
	s, other := sequence(t, m, "s", 8, 8000), sequence(t, m, "other", 8, 8000)
	fillRows(t, s, 1)
	id := s.tail.Chunk()
	m.pin(id)
	s.Drop()
	fillRows(t, other, 1)
	if len(m.waiting) != 1 || other.tail.Chunk() == id {
		t.Fatalf("%d places wait for the end of a pin", len(m.waiting))
	}
	m.unpin(id)
	fillRows(t, other, other.Capacity())
	if len(m.waiting) != 0 || other.tail.Chunk() != id {
		t.Errorf("%d places wait for nobody, and chunk %d was made", len(m.waiting), other.tail.Chunk())
	}
}

// A second chunk is striped, and the first follows at once: its slot serves others. A table that has
// shrunk to a block goes back to one. More columns have stripes begin later.
func TestStripesFromSecondChunk(t *testing.T) {
	m := opened(t, Options{})
	if m.arena.Backend() == arena.Heap {
		t.Skip("regions are resident as a whole: see TestShortSequencesLeaveRegions")
	}
	m.pacing.clock = stopped
	s, other := sequence(t, m, "s", 8, 500), sequence(t, m, "other", 8, 500)
	n := s.Capacity()
	fillRows(t, s, n)
	slot := m.table.at(s.chunks[0]).spot.Slot
	fillRows(t, s, 1)
	if _, _, _, home := formsOf(s); home != 2 {
		t.Errorf("%d of 2 chunks are home", home)
	}
	fillRows(t, other, n)
	if at := m.table.at(other.chunks[0]).spot.Slot; at != slot && !arena.Checked {
		t.Errorf("another table grows into slot %d, and slot %d is free", at, slot)
	}
	if !slices.Equal(rowsOf(s), numbers(0, n+1)) {
		t.Error("values differ")
	}
	for _, c := range []struct{ rows, home, blocks int }{{n / 2, 1, 0}, {n / 8, 0, 1}} {
		s.Truncate(c.rows)
		safePoints(t, m, 3)
		if blocks, _, _, home := formsOf(s); home != c.home || blocks != c.blocks {
			t.Errorf("%d rows: %d chunks are home, and %d in blocks", c.rows, home, blocks)
		}
	}
	if m.book.Regions() != 0 {
		t.Errorf("%d regions are left", m.book.Regions())
	}
	for columns, want := range map[int]int{1: 1, 16: 1, 24: 2, 64: 7, 100: 8} {
		sizes := make([]uint32, columns)
		for i := range sizes {
			sizes[i] = 8
		}
		if got := sequence(t, m, fmt.Sprint(columns), sizes...).shape.Few; got != want {
			t.Errorf("%d columns: striped from %d chunks on, want %d", columns, got, want)
		}
	}
}

// A pinned first chunk stays where it is when the second one is striped, and follows once it is free.
func TestPinnedFirstChunkFollowsLater(t *testing.T) {
	m := opened(t, Options{})
	if m.arena.Backend() == arena.Heap {
		t.Skip("regions are resident as a whole: see TestShortSequencesLeaveRegions")
	}
	m.pacing.clock = stopped
	s := sequence(t, m, "s", 8, 500)
	fillRows(t, s, s.Capacity())
	id, at := s.chunks[0], m.table.at(s.chunks[0]).spot
	m.pin(id)
	fillRows(t, s, 1)
	safePoints(t, m, 1)
	if m.table.at(id).spot != at {
		t.Error("a pinned chunk has moved")
	}
	m.unpin(id)
	safePoints(t, m, 1)
	if _, _, _, home := formsOf(s); home != 2 {
		t.Errorf("%d of 2 chunks are home", home)
	}
}

// Short sequences open no region while a limit leaves little, or on the Go heap, where it is resident
// as a whole.
func TestShortSequencesLeaveRegions(t *testing.T) {
	for name, o := range map[string]arena.Options{"limit": {Limit: 8 << 20}, "heap": {Backend: arena.Heap}} {
		m := opened(t, Options{Arena: o})
		s := sequence(t, m, "s", 8, 500)
		fillRows(t, s, 3*s.Capacity())
		safePoints(t, m, 1)
		if _, wholes, _, _ := formsOf(s); wholes != 3 || m.book.Regions() != 0 {
			t.Errorf("%s: %d of 3 chunks in slots, %d regions", name, wholes, m.book.Regions())
		}
	}
}
