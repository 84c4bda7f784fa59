package memmgr

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/chunk"
)

// typed is a column of one size: how it is declared, written and read.
type typed struct {
	spec  chunk.Spec
	write func(s *Sequence, i int, l Loc, serial uint64)
	wrong func(s *Sequence, i int, l Loc, serial uint64) string // "" if the value is that of the row
}

// columnOf is the column of a type. View gives its bytes.
func columnOf[T any](align uint32, view func(*T) []byte) typed {
	size := len(view(new(T)))
	return typed{
		spec: chunk.Spec{Size: uint32(size), Align: align},
		write: func(s *Sequence, i int, l Loc, serial uint64) {
			for j, b := 0, view(&Slice[T](s, i, l.Chunk())[l.Row()]); j < len(b); j++ {
				b[j] = byteOf(serial, i, j)
			}
		},
		wrong: func(s *Sequence, i int, l Loc, serial uint64) string {
			for j, b := range view(&Slice[T](s, i, l.Chunk())[l.Row()]) {
				if want := byteOf(serial, i, j); b != want {
					return fmt.Sprintf("column %d of %d bytes, %v: byte %d is %#x, want %#x", i, size, l, j, b, want)
				}
			}
			return ""
		},
	}
}

// byteOf is byte j of column i in the row with a number. It differs from byte to byte, from
// column to column and from row to row.
func byteOf(serial uint64, i, j int) byte {
	x := (serial<<20 | uint64(i)<<12 | uint64(j)) * 0x9E3779B97F4A7C15
	return byte(x >> 56)
}

// allSizes has all sizes that are copied in a way of their own, none, odd ones, ones that
// are not a multiple of their neighbours, and alignments from 1 to a line.
func allSizes() []typed {
	return []typed{
		columnOf(1, func(v *[0]byte) []byte { return v[:] }),
		columnOf(1, func(v *[1]byte) []byte { return v[:] }),
		columnOf(2, func(v *[2]byte) []byte { return v[:] }),
		columnOf(1, func(v *[3]byte) []byte { return v[:] }),
		columnOf(4, func(v *[4]byte) []byte { return v[:] }),
		columnOf(1, func(v *[7]byte) []byte { return v[:] }),
		columnOf(8, func(v *[8]byte) []byte { return v[:] }),
		columnOf(4, func(v *[12]byte) []byte { return v[:] }),
		columnOf(16, func(v *[16]byte) []byte { return v[:] }),
		columnOf(1, func(v *[17]byte) []byte { return v[:] }),
		columnOf(8, func(v *[24]byte) []byte { return v[:] }),
		columnOf(32, func(v *[32]byte) []byte { return v[:] }),
		columnOf(2, func(v *[50]byte) []byte { return v[:] }),
		columnOf(64, func(v *[64]byte) []byte { return v[:] }),
		columnOf(1, func(v *[201]byte) []byte { return v[:] }),
		columnOf(8, func(v *[2400]byte) []byte { return v[:] }),
	}
}

// ledger is a sequence in which all rows have a number, and the numbers in order.
type ledger struct {
	t    *testing.T
	m    *Manager
	s    *Sequence
	cols []typed
	rows []uint64
	next *uint64
}

func newLedger(t *testing.T, m *Manager, name string, cols []typed, next *uint64) *ledger {
	t.Helper()
	var cs []ColumnSpec
	for _, c := range cols {
		cs = append(cs, ColumnSpec{Spec: c.spec})
	}
	s, err := m.MakeSequence(name, cs)
	if err != nil {
		t.Fatal(err)
	}
	return &ledger{t: t, m: m, s: s, cols: cols, next: next}
}

// fill writes all columns of a row that was appended.
func (x *ledger) fill(l Loc) {
	*x.next++
	for i, c := range x.cols {
		c.write(x.s, i, l, *x.next)
	}
	x.rows = append(x.rows, *x.next)
}

func (x *ledger) append(n int) {
	x.t.Helper()
	for range n {
		l, err := x.s.Append()
		if err != nil {
			x.t.Fatal(err)
		}
		x.fill(l)
	}
}

func (x *ledger) appendRun(n int) {
	x.t.Helper()
	for n > 0 {
		first, k, err := x.s.AppendRun(n)
		if err != nil || k < 1 || k > n {
			x.t.Fatalf("AppendRun(%d): %d rows, %v", n, k, err)
		}
		for i := range k {
			x.fill(first.Plus(uint32(i)))
		}
		n -= k
	}
}

