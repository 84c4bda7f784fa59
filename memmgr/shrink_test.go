package memmgr

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
)

// roomOf is how many rows the only chunk of a sequence has room for.
func roomOf(s *Sequence) int { return int(s.tailCap()) }

// The only chunk gets less room as its rows go, by each way in which rows go, and keeps
// number, rows and locations.
func TestLessRoom(t *testing.T) {
	for name, shrink := range map[string]func(s *Sequence, to int){
		"DropLast": func(s *Sequence, to int) {
			for s.Len() > to {
				s.DropLast()
			}
		},
		"DropAt": func(s *Sequence, to int) {
			for s.Len() > to {
				s.DropAt(s.Last())
			}
		},
		"DropTail": func(s *Sequence, to int) { s.DropTail(s.Len() - to) },
		"Truncate": func(s *Sequence, to int) { s.Truncate(to) },
		"SwapRemove": func(s *Sequence, to int) {
			for s.Len() > to {
				s.SwapRemove(s.At(s.Len() - 1))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := open(t, Options{})
			s := sequence(t, m, "s", 8, 16, 16)
			fillRows(t, s, s.Capacity())
			id := s.chunks[0]
			full := roomOf(s)
			for _, rows := range []int{full, full / 4, full / 16, full / 32} {
				room := roomOf(s)
				shrink(s, int(s.smaller())+1)
				safePoints(t, m, 1)
				if roomOf(s) != room {
					t.Fatalf("%d rows have room for %d, which was %d: that is too soon", s.Len(), roomOf(s), room)
				}
				shrink(s, min(rows, int(s.smaller())))
				if roomOf(s) != room {
					t.Fatal("rows moved before the safe point")
				}
				safePoints(t, m, 1)
				if i, ok := s.shape.BlockFor(withSlack(uint32(s.Len()))); !ok || roomOf(s) >= room || roomOf(s) != int(s.shape.Blocks[i].Capacity()) {
					t.Errorf("%d rows have room for %d, which was %d", s.Len(), roomOf(s), room)
				}
				if s.chunks[0] != id || !slices.Equal(rowsOf(s), numbers(0, s.Len())) {
					t.Fatalf("chunk %d, which was %d, with %v", s.chunks[0], id, rowsOf(s))
				}
				if err := m.Check(); err != nil {
					t.Fatal(err)
				}
			}
			shrink(s, 0)
			safePoints(t, m, 1)
			if st := m.Stats(); st.Chunks != 0 {
				t.Errorf("a sequence without rows has %d chunks", st.Chunks)
			}
		})
	}
}

// A chunk that was given room for rows that came at once loses it as they go; one with rows that
// come back before the safe point does not.
func TestRoomOfRowsThatStay(t *testing.T) {
	m := open(t, Options{})
	at, back := sequence(t, m, "at once", 8), sequence(t, m, "back", 8)
	for _, s := range []*Sequence{at, back} {
		if _, n, err := s.AppendRun(300); err != nil || n != 300 {
			t.Fatal(n, err)
		}
		s.Truncate(10)
	}
	room := roomOf(back)
	if _, _, err := back.AppendRun(290); err != nil {
		t.Fatal(err)
	}
	safePoints(t, m, 1)
	if roomOf(at) >= room || roomOf(back) != room {
		t.Errorf("10 rows have room for %d and 300 for %d, which were %d", roomOf(at), roomOf(back), room)
	}
	back.Truncate(10)
	safePoints(t, m, 1)
	if roomOf(back) != roomOf(at) {
		t.Errorf("10 rows have room for %d, and elsewhere for %d", roomOf(back), roomOf(at))
	}
}

// A chunk that has just got more room, for one row more, loses it when half of the rows go.
func TestRoomThatWasJustGot(t *testing.T) {
	m := open(t, Options{})
	for i := range sequence(t, m, "s", 8, 16, 16).shape.Blocks {
		s := sequence(t, m, fmt.Sprint("s", i), 8, 16, 16)
		if err := s.makeRoom(int(s.shape.Blocks[i].Capacity())); err != nil {
			t.Fatal(err)
		}
		fillRows(t, s, roomOf(s)+1)
		rows, room := s.Len(), roomOf(s)
		for s.Len() > rows/2 {
			s.DropLast()
		}
		safePoints(t, m, 1)
		if roomOf(s) >= room {
			t.Errorf("%d rows have room for %d, as %d had", s.Len(), roomOf(s), rows)
		}
	}
}

