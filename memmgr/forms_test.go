package memmgr

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

// formsOf counts a sequence's chunks by form: in blocks, whole, striped, and of these at home.
func formsOf(s *Sequence) (inBlock, wholes, stripes, home int) {
	for _, id := range s.chunks {
		switch e := s.m.table.at(id); {
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
			m.SetBudget(c.budget, 0, c.clock)
			s := sequence(t, m, "s", 8, 7992) // 8 rows, 64,000 bytes
			fillRows(t, s, stripeFrom*s.Capacity()+1)
			for i, want := range c.moves {
				safePoints(t, m, 1)
				if _, _, _, home := formsOf(s); home != want+1 || m.Stats().Counts.Moved != uint64(want) {
					t.Errorf("safe point %d: %d chunks are home, %d moves; want %d", i+1, home, m.Stats().Counts.Moved, want)
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
	for i := range 70 { // 33 blocks to a slot
		s := sequence(t, m, fmt.Sprint("s", i), 8)
		fillRows(t, s, 1)
		seqs = append(seqs, s)
	}
	slot := func(s *Sequence) arena.Slot { return m.table.at(s.tail.Chunk()).spot.Slot }
	if slot(seqs[0]) != slot(seqs[32]) || slot(seqs[0]) == slot(seqs[33]) || slot(seqs[65]) == slot(seqs[66]) {
		t.Error("slots are not cut into 33 blocks")
	}
	first := slot(seqs[0])
	seqs[40].Drop()
	seqs[3].Drop()
	safePoints(t, m, 2) // in checked builds their blocks are in quarantine
	for _, want := range []arena.Slot{first, slot(seqs[33])} {
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
	}
}

// An emptied sequence keeps its chunk until the next safe point, a long one a spare until
// half of its last chunk is empty, or memory is asked back.
func TestSpares(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 800)
	fillRows(t, s, 5)
	s.Truncate(0)
	if !s.Busy() || s.ChunkCount() != 0 {
		t.Error("an emptied sequence gave its chunk back at once")
	}
	safePoints(t, m, 1)
	if s.Busy() || m.Stats().Chunks != 0 {
		t.Error("an emptied sequence kept its chunk")
	}
	n := s.Capacity()
	fillRows(t, s, 2*n+1)
	made := m.Stats().Counts.Made
	for range 5 { // at a chunk's border
		s.DropLast()
		safePoints(t, m, 1)
		fillRows(t, s, 1)
	}
	if got := m.Stats().Counts.Made; got != made {
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
	if n := m.Stats().Retired; n != spot.RetiredMost {
		t.Errorf("%d places", n)
	}
	if _, err := m.Move(s.chunks[0]); err != nil {
		t.Fatal(err)
	}
	if n := m.Stats().Retired; n != spot.RetiredMost/2+1 {
		t.Errorf("%d places", n)
	}
	if st := m.Stats(); st.Counts.Moved != spot.RetiredMost+1 || st.Counts.CopiedBytes != (spot.RetiredMost+1)*8008 {
		t.Errorf("%+v", st.Counts)
	}
	safePoints(t, m, 2)
	if n := m.Stats().Retired; n != 0 {
		t.Errorf("%d places two safe points later", n)
	}
}

// Stamps follow rows: those that come and go mark both chunks, dropped ones the last.
func TestStampsOfRows(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 8000)
	n := s.Capacity()
	fillRows(t, s, 3*n)
	changed := func(what string, want ...bool) {
		t.Helper()
		since := m.Tick() - 1
		for i := range s.ChunkCount() {
			for c := range 2 {
				if id, _ := s.Chunk(i); s.Changed(c, id, since) != want[i] {
					t.Errorf("%s: column %d of chunk %d changed: %v", what, c, i, !want[i])
				}
			}
		}
		m.Advance()
	}
	changed("made", true, true, true)
	changed("nothing", false, false, false)
	s.SwapRemove(s.At(1))
	changed("SwapRemove", true, false, true)
	s.SwapRemove(s.Last())
	changed("SwapRemove of the last", false, false, true)
	s.Truncate(s.Len() - 1)
	changed("Truncate", false, false, true)
	s.DropChunks(1)
	changed("DropChunks", false, false)
	if got, want := rowsOf(s)[0], uint64(n); got != want {
		t.Errorf("the first row is %d, want %d", got, want)
	}
}

// A log that is cut in front for ever holds the regions that it needs, and no list of those
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
	got := map[string][]Placement{}
	for p := range m.Placements() {
		if e := m.table.at(p.Chunk); e.spot.Slot != p.Slot || e.seq.Name() != p.Sequence {
			t.Errorf("%+v", p)
		}
		p.Slot, p.Chunk = 0, 0
		got[p.Sequence] = append(got[p.Sequence], p)
	}
	n := wide.Capacity()
	bytes := uint64(n) * 8000
	if want := []Placement{{Sequence: "few", Rows: 3, Block: 0, Pins: 1, Bytes: 24}}; !slices.Equal(got["few"], want) {
		t.Errorf("%+v", got["few"])
	}
	if want := []Placement{{Sequence: "wide", Rows: n, Block: -1, Bytes: bytes, Moves: 1, Copied: bytes}, {Sequence: "wide", Order: -1, Block: -1}}; !slices.Equal(got["wide"], want) {
		t.Errorf("%+v", got["wide"])
	}
	for i, p := range got["long"] {
		if want := (Placement{Sequence: "long", Order: i, Rows: n, Block: -1, Striped: i >= stripeFrom, Bytes: bytes}); p != want {
			t.Errorf("%+v, want %+v", p, want)
		}
	}
	for range m.Placements() { // may be left
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

// Reclaim ends quarantines and takes spares, and gives back what they held.
func TestReclaim(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		m := open(t, o)
		s := sequence(t, m, "s", 8, 7992)
		fillRows(t, s, s.Capacity()+1)
		if _, err := m.Move(s.chunks[0]); err != nil {
			t.Fatal(err)
		}
		s.DropLast()
		if st := m.Stats(); st.Retired != 1 || st.Spares != 1 {
			t.Fatalf("%+v", st)
		}
		freed, err := m.Reclaim(^uint64(0))
		st := m.Stats()
		if err != nil || st.Retired != 0 || st.Spares != 0 || st.Arena.Quarantined != 0 || st.Arena.Idle != 0 {
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
	before := m.Stats().Counts
	safePoints(t, m, 3)
	after := m.Stats().Counts
	if n := uint64(s.ChunkCount()); after.SkippedFull == before.SkippedFull || after.SkippedFull+after.Moved-before.SkippedFull-before.Moved != 3*n {
		t.Errorf("%d chunks, three times: %+v, %+v", n, before, after)
	}
	if !slices.Equal(rowsOf(s), numbers(0, s.Len())) {
		t.Error("rows differ")
	}
}

// A directory says how many more cells a chunk would take, and takes no more.
func TestDirectoryGrows(t *testing.T) {
	d := new(Directory)
	for _, c := range []struct {
		id          chunk.ID
		more, cells uint64
	}{{5, 0, 1}, {5, 0, 1}, {4, 1, 2}, {6, 2, 4}, {7, 0, 4}, {7 + 64, 124, 128}, {1 << 20, 0, 128}} {
		if got := d.more(c.id); got != c.more {
			t.Errorf("chunk %d takes %d more cells, want %d", c.id, got, c.more)
		}
		d.set(c.id, 7, false, nil)
		if d.mask+1 != c.cells || !d.Has(c.id) {
			t.Errorf("%d cells after chunk %d, want %d", d.mask+1, c.id, c.cells)
		}
	}
	d.Cell(5).Stamp = 9
	d.set(1<<20+5+1<<12, 1<<31, true, nil)
	if d.mask+1 != 1<<13 || d.Cell(5).Stamp != 9 {
		t.Errorf("%d cells, stamp %d", d.mask+1, d.Cell(5).Stamp)
	}
	if d.Place(4).Partial() || !d.Place(1<<20+5+1<<12).Partial() || d.Place(4).Key() != 7 || d.Place(1<<20+5+1<<12).Key() != 1<<31 || !d.Place(4).Is(4) {
		t.Errorf("keys %d, %d", d.Place(4).Key(), d.Place(1<<20+5+1<<12).Key())
	}
	d.clear(6)
	if d.Has(6) || !d.Has(4) || d.Has(0) || d.more(6) != 0 {
		t.Error("clear forgot another one, or none")
	}
	if m := open(t, Options{}); m != nil {
		if _, err := m.MakeSequence("widest", columns(make([]uint32, chunk.MaxColumns)...)); err != nil {
			t.Error(err)
		}
	}
}

// Places have the key of the sequence whose chunk they are of, wherever chunks move, and
// it can't be noted too late for that.
func TestKeys(t *testing.T) {
	m := open(t, Options{})
	a, b := sequence(t, m, "a", 8, 7992), sequence(t, m, "b", 8, 7992)
	a.SetKey(1)
	a.SetKey(1<<32 - 1)
	fillRows(t, a, 3*a.Capacity())
	fillRows(t, b, 1)
	for id := range a.Chunks() {
		if _, err := m.Move(id); err != nil {
			t.Fatal(err)
		}
		for i := range 2 {
			if p := a.Directory(i).Place(uint64(id)); p.Key() != a.Key() || !p.Is(uint64(id)) {
				t.Errorf("column %d of chunk %d: key %d", i, id, p.Key())
			}
		}
	}
	if id, _ := b.Chunk(0); b.Directory(0).Place(uint64(id)).Key() != 0 {
		t.Error("a sequence without a key has one")
	}
	defer func() {
		if got := fmt.Sprint(recover()); !strings.Contains(got, "before the first row") {
			t.Errorf("SetKey of a sequence with chunks: %s", got)
		}
	}()
	a.SetKey(2)
}

// What was noted of chunks is known to be old after each change of where they are.
func TestLayoutCounts(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 7992)
	n := s.Capacity()
	fillRows(t, s, 5*n)
	for _, c := range []struct {
		what string
		want bool
		f    func()
	}{
		{"a row", false, func() { s.DropLast(); s.Append() }},
		{"a chunk", true, func() { fillRows(t, s, 1) }},
		{"dropping it", true, func() { s.DropLast() }},
		{"a safe point", false, func() { safePoints(t, m, 1) }},
		{"DropChunks", true, func() { s.DropChunks(1) }},
		{"Move", true, func() { m.Move(s.chunks[0]) }},
		{"Truncate", false, func() { s.Truncate(s.Len() - 1) }},
		{"Pin", false, func() { m.pin(s.chunks[0]); m.unpin(s.chunks[0]) }},
		{"Drop", true, func() { s.Drop() }},
	} {
		before := m.Layout()
		if c.f(); (m.Layout() != before) != c.want {
			t.Errorf("%s: another layout: %v, want %v", c.what, !c.want, c.want)
		}
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

// Reclaim takes the chunk of a sequence that was emptied, too.
func TestReclaimOfEmptied(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8)
	fillRows(t, s, 3)
	s.Truncate(0)
	if _, err := m.Reclaim(^uint64(0)); err != nil || s.Busy() || m.Stats().Chunks != 0 || len(m.spares) != 0 {
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
