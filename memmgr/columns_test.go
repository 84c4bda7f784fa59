package memmgr

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/internal/race"
)

// typed is a column of one size: how it is declared, written and read.
type typed struct {
	spec  chunk.Spec
	write func(s *Sequence, i int, l Loc, serial uint64)
	wrong func(s *Sequence, i int, l Loc, serial uint64) string // "" if the value is that of the row
}

// columnOf is the column of a type whose bytes are given by view.
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

// table is a sequence whose rows all have a number, and the numbers in order.
type table struct {
	t    *testing.T
	m    *Manager
	s    *Sequence
	cols []typed
	rows []uint64
	next *uint64
}

func newTable(t *testing.T, m *Manager, name string, cache uint32, cols []typed, next *uint64) *table {
	t.Helper()
	var cs []Column
	for _, c := range cols {
		cs = append(cs, Column{Spec: c.spec})
	}
	s, err := m.NewSequence(name, cs, cache)
	if err != nil {
		t.Fatal(err)
	}
	return &table{t: t, m: m, s: s, cols: cols, next: next}
}

// fill writes all columns of a row that was appended.
func (x *table) fill(l Loc) {
	*x.next++
	for i, c := range x.cols {
		c.write(x.s, i, l, *x.next)
	}
	x.rows = append(x.rows, *x.next)
}

func (x *table) append(n int) {
	x.t.Helper()
	for range n {
		l, err := x.s.Append()
		if err != nil {
			x.t.Fatal(err)
		}
		x.fill(l)
	}
}

func (x *table) appendRun(n int) {
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

func (x *table) swapRemove(at int) {
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
func (x *table) check(what string) {
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
func (x *table) step(r *rand.Rand) {
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

// Every column keeps every byte of every row through appends, removals, moves and growth
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
			tables := []*table{newTable(t, m, "all", 0, sizes, &next), newTable(t, m, "all but the largest", 5000, sizes[:len(sizes)-1], &next)}
			for i := range 6 {
				some := slices.Clone(sizes[:len(sizes)-1])
				r.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
				tables = append(tables, newTable(t, m, fmt.Sprint("some ", i), uint32(r.IntN(3))*4096, some[:1+r.IntN(4)], &next))
			}
			for step := range steps {
				x := tables[r.IntN(len(tables))]
				if x.step(r); step%40 == 0 {
					x.check(fmt.Sprintf("seed %d, step %d", seed, step))
				}
			}
			for _, x := range tables {
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
			for name, grow := range map[string]func(*table, int){"rows": (*table).append, "runs": (*table).appendRun} {
				what := fmt.Sprintf("%d bytes, %s", c.spec.Size, name)
				x := newTable(t, m, what, 0, []typed{c}, &next)
				grow(x, 3)
				x.check(what + ", small")
				if x.s.hasSmall {
					grow(x, int(x.s.small.Capacity())-2)
					x.check(what + ", grown out of the small chunk")
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
	x := newTable(t, m, "stamped", 0, allSizes(), &next)
	x.append(4 * int(x.s.Layout().Capacity()))
	check := func(at int, want ...int) {
		t.Helper()
		since := m.Advance() - 1
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

// A pinned small chunk that is full refuses another row and says why. Nothing has changed
// then, in any column, and once it is unpinned the row comes.
func TestFullPinnedSmallChunk(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		for _, grow := range []struct {
			name string
			do   func(*Sequence) error
		}{
			{"Append", func(s *Sequence) error { _, err := s.Append(); return err }},
			{"AppendRun", func(s *Sequence) error { _, _, err := s.AppendRun(1); return err }},
			{"a long AppendRun", func(s *Sequence) error { _, _, err := s.AppendRun(1000); return err }},
		} {
			m := open(t, o)
			var next uint64
			sizes := allSizes()
			x := newTable(t, m, "held", 0, sizes[:len(sizes)-1], &next)
			x.append(int(x.s.small.Capacity()))
			id, _ := x.s.Chunk(0)
			base := m.Base(id)
			m.Pin(id)
			for range 3 {
				if err := grow.do(x.s); err == nil || !strings.Contains(err.Error(), `of "held" is full, and pinned`) || !strings.Contains(err.Error(), "unpin it first") {
					t.Errorf("%s to a full pinned small chunk: %v", grow.name, err)
				}
				if err := m.SafePoint(); err != nil {
					t.Fatal(err)
				}
			}
			if m.Base(id) != base {
				t.Errorf("%s moved a pinned chunk", grow.name)
			}
			x.check(grow.name + " refused")
			x.swapRemove(2)
			x.append(1) // there is room again
			x.check(grow.name + " refused, and a row replaced")
			m.Unpin(id)
			x.append(5)
			x.appendRun(40)
			x.check(grow.name + " after Unpin")
			if m.Stats().Small != 0 {
				t.Errorf("%d rows, and still a small chunk", len(x.rows))
			}
		}
	})
}

// A refusal while a small chunk grows, or a chunk moves, leaves every byte of every column.
func TestColumnsAfterRefusals(t *testing.T) {
	refused, injected := 0, errors.New("refused by the test")
	for n := 1; n < 16; n++ {
		fault := func(c arena.Call) error {
			if c.Op == arena.OpCommit && c.N >= n {
				return injected
			}
			return nil
		}
		m, err := New(Options{Arena: arena.Options{Reserve: 64 << 20, Fault: fault}})
		if err != nil {
			t.Fatal(err)
		}
		if m.Arena().Backend() != arena.OS {
			t.Skip("the heap back end asks for nothing")
		}
		var next uint64
		sizes := allSizes()
		x := newTable(t, m, "refused", 0, sizes, &next)
		y := newTable(t, m, "small", 0, sizes[4:9], &next)
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
