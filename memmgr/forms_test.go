package memmgr

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

// formsOf counts a sequence's chunks by form: in blocks, whole, striped, and of these at home.
func formsOf(s *Sequence) (inBlock, wholes, stripes, home int) {
	for _, id := range s.chunks {
		switch e := s.manager.table.at(id); {
		case e.spot.Form.InBlock():
			inBlock++
		case e.spot.Form == spot.Whole:
			wholes++
		default:
			stripes++
			if s.home.Has(e.order, e.spot) {
				home++
			}
		}
	}
	return inBlock, wholes, stripes, home
}

func safePoints(t testing.TB, m *Manager, n int) {
	t.Helper()
	for range n {
		if err := m.SafePoint(); err != nil {
			t.Fatal(err)
		}
	}
}

// A sequence begins in a block, goes on in slots, and in regions from its ninth chunk on,
// and back in slots when it has shrunk to four.
func TestForms(t *testing.T) {
	m := open(t, Options{})
	m.pacing.clock = stopped
	s := sequence(t, m, "s", 8, 500)
	n := s.Capacity()
	for _, c := range []struct {
		rows   int
		points int // safe points after that
		forms  [4]int
	}{
		{1, 0, [4]int{1, 0, 0, 0}},
		{n/2 - 1, 0, [4]int{1, 0, 0, 0}},
		{n, 0, [4]int{0, 1, 0, 0}},
		{n + 1, 0, [4]int{0, 2, 0, 0}},
		{8 * n, 5, [4]int{0, 8, 0, 0}},
		{8*n + 1, 0, [4]int{0, 8, 1, 1}},
		{8*n + 1, 1, [4]int{0, 0, 9, 9}},
		{70*n + 1, 0, [4]int{0, 0, 71, 71}},
		{5 * n, 2, [4]int{0, 0, 5, 5}},
		{4 * n, 2, [4]int{0, 4, 0, 0}},
		{40 * n, 2, [4]int{0, 0, 40, 40}},
		{0, 2, [4]int{}},
		{2 * n, 2, [4]int{0, 2, 0, 0}},
	} {
		s.Truncate(c.rows)
		fillRows(t, s, c.rows-s.Len())
		safePoints(t, m, c.points)
		a, b, d, e := formsOf(s)
		if got := [4]int{a, b, d, e}; got != c.forms {
			t.Errorf("%d rows: %v in blocks, whole, striped and home; want %v", c.rows, got, c.forms)
		}
		if err := m.Check(); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(rowsOf(s), numbers(0, s.Len())) {
			t.Fatalf("%d rows: values differ", c.rows)
		}
	}
	if m.book.Regions() != 0 || s.home.Len() != 0 {
		t.Errorf("%d regions are left", m.book.Regions())
	}
}

// A sequence that loses chunks at its front leaves its region when too few are left, as one that is cut at its end does.
func TestDropFirstLeavesStripes(t *testing.T) {
	m := open(t, Options{})
	m.pacing.clock = stopped
	s := sequence(t, m, "s", 8, 7992)
	n := s.Capacity()
	fillRows(t, s, 20*n)
	safePoints(t, m, 2)
	if _, _, _, home := formsOf(s); home != 20 {
		t.Fatalf("%d of 20 chunks are home", home)
	}
	s.DropFirst(17 * n)
	safePoints(t, m, 4) // places that chunks have left are in quarantine for a while
	if a, b, d, e := formsOf(s); [4]int{a, b, d, e} != [4]int{0, 3, 0, 0} {
		t.Errorf("%d in blocks, %d whole, %d striped, %d home; want 3 whole", a, b, d, e)
	}
	if !slices.Equal(rowsOf(s), numbers(17*n, 20*n)) || m.Check() != nil || m.book.Regions() != 0 {
		t.Errorf("values differ, or a region is left: %v, %d", m.Check(), m.book.Regions())
	}
}

// M4: A safe point brings as many chunks home as its budgets of bytes and time allow, and the
// next one goes on.
func TestStraightenWithinBudget(t *testing.T) {
	// stripeFrom chunks are to move
	for _, c := range []struct {
		name   string
		budget Budget
		clock  func() time.Time
		moves  []int // by safe point
	}{
		{"bytes", Budget{Time: time.Hour, Bytes: 5 * 64000}, stopped, []int{5, 8, 8}},
		{"one at least", Budget{Time: time.Hour, Bytes: 1}, stopped, []int{1, 2, 3, 4}},
		{"time", Budget{Time: 3 * time.Millisecond, Bytes: 1 << 30}, ticking(time.Millisecond).tick, []int{3, 6, 8, 8}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := open(t, Options{})
			m.setBudget(c.budget, 0, c.clock)
			s := sequence(t, m, "s", 8, 7992) // 8 rows, 64,000 bytes
			fillRows(t, s, stripeFrom*s.Capacity()+1)
			for i, want := range c.moves {
				safePoints(t, m, 1)
				if _, _, _, home := formsOf(s); home != want+1 || m.counts.moved != uint64(want) {
					t.Errorf("safe point %d: %d chunks are home, %d moves; want %d", i+1, home, m.counts.moved, want)
				}
			}
			if (len(m.astray) == 0) != (c.moves[len(c.moves)-1] == stripeFrom) {
				t.Errorf("%d chunks are astray", len(m.astray))
			}
		})
	}
}

