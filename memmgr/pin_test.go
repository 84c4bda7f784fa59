package memmgr

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/chunk"
)

// panics wants a panic that says something, and an invariant that holds afterwards.
func panics(t *testing.T, m *Manager, words string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		v := recover()
		if s, ok := v.(string); !ok || !strings.HasPrefix(s, "memmgr: ") || !strings.Contains(s, words) {
			t.Errorf("%v; want a panic with %q", v, words)
		}
		if m != nil && m.arena != nil {
			if err := m.Check(); err != nil {
				t.Errorf("after the panic %q: %v", v, err)
			}
		}
	}()
	f()
}

// fillRows appends rows with the numbers of their places in column 0.
func fillRows(t testing.TB, s *Sequence, n int) {
	t.Helper()
	for range n {
		l, err := s.Append()
		if err != nil {
			t.Fatal(err)
		}
		put(s, l, uint64(s.Len()-1))
	}
}

// stopped is a clock by which no budget of time is ever spent.
func stopped() time.Time { return time.Time{} }

// numbers are 0, 1, … n-1.
func numbers(lo, hi int) (all []uint64) {
	for i := lo; i < hi; i++ {
		all = append(all, uint64(i))
	}
	return all
}

// Rows that a pin shows are not written over by later ones, once their chunk has emptied:
// neither when it does so for the first time, nor after it has before.
func TestPinnedChunkThatEmpties(t *testing.T) {
	for _, how := range []string{"DropLast", "Truncate", "DropChunks", "SwapRemove", "Drop"} {
		t.Run(how, func(t *testing.T) {
			m := open(t, Options{})
			s := sequence(t, m, "s", 8)
			for range 3 {
				fillRows(t, s, 2)
				held := Slice[uint64](s, 0, s.tail.Chunk())
				id := s.tail.Chunk()
				unpin := s.Pin()
				switch how {
				case "DropLast":
					s.DropLast()
					s.DropLast()
				case "Truncate":
					s.Truncate(0)
				case "DropChunks":
					s.DropChunks(1)
				case "SwapRemove":
					s.SwapRemove(s.At(1))
					s.SwapRemove(s.At(0))
				case "Drop":
					s.Drop()
					s = sequence(t, m, "s", 8)
				}
				if st := m.Stats(); len(m.waiting) != 1 || st.Pins != 1 {
					t.Fatalf("%d places wait for %d pins", len(m.waiting), st.Pins)
				}
				fillRows(t, s, 5)
				if s.tail.Chunk() == id {
					t.Fatal("the number of a pinned chunk was given to another one")
				}
				m.SafePoint()
				if !slices.Equal(held, numbers(0, 2)) {
					t.Fatalf("a pinned chunk holds %v", held)
				}
				unpin()
				s.Truncate(0)
				m.SafePoint()
				if st := m.Stats(); len(m.waiting) != 0 || st.Pins != 0 {
					t.Fatalf("%d places wait for %d pins", len(m.waiting), st.Pins)
				}
				fillRows(t, s, 1) // and empties, so that it is listed as such
				s.DropLast()
			}
		})
	}
}

// A pinned chunk that outgrows its block keeps the old place readable.
func TestPinnedChunkThatGrows(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 24)
	fillRows(t, s, 3)
	id := s.tail.Chunk()
	held := Slice[uint64](s, 0, id)
	m.pin(id)
	m.pin(id)
	for _, n := range []int{100, 500, 3000} { // another block, another, whole, a second chunk
		fillRows(t, s, n)
		put(s, s.At(0), 99)
		if !slices.Equal(held, numbers(0, 3)) {
			t.Fatalf("a pinned chunk holds %v", held)
		}
	}
	if len(m.waiting) < 2 {
		t.Errorf("%d places wait", len(m.waiting))
	}
	m.unpin(id)
	m.SafePoint()
	if len(m.waiting) < 2 {
		t.Errorf("%d places wait while there is a pin", len(m.waiting))
	}
	m.unpin(id)
	m.SafePoint()
	if len(m.waiting) != 0 {
		t.Errorf("%d places wait for no pin", len(m.waiting))
	}
}

// A spare chunk that is pinned is not used for new rows.
func TestPinnedSpare(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 8000)
	n := s.Capacity()
	fillRows(t, s, n+1)
	last := s.tail.Chunk()
	held := Slice[uint64](s, 0, last)
	m.pin(last)
	s.DropLast()
	if m.Order(last) != -1 {
		t.Errorf("a spare is at place %d", m.Order(last))
	}
	m.SafePoint()
	if _, err := m.Reclaim(^uint64(0)); err != nil || m.Stats().Spares != 1 {
		t.Errorf("%v; %d spares: a pinned one is not to be freed", err, m.Stats().Spares)
	}
	l, err := s.Append()
	if err != nil || l.Chunk() == last {
		t.Fatalf("a new row in chunk %d, where somebody reads", l.Chunk())
	}
	put(s, l, 7)
	if held[0] != uint64(n) {
		t.Errorf("a pinned spare holds %d", held[0])
	}
	m.unpin(last)
}

