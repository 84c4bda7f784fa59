package memmgr

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

// open makes a manager and, at the end of the test, checks and closes it.
// stripeFrom is how many chunks sequences of most tests have before they are striped.
const stripeFrom = spot.FewMost

// open makes a manager where short sequences are not striped.
func open(t testing.TB, o Options) *Manager {
	t.Helper()
	m := opened(t, o)
	m.book.FewLeast = stripeFrom
	return m
}

func opened(t testing.TB, o Options) *Manager {
	t.Helper()
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Check(); err != nil {
			t.Error(err)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// refuse returns a fault that refuses the requests which match.
func refuse(match func(op arena.Op, nth int) bool) func(arena.Op, int, uint64) error {
	return func(op arena.Op, nth int, _ uint64) error {
		if match(op, nth) {
			return errors.New("refused by the test")
		}
		return nil
	}
}

func both(t *testing.T, f func(t *testing.T, o Options)) {
	t.Run("os", func(t *testing.T) { f(t, Options{}) })
	t.Run("heap", func(t *testing.T) { f(t, Options{Arena: arena.Options{Backend: arena.Heap}}) })
	t.Run("stress", func(t *testing.T) { f(t, Options{Stress: true}) })
}

func columns(sizes ...uint32) (cs []ColumnSpec) {
	for _, n := range sizes {
		cs = append(cs, ColumnSpec{Spec: chunk.Spec{Size: n, Align: 8}})
	}
	return cs
}

func sequence(t testing.TB, m *Manager, name string, sizes ...uint32) *Sequence {
	t.Helper()
	s, err := m.MakeSequence(name, columns(sizes...))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// rowsOf reads column 0 of a sequence, which has 8 bytes, in logical order.
func rowsOf(s *Sequence) (rows []uint64) {
	for id := range s.Chunks() {
		rows = append(rows, Slice[uint64](s, 0, id)...)
	}
	return rows
}

func put(s *Sequence, l Loc, v uint64) { Slice[uint64](s, 0, l.Chunk())[l.Row()] = v }

func TestSmallFirstChunk(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "few", 8, 16, 16)
	for i := range 40 {
		l, err := s.Append()
		if err != nil {
			t.Fatal(err)
		}
		put(s, l, uint64(i))
	}
	before := s.At(7)
	if st := m.Stats(); st.Small != 1 || st.Chunks != 1 {
		t.Errorf("40 rows of 40 bytes: %d chunks, %d small", st.Chunks, st.Small)
	}
	for i := range 1000 {
		l, err := s.Append()
		if err != nil {
			t.Fatal(err)
		}
		put(s, l, uint64(40+i))
	}
	if st := m.Stats(); st.Small != 0 || s.At(7) != before {
		t.Errorf("%d small chunks; row 7 was at %v and is at %v", st.Small, before, s.At(7))
	}
	for i, v := range rowsOf(s) {
		if v != uint64(i) {
			t.Fatalf("row %d holds %d", i, v)
		}
	}
}

// A thousand groups of ten rows take a page each, not a chunk.
func TestManySmallSequences(t *testing.T) {
	m := open(t, Options{})
	for i := range 1000 {
		s := sequence(t, m, fmt.Sprint("small ", i), 8, 16, 16)
		for range 10 {
			l, err := s.Append()
			if err != nil {
				t.Fatal(err)
			}
			put(s, l, 1)
			for c := 1; c < 3; c++ {
				Slice[[16]byte](s, c, l.Chunk())[l.Row()] = [16]byte{1}
			}
		}
	}
	if m.Arena().Backend() != arena.OS {
		t.Skip("pages are not the heap's to leave untouched")
	}
	resident, err := m.Arena().Resident()
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("resident memory can't be measured here")
	}
	if err != nil || resident >= 16<<20 {
		t.Errorf("%d bytes resident, %v; want less than 16 MiB", resident, err)
	}
	t.Logf("resident: %d bytes", resident)
}

func TestPins(t *testing.T) {
	m, err := New(Options{Stress: true})
	if err != nil {
		t.Fatal(err)
	}
	s := sequence(t, m, "held", 8)
	l, _ := s.Append()
	put(s, l, 42)
	base := s.directory(0).Addr(l.Chunk())
	m.pin(l.Chunk())
	m.pin(l.Chunk())
	for range 5 {
		if err := m.SafePoint(); err != nil {
			t.Fatal(err)
		}
	}
	if s.directory(0).Addr(l.Chunk()) != base || m.counts.skippedPinned != 5 || m.Stats().Pins != 2 {
		t.Errorf("a pinned chunk moved, or was not counted: %+v", *m.counts)
	}
	if err := m.Close(); !errors.Is(err, ErrPinned) || !strings.Contains(err.Error(), `(chunk 1 of "held" pinned 2 times)`) {
		t.Errorf("Close: %v", err)
	}
	m.unpin(l.Chunk())
	m.unpin(l.Chunk())
	if err := m.SafePoint(); err != nil || s.directory(0).Addr(l.Chunk()) == base {
		t.Errorf("an unpinned chunk stayed, %v", err)
	}
	if got := rowsOf(s); !slices.Equal(got, []uint64{42}) {
		t.Errorf("rows %v", got)
	}
	for words, f := range map[string]func(){
		"Move of chunk 0, which is not in use": func() { m.Move(0) },
	} {
		panics(t, m, words, f)
	}
	if st := m.Stats().Sequences; len(st) != 1 || st[0].Name != "held" || st[0].Rows != 1 || st[0].Chunks != 1 || m.Stats().Pins != 0 {
		t.Errorf("sequences %+v", st)
	}
	if err := errors.Join(m.Close(), m.Close()); err != nil {
		t.Error(err)
	}
}

// A slot that a chunk has left is nobody's until the next safe point.
func TestQuarantine(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "q", 8, 8000) // too wide for blocks
	l, _ := s.Append()
	if _, err := m.Move(l.Chunk()); err != nil {
		t.Fatal(err)
	}
	if st := m.Stats(); m.book.Retired() != 1 || st.Arena.Quarantined != arena.SlotBytes {
		t.Errorf("after a move: %+v", st)
	}
	m.SafePoint()
	m.SafePoint()
	if st := m.Stats(); m.book.Retired() != 0 || st.Arena.Quarantined != 0 {
		t.Errorf("two safe points later: %+v", st)
	}
}