// A striped chunk that is moved goes to the last free position of a region with the same
// columns, to a slot where there is none, and comes back at the next safe point.
func TestMoveOfStriped(t *testing.T) {
	m := open(t, Options{})
	m.pacing.clock = stopped
	s, other := sequence(t, m, "s", 8, 7992), sequence(t, m, "other", 8, 7992)
	fillRows(t, s, 20*s.Capacity())
	safePoints(t, m, 2)
	id := s.chunks[3]
	move := func(want spot.Form, at arena.Slot) {
		t.Helper()
		gen := m.Gen(id)
		if ok, err := m.Move(id); !ok || err != nil {
			t.Fatal(ok, err)
		}
		e := m.table.at(id)
		if e.spot.Form != want || want == spot.Striped && e.spot.Slot%chunk.RegionChunks != at || m.Gen(id) == gen {
			t.Errorf("moved to %+v", e.spot)
		}
		if !slices.Equal(rowsOf(s), numbers(0, s.Len())) {
			t.Error("values differ")
		}
	}
	move(spot.Striped, 31)
	if s.Beside(0) != 3 || s.Beside(3) != 1 || s.Beside(4) != 16 || s.Beside(19) != 1 {
		t.Errorf("%d, %d, %d and %d chunks lie side by side", s.Beside(0), s.Beside(3), s.Beside(4), s.Beside(19))
	}
	safePoints(t, m, 1)
	if _, _, _, home := formsOf(s); home != 19 || len(m.astray) != 1 {
		t.Errorf("%d of 20 chunks are home; one position is in quarantine", home)
	}
	safePoints(t, m, 1)
	if _, _, _, home := formsOf(s); home != 20 || s.Beside(0) != 20 {
		t.Errorf("%d of 20 chunks are home", home)
	}
	safePoints(t, m, 2)
	fillRows(t, s, 12*s.Capacity())
	move(spot.Whole, 0)
	safePoints(t, m, 4)
	if _, _, _, home := formsOf(s); home != 32 || m.book.Retired() != 0 {
		t.Errorf("%d of 32 chunks are home; %d places are in quarantine", home, m.book.Retired())
	}
	fillRows(t, other, 17*other.Capacity())
	move(spot.Striped, 31) // in the other's region: s grows into its own later
	safePoints(t, m, 2)
	if _, _, _, home := formsOf(s); home != 32 {
		t.Errorf("%d of 32 chunks are home", home)
	}
}

// New chunks of few rows go to the lowest slot with room, a chunk that takes more than one
// row at once to a block that has room for them, and no request is too large for that.
func TestBlocks(t *testing.T) {
	m := open(t, Options{})
	var seqs []*Sequence
	for i := range 124 { // 60 blocks to a slot
		s := sequence(t, m, fmt.Sprint("s", i), 8)
		fillRows(t, s, 1)
		seqs = append(seqs, s)
	}
	slot := func(s *Sequence) arena.Slot { return m.table.at(s.tail.Chunk()).spot.Slot }
	if slot(seqs[0]) != slot(seqs[59]) || slot(seqs[0]) == slot(seqs[60]) || slot(seqs[119]) == slot(seqs[120]) {
		t.Error("slots are not cut into 60 blocks")
	}
	first := slot(seqs[0])
	seqs[70].Drop()
	seqs[3].Drop()
	safePoints(t, m, 2) // in checked builds their blocks are in quarantine
	for _, want := range []arena.Slot{first, slot(seqs[60])} {
		s := sequence(t, m, fmt.Sprint("again", want), 8)
		fillRows(t, s, 1)
		if slot(s) != want {
			t.Errorf("a new block is in slot %d, want %d", slot(s), want)
		}
	}
	for _, c := range []struct{ n, got int }{{1, 1}, {200, 200}, {2000, 2000}, {8192, 8188}, {math.MaxInt, 8188}, {math.MaxInt/2 + 6, 8188}} {
		s := sequence(t, m, fmt.Sprint("run", c.n), 8)
		if _, got, err := s.AppendRun(c.n); got < min(c.n, 8000) || got > 8192 || err != nil {
			t.Errorf("AppendRun(%d): %d rows, %v", c.n, got, err)
		}
		if in, _, _, _ := formsOf(s); (in == 1) != (c.n <= 2000) {
			t.Errorf("%d rows: in a block: %v", c.n, in == 1)
		}
		s = sequence(t, m, fmt.Sprint("grown", c.n), 8)
		fillRows(t, s, 1)
		if _, got, err := s.AppendRun(c.n); got < min(c.n, 8000) || err != nil {
			t.Errorf("AppendRun(%d) after a row: %d rows, %v", c.n, got, err)
		}
		if in, _, _, _ := formsOf(s); (in == 1) != (c.n <= 2000) {
			t.Errorf("%d rows after a row: in a block: %v", c.n, in == 1)
		}
	}
}