// Chunks that were pinned when their sequence went into regions follow when they can.
func TestPinnedChunksAreStripedLater(t *testing.T) {
	m := open(t, Options{})
	m.pacing.clock = stopped
	s := sequence(t, m, "long", 8, 8000)
	fillRows(t, s, 5*s.Capacity())
	first, _ := s.Chunk(0)
	third, _ := s.Chunk(2)
	m.pin(first)
	m.pin(third)
	fillRows(t, s, 30*s.Capacity())
	straighten := func(want int) {
		t.Helper()
		for range 10 {
			if err := m.SafePoint(); err != nil {
				t.Fatal(err)
			}
		}
		if st := m.Stats(); st.Striped != want {
			t.Errorf("%d of %d chunks are striped, want %d", st.Striped, st.Chunks, want)
		}
	}
	straighten(33)
	m.unpin(third)
	straighten(33 + 1)
	m.unpin(first)
	straighten(35)
	if len(m.astray) != 0 || s.Beside(0) != chunk.RegionChunks {
		t.Errorf("%d chunks are astray; %d lie side by side", len(m.astray), s.Beside(0))
	}
}

// Pins end while the owner goes on and asks for the state: none is counted wrong.
func TestUnpinMeanwhile(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8)
	fillRows(t, s, 10)
	pins := make([]func(), 2000)
	for i := range pins {
		pins[i] = s.Pin()
	}
	var wg sync.WaitGroup
	for part := range slices.Chunk(pins, 500) {
		wg.Go(func() {
			for _, unpin := range part {
				unpin()
			}
		})
	}
	for range 20 {
		if err := m.Check(); err != nil {
			t.Error(err)
		}
	}
	wg.Wait()
	if st := m.Stats(); st.Pins != 0 {
		t.Errorf("%d pins", st.Pins)
	}
}

// Readers of pinned chunks see the rows that were there, whatever the owner does meanwhile
// that is not written into them.
func TestSequencePin(t *testing.T) {
	for _, stress := range []bool{false, true} {
		t.Run(fmt.Sprint("stress=", stress), func(t *testing.T) {
			m := open(t, Options{Stress: stress})
			s := sequence(t, m, "log", 8, 1600)
			capacity := s.Capacity()
			var wg sync.WaitGroup
			for round := range 12 {
				fillRows(t, s, 700+round)
				if round > 8 {
					v := Slice[[200]uint64](s, 1, s.chunks[0])
					v[1][0], v[1][199] = 41, 42
				}
				unpin := s.Pin()
				if n := m.Stats().Pins; n != uint64(s.ChunkCount()) {
					t.Fatalf("%d pins of %d chunks", n, s.ChunkCount())
				}
				first, second := slicesOf[uint64](s, 0), slicesOf[[200]uint64](s, 1)
				want := rowsOf(s)
				for range 3 {
					wg.Go(func() {
						var got []uint64
						for _, values := range first {
							got = append(got, values...)
						}
						if !slices.Equal(got, want) {
							t.Errorf("readers see %d rows that differ", len(got))
						}
						if v := second[0]; round > 8 && v[1][0]+1 != v[1][199] {
							t.Errorf("column 1 has %d and %d", v[1][0], v[1][199])
						}
						if n := len(second[len(second)-1]); n != (len(want)-1)%capacity+1 {
							t.Errorf("column 1 of the last chunk has %d rows", n)
						}
					})
				}
				fillRows(t, s, 100)
				if err := m.SafePoint(); err != nil {
					t.Fatal(err)
				}
				switch round % 3 {
				case 0:
					s.DropChunks(s.ChunkCount() / 2)
				case 1:
					s.Truncate(0)
				default:
					s.Drop()
					s = sequence(t, m, "log", 8, 1600)
				}
				fillRows(t, s, 50)
				if _, err := m.Reclaim(^uint64(0)); err != nil {
					t.Fatal(err)
				}
				if round%2 == 0 {
					wg.Wait()
					wg.Go(unpin) // by any goroutine
				} else {
					wg.Wait()
					unpin()
				}
				unpin()
			}
			wg.Wait()
			s.Drop()
			for range 2 {
				if err := m.SafePoint(); err != nil {
					t.Fatal(err)
				}
			}
			if st := m.Stats(); st.Pins != 0 || len(m.waiting) != 0 || st.Chunks != 0 {
				t.Errorf("after all: %+v", st)
			}
		})
	}
}

