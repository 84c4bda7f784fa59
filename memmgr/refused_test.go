package memmgr

import (
	"errors"
	"fmt"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

// Where the system refuses the region that chunks belong into, a safe point asks for it
// once, however many of the sequence's chunks are astray.
func TestStraightenAsksOnceWhenRefused(t *testing.T) {
	refuse, refused := false, 0
	m := open(t, Options{Arena: arena.Options{}.WithFault(func(op arena.Op, nth int, _ uint64) error {
		if refuse && op == arena.OpCommit {
			refused++
			return errors.New("injected")
		}
		return nil
	})})
	if m.Arena().Backend() != arena.OS {
		t.Skip("the Go heap is not asked")
	}
	var seqs []*Sequence
	for i := range 640 { // slots here and there are free: no region is
		s := sequence(t, m, fmt.Sprint("s", i), 8, 15992)
		fillRows(t, s, 1)
		seqs = append(seqs, s)
	}
	for i, s := range seqs {
		if i%2 == 0 {
			s.Drop()
		}
	}
	safePoints(t, m, 3)
	refuse = true
	s := sequence(t, m, "long", 8, 8000)
	fillRows(t, s, 200*s.Capacity())
	if _, wholes, stripes, _ := formsOf(s); wholes != 200 || stripes != 0 {
		t.Fatalf("%d chunks in slots, %d striped", wholes, stripes)
	}
	before := refused
	safePoints(t, m, 1)
	if n := refused - before; n > 2 {
		t.Errorf("a safe point was refused %d times", n)
	}
}

// A chunk that another sequence keeps for its next row makes room for a position, where
// the limit leaves no slot.
func TestSpareMakesRoomForPosition(t *testing.T) {
	m := open(t, Options{})
	if m.Arena().Backend() != arena.OS {
		t.Skip("positions are not given back on the Go heap")
	}
	a, b := sequence(t, m, "a", 8, 8), sequence(t, m, "b", 8, 8)
	n := a.Capacity()
	fillRows(t, a, 12*n)
	fillRows(t, b, 12*n+1)
	safePoints(t, m, 5)
	if _, err := m.Reclaim(^uint64(0)); err != nil {
		t.Fatal(err)
	}
	m.Arena().SetLimit(m.Arena().Stats().Committed)
	b.DropLast() // its chunk is kept
	if _, err := a.Append(); err != nil {
		t.Error(err)
	}
}

// A log that forgets its oldest rows when it is refused more memory goes on: memory that it has freed
// serves, though other rows of the region are in use.
func TestDroppedRowsMakeRoomAtLimit(t *testing.T) {
	m := open(t, Options{Arena: arena.Options{Limit: 16 << 20}})
	s := sequence(t, m, "log", 8, 2, 8)
	drops := 0
	for n := s.Capacity(); drops < 40; {
		_, err := s.Append()
		if err == nil {
			_, _, err = s.AppendRun(n - 1)
		}
		if err == nil {
			continue
		}
		if !errors.Is(err, arena.ErrLimit) {
			t.Fatal(err)
		}
		drops++
		s.DropChunks(s.ChunkCount() / 10)
		if _, err := s.Append(); err != nil {
			t.Fatalf("drop %d of %d rows: %v", drops, s.Len(), err)
		}
	}
	safePoints(t, m, 3)
	if err := m.Check(); err != nil {
		t.Error(err)
	}
}

// A block that a pinned chunk has left makes room for a chunk that grows.
func TestUnpinnedBlockMakesRoom(t *testing.T) {
	m := open(t, Options{})
	fill := func(name string, class int) *Sequence { // fills a block of a class
		s := sequence(t, m, name, 8, 16)
		n := int(s.shape.Blocks[class].Capacity())
		if _, k, err := s.AppendRun(n); k != n || err != nil {
			t.Fatal(k, err)
		}
		return s
	}
	last := chunk.Classes - 1
	p, q, y := fill("p", last), fill("q", last), fill("y", last-1)
	id := p.tail.Chunk()
	if m.table.at(q.tail.Chunk()).spot.Slot != m.table.at(id).spot.Slot {
		t.Fatal("they share no slot")
	}
	m.pin(id)
	fillRows(t, p, 1)
	m.unpin(id)
	m.Arena().SetLimit(m.Arena().Stats().Committed)
	var slots []arena.Slot
	for { // until no slot is left
		slot, err := m.arena.Alloc(arena.Normal)
		if err != nil {
			break
		}
		slots = append(slots, slot)
	}
	y.SetLimit(y.shape.Bytes(spot.Form(last + 1)))
	if _, err := y.Append(); err != nil {
		t.Error(err)
	}
	for _, slot := range slots {
		m.arena.Free(slot)
	}
}

// A run that the limit leaves no room for is cut to the room that there is.
func TestAppendRunAtLimit(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 16)
	fillRows(t, s, 1)
	s.SetLimit(s.shape.Bytes(spot.Form(3)))
	rows := int(s.shape.Blocks[2].Capacity())
	for {
		_, k, err := s.AppendRun(1 << 20)
		if err != nil {
			break
		}
		if k == 0 {
			t.Fatal("no rows and no error")
		}
	}
	if s.Len() != rows {
		t.Errorf("%d rows, room for %d", s.Len(), rows)
	}
	if _, err := s.Append(); !errors.Is(err, ErrSequenceLimit) {
		t.Error(err)
	}
}