// Refusals leave the old place and the old rows in force.
func TestRefusals(t *testing.T) {
	for n := 1; n < 12; n++ {
		m, err := New(Options{Arena: arena.Options{Reserve: 64 << 20}.WithFault(refuse(func(op arena.Op, nth int) bool { return op == arena.OpCommit && nth >= n }))})
		if err != nil {
			t.Fatal(err)
		}
		if m.Arena().Backend() != arena.OS {
			t.Skip("the heap back end asks for nothing")
		}
		s := sequence(t, m, "s", 8, 8<<10)
		var want []uint64
		refused := false
		for i := range uint64(2000) {
			l, err := s.Append()
			if err != nil {
				refused = true
				break
			}
			put(s, l, i)
			want = append(want, i)
		}
		if !refused && n < 5 { // 2,000 rows take more than 4 regions
			t.Fatalf("refusing from commit %d on had no effect", n)
		}
		if len(want) > 0 {
			for range 40 { // until there is no room for a move either
				if _, err := m.Move(s.At(0).Chunk()); err != nil {
					break
				}
			}
		}
		if err := m.Check(); err != nil {
			t.Fatal(err)
		}
		if got := rowsOf(s); !slices.Equal(got, want) {
			t.Fatalf("commit %d refused: %d rows, want %d", n, len(got), len(want))
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// The capacity is the same whatever the colour and the place.
func TestCapacityIsDeclared(t *testing.T) {
	var counts [][]int
	for _, o := range []Options{{}, {Arena: arena.Options{SmallPages: true}}, {Stress: true}, {Arena: arena.Options{Backend: arena.Heap}}} {
		m := open(t, o)
		s := sequence(t, m, "s", 8, 24)
		for range 9000 {
			if _, err := s.Append(); err != nil {
				t.Fatal(err)
			}
			if s.Len()%1000 == 0 {
				m.SafePoint()
			}
		}
		var rows []int
		for _, n := range s.Chunks() {
			rows = append(rows, n)
		}
		counts = append(counts, rows)
	}
	for _, c := range counts {
		if !slices.Equal(c, counts[0]) {
			t.Errorf("chunks of %v and %v rows", c, counts[0])
		}
	}
}

func TestStamps(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 8)
	l, _ := s.Append()
	since := m.Tick()
	m.Advance()
	s.Written(1, l.Chunk())
	if s.Changed(0, l.Chunk(), since) || !s.Changed(1, l.Chunk(), since) {
		t.Error("writing column 1 did not mark column 1 alone")
	}
	since = m.Tick()
	m.Advance()
	if _, err := m.Move(l.Chunk()); err != nil {
		t.Fatal(err)
	}
	if s.Changed(0, l.Chunk(), since) || s.Changed(1, l.Chunk(), since) {
		t.Error("a move marked columns as changed")
	}
	if m.Gen(l.Chunk()) < 2 {
		t.Error("a move did not change the generation")
	}
	s.Append()
	s.SwapRemove(l)
	if !s.Changed(0, l.Chunk(), since) || !s.Changed(1, l.Chunk(), since) {
		t.Error("a removal did not mark the columns")
	}
}

func TestDirectory(t *testing.T) {
	m := open(t, Options{})
	var shared Directory
	var seqs []*Sequence
	for i := range 64 {
		c := ColumnSpec{Spec: chunk.Spec{Size: 8, Align: 8}}
		if i%5 == 0 {
			c.Directory = &shared
		}
		s, err := m.MakeSequence(fmt.Sprint("s", i), []ColumnSpec{c})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Append(); err != nil {
			t.Fatal(err)
		}
		seqs = append(seqs, s)
	}
	for i, s := range seqs {
		id := s.At(0).Chunk()
		if shared.has(id) != (i%5 == 0) {
			t.Errorf("chunk %d: shared has it: %v", id, shared.has(id))
		}
		if !s.directory(0).has(id) {
			t.Errorf("chunk %d is not in its own directory", id)
		}
		if d := s.directory(0); d.Addr(id) == nil || d.Addr(id) != d.Cell(id).Addr || d.At(s.At(0), 8) != d.Addr(id) {
			t.Errorf("chunk %d is at %p for lookups and at %p for writers", id, d.Addr(id), d.Cell(id).Addr)
		}
		if d := s.directory(0); &d.Cells()[uint64(s.At(0))&d.mask] != d.Cell(id) || d.CellOf(s.At(0)) != d.Cell(id) {
			t.Errorf("chunk %d has several cells", id)
		}
	}
	if shared.has(0) || new(Directory).has(1) {
		t.Error("a directory has what nobody entered")
	}
}
