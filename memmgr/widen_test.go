package memmgr

import (
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

// grown appends rows of every column one by one, up to a full chunk, and calls f after each step
// in which the chunk got more room.
func grown(t *testing.T, x *ledger, f func(was, is spot.At)) {
	t.Helper()
	x.append(1)
	for len(x.rows) < x.s.Capacity() {
		e := x.m.table.at(x.s.chunks[0])
		was := e.spot
		x.append(1)
		if e.spot != was {
			f(was, e.spot)
		}
	}
}

// A chunk that has its slot to itself grows where it is, with the values of all columns, and
// keeps its pages: nothing is touched that is not part of the chunk in the end.
func TestGrowsInPlace(t *testing.T) {
	if arena.Checked {
		t.Skip("a checked build grows a chunk at another place, and poisons the old one")
	}
	all := allSizes()
	for name, cols := range map[string][]typed{
		"README's": {all[4], all[7], all[7]},
		"one":      {all[4]},
		"odd":      {all[4], all[0], all[8], all[6], all[11]},
		"wide":     {all[4], all[13], all[12], all[3]},
	} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, o Options) {
				m := open(t, o)
				var next uint64
				x := newLedger(t, m, "s", cols, &next)
				steps := 0
				grown(t, x, func(was, is spot.At) {
					if steps++; is.Slot != was.Slot || is.Block != 0 {
						t.Fatalf("a chunk alone in slot %d went to %+v", was.Slot, is)
					}
					x.check("growing")
					if err := m.Check(); err != nil {
						t.Fatal(err)
					}
				})
				if steps < 2 {
					t.Errorf("it grew %d times", steps)
				}
				if st := m.Stats(); st.Arena.Live != arena.SlotBytes {
					t.Errorf("%d bytes of slots are in use for one chunk", st.Arena.Live)
				}
				x.s.Drop()
				if err := m.SafePoint(); err != nil || m.Stats().Arena.Live != 0 {
					t.Errorf("%d bytes of slots are in use for no chunk, %v", m.Stats().Arena.Live, err)
				}
			})
		})
	}
}

// A chunk goes elsewhere if its slot has others, if if it is not the first there, and if a reader has it pinned.
func TestGrowsElsewhere(t *testing.T) {
	type state struct {
		m          *Manager
		first, two *Sequence
		unpin      func()
	}
	for name, make := range map[string]func(s *state) (grows *Sequence){
		"others": func(s *state) *Sequence { return s.first },
		"not the first": func(s *state) *Sequence {
			s.first.Drop()
			safePoints(t, s.m, 3)
			return s.two
		},
		"pinned": func(s *state) *Sequence {
			s.two.Drop()
			safePoints(t, s.m, 3)
			s.unpin = s.first.Pin()
			return s.first
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := open(t, Options{})
			s := &state{m, sequence(t, m, "first", 8, 16), sequence(t, m, "two", 8, 16), func() {}}
			fillRows(t, s.first, 5)
			fillRows(t, s.two, 5)
			grows := make(s)
			defer func() { s.unpin() }()
			was := m.table.at(grows.chunks[0]).spot
			room := roomOf(grows)
			old := Slice[uint64](grows, 0, grows.chunks[0])
			for roomOf(grows) == room {
				l, err := grows.Append()
				if err != nil {
					t.Fatal(err)
				}
				put(grows, l, uint64(grows.Len()-1))
			}
			if is := m.table.at(grows.chunks[0]).spot; is.Slot == was.Slot {
				t.Errorf("it grew from %+v to %+v", was, is)
			}
			if name == "pinned" && !slices.Equal(old, numbers(0, 5)) {
				t.Errorf("the reader of a pinned chunk sees %v", old)
			}
			for _, s := range []*Sequence{s.first, s.two} {
				if got := rowsOf(s); !slices.Equal(got, numbers(0, s.Len())) {
					t.Errorf("%q has %v", s.name, got)
				}
			}
			if err := m.Check(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// The full layout of a cold sequence is in the cold range, wherever its blocks were.
func TestColdGrowsIntoColdRange(t *testing.T) {
	m := open(t, Options{})
	m.keep([]string{"s"}, nil)
	s := sequence(t, m, "s", 8, 16)
	fillRows(t, s, s.Capacity())
	if e := m.table.at(s.chunks[0]); m.book.Range(e.spot) != arena.Cold || e.spot.Form != spot.Whole {
		t.Errorf("it is in range %v, %+v", m.book.Range(e.spot), e.spot)
	}
}

// A layout of more rows may begin a column nearer to the start of the slot, where the column
// before it still is. Then the chunk goes elsewhere. Of shapes chosen at random one in 20,000 is so.
func TestColumnsThatWouldMoveDown(t *testing.T) {
	sizes := []uint32{0, 4, 2, 64, 3, 2, 17, 4, 5, 0, 0, 12, 0, 4, 100, 3, 32, 2, 5, 64, 3, 64, 1, 4, 5, 5, 8, 24, 5, 16, 1, 17,
		4, 1, 3, 5, 24, 17, 17, 3, 0, 24, 5, 12, 17, 12, 17, 32, 1, 16, 16, 8, 17, 100, 12, 0, 5, 3, 17, 16, 4, 8, 5, 1}
	cols := make([]ColumnSpec, len(sizes))
	for i, size := range sizes {
		cols[i].Size, cols[i].Align = size, 1
	}
	m := open(t, Options{})
	s, err := m.MakeSequence("s", cols)
	if err != nil {
		t.Fatal(err)
	}
	s.SetLimit(chunk.Bytes - 1) // no slot, so the next larger block
	var rows []uint64
	write := func(l Loc) {
		n := len(rows)
		rows = append(rows, uint64(n))
		for i, c := range columnsOf(s, sizes, l.Chunk(), n+1) {
			pattern(c[n*int(sizes[i]):], rows[n], i)
		}
	}
	first, n, err := s.AppendRun(int(s.shape.Blocks[1].Capacity()))
	if err != nil || n != roomOf(s) {
		t.Fatalf("%d rows, %v", n, err)
	}
	for i := range n {
		write(first.Plus(uint32(i)))
	}
	e := m.table.at(s.chunks[0])
	was := e.spot
	l, err := s.Append()
	if err != nil {
		t.Fatal(err)
	}
	write(l)
	at, down := e.spot, false
	at.Slot, at.Block = was.Slot, 0
	for i := range sizes {
		down = down || s.shape.Offset(at, i) < s.shape.Offset(was, i)
	}
	if !down || e.spot.Slot == was.Slot {
		t.Errorf("columns move down: %v, from %+v to %+v", down, was, e.spot)
	}
	if row, column := wrongRow(columnsOf(s, sizes, l.Chunk(), len(rows)), sizes, rows); row >= 0 {
		t.Fatalf("of %d rows, row %d has a wrong value in column %d", n+1, row, column)
	}
}