// A chunk that was pinned where its sequence has no region any more goes back to a slot.
func TestLastOfRegionGoesBack(t *testing.T) {
	m := open(t, Options{})
	m.pacing.clock = stopped
	s := sequence(t, m, "s", 8, 8)
	fillRows(t, s, 12*s.Capacity())
	safePoints(t, m, 5)
	first := s.chunks[0]
	m.pin(first)
	s.Truncate(0) // its first chunk waits, the second one is kept for the next row
	fillRows(t, s, 1)
	m.unpin(first)
	safePoints(t, m, 4)
	if _, _, stripes, _ := formsOf(s); stripes != 0 || m.book.Regions() != 0 {
		t.Errorf("%d chunks are striped, in %d regions", stripes, m.book.Regions())
	}
}

// A chunk that another sequence keeps for its next row makes room for an annex.
func TestSpareMakesRoomForAnnex(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 8000)
	fillRows(t, s, 2*s.Capacity()+1)
	s.DropLast() // its chunk is kept
	var slots []arena.Slot
	m.Arena().SetLimit(m.Arena().Stats().Committed)
	for { // until no slot is left
		slot, err := m.arena.Alloc(arena.Normal)
		if err != nil {
			break
		}
		slots = append(slots, slot)
	}
	if _, err := m.Annex(s.chunks[0], 1); err != nil || m.Stats().Spares != 0 {
		t.Errorf("%v, %d spares", err, m.Stats().Spares)
	}
	for _, slot := range slots {
		m.arena.Free(slot)
	}
}

// The chunk that a sequence keeps for its next row counts against its limit when its
// first one grows.
func TestSpareCountsAgainstLimit(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 16)
	n := s.Capacity()
	fillRows(t, s, 2*n)
	s.Truncate(n)
	s.Truncate(10)
	at, err := m.book.Take(s.shape, 1, arena.Normal)
	if err != nil {
		t.Fatal(err)
	}
	m.book.Retire(s.shape, m.moveTo(s.chunks[0], at))
	s.SetLimit(s.Bytes() + 100)
	for s.Len() < n {
		l, err := s.Append()
		if err != nil {
			t.Fatalf("%d rows: %v", s.Len(), err)
		}
		put(s, l, uint64(s.Len()-1))
		if b := s.Bytes(); b > s.limit {
			t.Fatalf("%d rows in %d bytes of chunks, limit %d", s.Len(), b, s.limit)
		}
	}
}

// The place that a chunk was moved from is nobody's before the second safe point, though
// memory be refused: somebody may hold an address.
func TestQuarantineMakesNoRoom(t *testing.T) {
	m := open(t, Options{Arena: arena.Options{Limit: arena.RegionBytes}})
	s, other := sequence(t, m, "s", 8, 8000), sequence(t, m, "other", 8, 8000)
	fillRows(t, s, 1)
	var slots []arena.Slot
	for { // until no slot is left
		slot, err := m.arena.Alloc(arena.Normal)
		if err != nil {
			break
		}
		slots = append(slots, slot)
	}
	m.arena.Free(slots[0])
	if ok, err := m.Move(s.chunks[0]); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if _, err := other.Append(); !errors.Is(err, arena.ErrLimit) {
		t.Errorf("a row at an address that somebody may hold: %v", err)
	}
	safePoints(t, m, 2)
	if _, err := other.Append(); err != nil {
		t.Error(err)
	}
	for _, slot := range slots[1:] {
		m.arena.Free(slot)
	}
}