func (x *ledger) swapRemove(at int) {
	last := len(x.rows) - 1
	want := x.s.At(last)
	if from := x.s.SwapRemove(x.s.At(at)); from != want {
		x.t.Helper()
		x.t.Fatalf("SwapRemove took the row at %v, want the last one, at %v", from, want)
	}
	x.rows[at] = x.rows[last]
	x.rows = x.rows[:last]
}

// check reads all columns of all rows, by chunk and by location.
func (x *ledger) check(what string) {
	x.t.Helper()
	if x.s.Len() != len(x.rows) {
		x.t.Fatalf("%s: %d rows, want %d", what, x.s.Len(), len(x.rows))
	}
	at := 0
	for id, n := range x.s.Chunks() {
		for row := range n {
			l := MakeLoc(id, uint32(row))
			if l != x.s.At(at) {
				x.t.Fatalf("%s: row %d is at %v by chunk, At says %v", what, at, l, x.s.At(at))
			}
			for i, c := range x.cols {
				if wrong := c.wrong(x.s, i, l, x.rows[at]); wrong != "" {
					x.t.Fatalf("%s: row %d of %d: %s", what, at, len(x.rows), wrong)
				}
			}
			at++
		}
	}
	if at != len(x.rows) {
		x.t.Fatalf("%s: chunks have %d rows, want %d", what, at, len(x.rows))
	}
}

// step does one random thing.
func (x *ledger) step(r *rand.Rand) {
	x.t.Helper()
	last := len(x.rows) - 1
	switch k := r.IntN(20); {
	case k < 7:
		x.append(1)
	case k < 9:
		x.appendRun(1 + r.IntN(min(2*int(x.s.Layout().Capacity()), 3000)))
	case last < 0:
	case k < 14:
		x.swapRemove(r.IntN(last + 1))
	case k < 15:
		x.s.DropLast()
		x.rows = x.rows[:last]
	case k < 16:
		n := max(r.IntN(last+1), last-r.IntN(40))
		if r.IntN(8) == 0 {
			n = r.IntN(last + 1)
		}
		x.s.Truncate(n)
		x.rows = x.rows[:n]
	case k < 18:
		if moved, err := x.m.Move(x.s.At(r.IntN(last + 1)).Chunk()); err != nil || !moved {
			x.t.Fatalf("Move: %v, %v", moved, err)
		}
	default:
		if err := x.m.SafePoint(); err != nil {
			x.t.Fatal(err)
		}
	}
}