// A pinned chunk keeps its room until it is unpinned, one in the cold range for good; and
// where memory is refused a chunk stays as it is.
func TestRoomKept(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "pinned", 8, 500)
	fillRows(t, s, s.Capacity())
	room := roomOf(s)
	s.Truncate(3)
	m.pin(s.chunks[0])
	safePoints(t, m, 2)
	if roomOf(s) != room {
		t.Error("a pinned chunk was laid out anew")
	}
	m.unpin(s.chunks[0])
	safePoints(t, m, 1)
	if roomOf(s) >= room {
		t.Error("a chunk that is pinned no more keeps its room")
	}

	cold := sequence(t, m, "cold", 8, 500)
	fillRows(t, cold, cold.Capacity())
	m.keep([]string{"cold"}, nil)
	for range 10 {
		frame(t, m)
	}
	where := func() arena.Range { r, _ := m.arena.PlaceOf(m.table.at(cold.chunks[0]).spot.Slot); return r }
	if where() != arena.Cold {
		t.Fatal("the group is not cold")
	}
	cold.Truncate(3)
	safePoints(t, m, 2)
	if where() != arena.Cold || roomOf(cold) != cold.Capacity() {
		t.Errorf("three cold rows lie in the %v range", where())
	}
}

// Rows that come and go at the border copy no more than a few others.
func TestRoomIsAmortised(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 16, 16)
	fillRows(t, s, s.Capacity()/2)
	s.Truncate(s.Len() / 2)
	safePoints(t, m, 1)
	before := m.counts.moved
	for range 1000 {
		s.DropLast()
		safePoints(t, m, 1)
		fillRows(t, s, 1)
		safePoints(t, m, 1)
	}
	if moved := m.counts.moved - before; moved > 1 {
		t.Errorf("the chunk was laid out anew %d times", moved)
	}
}

// A thousand sequences that were larger once give back memory that they do not use, slot by slot,
// within the budget of a safe point.
func TestManyGetSmall(t *testing.T) {
	for _, backend := range []arena.Backend{arena.Auto, arena.Heap} {
		m := open(t, Options{Arena: arena.Options{Backend: backend}})
		c := ticking(time.Microsecond)
		m.setBudget(Budget{}, 0, c.tick)
		var seqs []*Sequence
		for i := range 400 {
			s := sequence(t, m, fmt.Sprint("s", i), 8, 16, 16)
			fillRows(t, s, s.Capacity())
			seqs = append(seqs, s)
		}
		before := m.Arena().DirtyBy(arena.PurposeChunks)
		for _, s := range seqs {
			s.Truncate(4)
		}
		moved := m.counts.moved
		safePoints(t, m, 1)
		if n := m.counts.moved - moved; n == 0 || n > 200 { // each takes a tick of a microsecond
			t.Errorf("%v: %d chunks were laid out anew in 200 µs", m.Arena().Backend(), n)
		}
		for range 40 {
			frame(t, m)
			if _, err := m.Arena().Purge(^uint64(0)); err != nil {
				t.Fatal(err)
			}
		}
		part := uint64(8)
		if live := m.Stats().Arena.Live; live*part > before {
			t.Errorf("%v: %d bytes of chunks became %d that are in use", m.Arena().Backend(), before, live)
		}
		if arena.Checked && backend == arena.Heap { // poisoned places wait, so that blocks lie in more regions, which go back whole
			part = 3
		}
		if after := m.Arena().DirtyBy(arena.PurposeChunks); after*part > before {
			t.Errorf("%v: %d bytes of chunks became %d", m.Arena().Backend(), before, after)
		}
		for _, s := range seqs {
			if !slices.Equal(rowsOf(s), numbers(0, 4)) {
				t.Fatalf("%v: %s has %v", m.Arena().Backend(), s.name, rowsOf(s))
			}
		}
		if err := m.Check(); err != nil {
			t.Fatal(err)
		}
	}
}