// slicesOf is a column of all chunks.
func slicesOf[T any](s *Sequence, i int) (all [][]T) {
	for id := range s.Chunks() {
		all = append(all, Slice[T](s, i, id))
	}
	return all
}

func TestSequencePinTwice(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "log", 8, 16)
	fillRows(t, s, 10)
	first, second := s.Pin(), s.Pin()
	first()
	first()
	if err := m.Close(); err == nil || !strings.Contains(err.Error(), `chunk 1 of "log" pinned 1 times`) {
		t.Errorf("Close: %v", err)
	}
	second()
	s.Truncate(0)
	s.Pin()()
}

// Many chunks are named in part.
func TestPinList(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 8000)
	fillRows(t, s, 20*s.Capacity())
	unpin := s.Pin()
	list := m.pinList()
	if want := fmt.Sprintf(", and %d more chunks", s.ChunkCount()-3); strings.Count(list, `of "s" pinned 1 times`) != 3 || !strings.HasSuffix(list, want) {
		t.Error(list)
	}
	s.Drop()
	if list := m.pinList(); !strings.Contains(list, "of no sequence any more pinned 1 times, ") {
		t.Error(list)
	}
	unpin()
	if list := m.pinList(); list != "" {
		t.Error(list)
	}
}

// Goroutines that use one manager at once are told so.
func TestTwoGoroutines(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 8000)
	fillRows(t, s, 1)
	l := s.Last()
	done := m.use("a call") // as if another goroutine were within it
	full := s.end
	const remedy = "while another goroutine is within a call of the same manager: a Manager is used by one goroutine at a time; guard it with a mutex, or give each goroutine its own"
	for what, f := range map[string]func(){
		"Append":        func() { s.next = full; s.Append() },
		"removing rows": func() { s.next = s.tail.Plus(1); s.DropLast() },
		"MakeSequence":  func() { m.MakeSequence("t", nil) },
		"SafePoint":     func() { m.SafePoint() },
		"Move":          func() { m.Move(l.Chunk()) },
		"Reclaim":       func() { m.Reclaim(0) },
		"Annex":         func() { m.Annex(l.Chunk(), 1) },
		"DropAnnex":     func() { m.DropAnnex(l.Chunk()) },
		"PurgeAnnex":    func() { m.PurgeAnnex(l.Chunk(), 0, 1) },
		"Sequence.Pin":  func() { s.Pin() },
		"Check":         func() { m.Check() },
		"Close":         func() { m.Close() },
		"Drop":          func() { e := &Sequence{manager: m}; e.Drop() },
	} {
		t.Run(what, func(t *testing.T) {
			panics(t, nil, "memmgr: "+what+" "+remedy, f)
		})
	}
	s.next = s.tail.Plus(1)
	done()
	if err := m.SafePoint(); err != nil {
		t.Error(err)
	}
}

// Refusals while the rest is pinned leave all as it was.
func TestPinnedUnderLimit(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 8000)
	fillRows(t, s, 32*s.Capacity())
	unpin := s.Pin()
	m.Arena().SetLimit(m.Arena().Stats().Committed)
	s.Truncate(0)
	grown := 0
	for ; grown < 100*s.Capacity(); grown++ {
		if _, err := s.Append(); err != nil {
			break
		}
	}
	if grown == 100*s.Capacity() {
		t.Error("rows were put where pinned ones are read")
	}
	if err := m.Check(); err != nil {
		t.Error(err)
	}
	m.Arena().SetLimit(0)
	unpin()
}

// A pinned spare is all that a sequence may have.
func TestPinnedSpareAlone(t *testing.T) {
	for _, unpin := range []bool{false, true} {
		m := open(t, Options{})
		s := sequence(t, m, "s", 8, 8000)
		fillRows(t, s, s.Capacity()+1)
		last := s.tail.Chunk()
		m.pin(last)
		s.Truncate(0)
		safePoints(t, m, 1)
		if len(s.chunks) != 0 || s.spare != last || !s.busy() || s.Len() != 0 {
			t.Fatalf("%d chunks, spare %d, busy %v", len(s.chunks), s.spare, s.busy())
		}
		if st := m.Stats().Sequences; len(st) != 1 || m.Stats().Pins != 1 || st[0] != (SequenceStats{Name: "s", Chunks: 1, Bytes: 64 << 10}) {
			t.Errorf("%+v", st)
		}
		if unpin {
			m.unpin(last)
		}
		fillRows(t, s, 1)
		if got := s.tail.Chunk() == last; got != unpin || s.spare != 0 {
			t.Errorf("unpinned %v: the spare was used: %v", unpin, got)
		}
		if err := m.Check(); err != nil {
			t.Error(err)
		}
		if !unpin {
			m.unpin(last)
		}
	}
}