// An emptied sequence keeps its chunk until the next safe point, a long one a spare until
// half of its last chunk is empty, or memory is asked back.
func TestSpares(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 800)
	fillRows(t, s, 5)
	s.Truncate(0)
	if !s.busy() || s.ChunkCount() != 0 {
		t.Error("an emptied sequence gave its chunk back at once")
	}
	safePoints(t, m, 1)
	if s.busy() || m.Stats().Chunks != 0 {
		t.Error("an emptied sequence kept its chunk")
	}
	n := s.Capacity()
	fillRows(t, s, 2*n+1)
	made := m.counts.made
	for range 5 { // at a chunk's border
		s.DropLast()
		safePoints(t, m, 1)
		fillRows(t, s, 1)
	}
	if got := m.counts.made; got != made {
		t.Errorf("%d chunks were made at a border", got-made)
	}
	s.Truncate(n + n/2 + 1)
	safePoints(t, m, 2)
	if st := m.Stats(); st.Spares != 1 || st.Chunks != 3 || len(m.spares) != 1 {
		t.Errorf("%d spares of %d chunks", st.Spares, st.Chunks)
	}
	s.Truncate(n + n/2)
	safePoints(t, m, 1)
	if st := m.Stats(); st.Spares != 0 || st.Chunks != 2 || len(m.spares) != 0 {
		t.Errorf("%d spares of %d chunks", st.Spares, st.Chunks)
	}
	fillRows(t, s, n)
	s.Truncate(2 * n)
	if _, err := m.Reclaim(0); err != nil || m.Stats().Spares != 0 {
		t.Errorf("%d spares after Reclaim, %v", m.Stats().Spares, err)
	}
	s.Truncate(n) // a chunk that goes takes the spare's place
	s.Truncate(0)
	if st := m.Stats(); st.Chunks != 2 || st.Spares != 2 {
		t.Errorf("%d chunks, %d of them without rows", st.Chunks, st.Spares)
	}
}

// Placements say of each chunk where it is, and how.
func TestPlacements(t *testing.T) {
	m := open(t, Options{})
	m.pacing.clock = stopped
	few, wide, long := sequence(t, m, "few", 8), sequence(t, m, "wide", 8, 7992), sequence(t, m, "long", 8, 7992)
	fillRows(t, few, 3)
	fillRows(t, wide, wide.Capacity()+1)
	wide.DropLast()
	fillRows(t, long, 17*long.Capacity())
	if _, err := m.Move(wide.chunks[0]); err != nil {
		t.Fatal(err)
	}
	m.pin(few.chunks[0])
	defer m.unpin(few.chunks[0])
	got := map[string][]placement{}
	for p := range m.placements() {
		if e := m.table.at(p.Chunk); e.spot.Slot != p.Slot || e.seq.Name() != p.Sequence {
			t.Errorf("%+v", p)
		}
		p.Slot, p.Chunk = 0, 0
		got[p.Sequence] = append(got[p.Sequence], p)
	}
	n := wide.Capacity()
	bytes := uint64(n) * 8000
	if want := []placement{{Sequence: "few", Rows: 3, Block: 0, Pins: 1, Bytes: 24}}; !slices.Equal(got["few"], want) {
		t.Errorf("%+v", got["few"])
	}
	if want := []placement{{Sequence: "wide", Rows: n, Block: -1, Bytes: bytes, Moves: 1, Copied: bytes}, {Sequence: "wide", Order: -1, Block: -1}}; !slices.Equal(got["wide"], want) {
		t.Errorf("%+v", got["wide"])
	}
	for i, p := range got["long"] {
		if want := (placement{Sequence: "long", Order: i, Rows: n, Block: -1, Striped: i >= stripeFrom, Bytes: bytes}); p != want {
			t.Errorf("%+v, want %+v", p, want)
		}
	}
	for range m.placements() { // may be left
		break
	}
	for range m.pinned() {
		break
	}
	st := m.Stats()
	if st.Small != 1 || st.Striped != 17-stripeFrom || st.Spares != 1 || st.Chunks != 20 || st.Pins != 1 || len(st.Sequences) != 3 || st.Rows != uint64(3+n+17*n) || st.Payload != uint64(3*8+18*n*8000) {
		t.Errorf("%+v", st)
	}
}