// M10: Every column keeps every byte of every row through appends, removals, moves and growth
// out of a small chunk, whatever its size and whatever lies beside it.
func TestColumnsKeepTheirBytes(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		seeds := uint64(8)
		if testing.Short() {
			seeds = 3
		}
		steps := 1200
		if race.Enabled {
			seeds, steps = 1, 400
		}
		for seed := range seeds {
			m := open(t, o)
			r := rand.New(rand.NewPCG(seed, 21))
			var next uint64
			sizes := allSizes()
			ledgers := []*ledger{newLedger(t, m, "all", sizes, &next), newLedger(t, m, "all but the largest", sizes[:len(sizes)-1], &next)}
			for i := range 6 {
				some := slices.Clone(sizes[:len(sizes)-1])
				r.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
				ledgers = append(ledgers, newLedger(t, m, fmt.Sprint("some ", i), some[:1+r.IntN(4)], &next))
			}
			for step := range steps {
				x := ledgers[r.IntN(len(ledgers))]
				if x.step(r); step%40 == 0 {
					x.check(fmt.Sprintf("seed %d, step %d", seed, step))
				}
			}
			for _, x := range ledgers {
				x.check(fmt.Sprintf("seed %d, %s, at the end", seed, x.s.Name()))
			}
			if err := m.Check(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// A single column of each size goes from a small chunk to a full one and on to a second,
// row by row and in runs, is moved, and loses its first rows to its last ones.
func TestColumnOfEachSize(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		m := open(t, o)
		var next uint64
		for _, c := range allSizes() {
			for name, grow := range map[string]func(*ledger, int){"rows": (*ledger).append, "runs": (*ledger).appendRun} {
				what := fmt.Sprintf("%d bytes, %s", c.spec.Size, name)
				x := newLedger(t, m, what, []typed{c}, &next)
				grow(x, 3)
				x.check(what + ", small")
				for _, b := range x.s.shape.Blocks {
					grow(x, int(b.Capacity())+1-len(x.rows))
					x.check(what + ", grown out of a block")
				}
				grow(x, int(x.s.Layout().Capacity())+5-len(x.rows))
				x.check(what + ", two chunks")
				for id := range x.s.Chunks() {
					if _, err := m.Move(id); err != nil {
						t.Fatal(err)
					}
				}
				x.check(what + ", moved")
				for i := range 8 { // the last ones come from the second chunk, then from the first
					x.swapRemove(i)
				}
				x.check(what + ", removed")
				x.s.Drop()
				if err := m.SafePoint(); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// A row that takes the place of another stamps both chunks in every column, and no other
// chunk; one that is last stamps its own alone.
func TestSwapRemoveStampsAllColumns(t *testing.T) {
	m := open(t, Options{})
	var next uint64
	x := newLedger(t, m, "stamped", allSizes(), &next)
	x.append(4 * int(x.s.Layout().Capacity()))
	check := func(at int, want ...int) {
		t.Helper()
		since := m.Advance()
		m.Advance()
		since++
		x.swapRemove(at)
		for i := range x.cols {
			var got []int
			for c := range x.s.ChunkCount() {
				if id, _ := x.s.Chunk(c); x.s.Changed(i, id, since) {
					got = append(got, c)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("row %d removed: column %d changed in chunks %v, want %v", at, i, got, want)
			}
		}
	}
	check(1, 0, 3)
	check(x.s.Len()-1, 3)
	check(int(x.s.Layout().Capacity()), 1, 3)
	x.check("after removals")
}

// A pinned chunk that is full in its block goes on elsewhere: its rows can be read at the
// old place until it is unpinned, and all rows at the new one.
func TestFullPinnedBlock(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		m := open(t, o)
		var next uint64
		sizes := allSizes()
		x := newLedger(t, m, "held", sizes[6:9], &next)
		x.append(int(x.s.shape.Blocks[0].Capacity()))
		id, n := x.s.Chunk(0)
		old := Slice[[8]byte](x.s, 0, id)
		was := slices.Clone(old)
		m.pin(id)
		x.append(x.s.Capacity() + 3)
		for range 3 {
			if err := m.SafePoint(); err != nil {
				t.Fatal(err)
			}
			if err := m.Check(); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(old, was) || len(old) != n {
			t.Error("rows that are pinned changed when their chunk grew")
		}
		x.check("a pinned block that grew")
		if len(m.waiting) == 0 {
			t.Error("no place waits for the end of a pin")
		}
		m.unpin(id)
		if err := m.SafePoint(); err != nil {
			t.Fatal(err)
		}
		x.swapRemove(2)
		x.append(5)
		x.check("after the pin has ended")
		if st := m.Stats(); len(m.waiting) != 0 || st.Small != 0 {
			t.Errorf("%d places wait, %d chunks in blocks", len(m.waiting), st.Small)
		}
	})
}

// A refusal while a small chunk grows, or a chunk moves, leaves every byte of every column.
func TestColumnsAfterRefusals(t *testing.T) {
	refused, injected := 0, errors.New("refused by the test")
	for n := 1; n < 16; n++ {
		fault := func(op arena.Op, nth int, _ uint64) error {
			if op == arena.OpCommit && nth >= n {
				return injected
			}
			return nil
		}
		m, err := New(Options{Arena: arena.Options{Reserve: 64 << 20}.WithFault(fault)})
		if err != nil {
			t.Fatal(err)
		}
		if m.Arena().Backend() != arena.OS {
			t.Skip("the heap back end asks for nothing")
		}
		var next uint64
		sizes := allSizes()
		x := newLedger(t, m, "refused", sizes, &next)
		y := newLedger(t, m, "small", sizes[4:9], &next)
		for i := range 80 << 10 {
			l, err := x.s.Append()
			if err != nil {
				if !errors.Is(err, injected) {
					t.Fatal(err)
				}
				refused++
				break
			}
			x.fill(l)
			if i%50 == 0 {
				if l, err := y.s.Append(); err == nil {
					y.fill(l)
				}
				if _, err := m.Move(x.s.At(i / 2).Chunk()); err != nil && !errors.Is(err, injected) {
					t.Fatal(err)
				}
				if err := m.SafePoint(); err != nil {
					t.Fatal(err)
				}
			}
			if i > 2000 {
				break
			}
		}
		x.check(fmt.Sprintf("the %d-th commit refused", n))
		y.check(fmt.Sprintf("the %d-th commit refused", n))
		if err := errors.Join(m.Check(), m.Close()); err != nil {
			t.Error(err)
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
}
