package memmgr_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/memmgr"
)

// remove removes rows i to j and compares which chunks are stamped: all from the
// one of row i on, in every column.
func (tb *table) remove(t *testing.T, i, j int, f func()) {
	t.Helper()
	since := tb.m.Tick()
	tb.m.Advance()
	full := int(tb.s.Layout().Capacity())
	f()
	tb.model = slices.Delete(tb.model, i, j)
	for order := range tb.s.ChunkCount() {
		id, _ := tb.s.Chunk(order)
		want := order >= i/full
		for c := range tb.sizes {
			if got := tb.s.Changed(c, id, since); got != want && i < j {
				t.Fatalf("rows %d to %d of %d a chunk: column %d of chunk %d is stamped: %v", i, j, full, c, order, got)
			}
		}
	}
}

func TestRemoveRangeAgainstModel(t *testing.T) {
	options(t, func(t *testing.T, o memmgr.Options) {
		m := manager(t, o)
		tb := newTable(t, m, "table", rowSizes()...)
		s, r := tb.s, rand.New(rand.NewPCG(3, 4))
		full := int(s.Layout().Capacity())
		steps := 250
		if testing.Short() {
			steps = 60
		}
		for step := range steps {
			if s.Len() < full/2 || r.IntN(3) == 0 {
				tb.append(t, 1+r.IntN(2*full))
			}
			n := s.Len()
			i := r.IntN(n)
			switch step % 5 {
			case 0, 1:
				tb.remove(t, i, i+1, func() { s.RemoveRange(i, i+1) })
			case 2: // at a border of chunks
				i = min(i/full*full+full-1, n-1)
				tb.remove(t, i, i+1, func() { s.RemoveRange(i, i+1) })
			case 3:
				tb.remove(t, n-1, n, func() { s.RemoveRange(n-1, n) })
			case 4:
				j := i + r.IntN(n-i+1)
				tb.remove(t, i, j, func() { s.RemoveRange(i, j) })
			}
			tb.compare(t)
			if r.IntN(4) == 0 {
				if err := m.SafePoint(); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// Forms of a range: nothing, everything, whole chunks, the end and the beginning.
func TestRemoveRange(t *testing.T) {
	const rows = 20_000
	for _, tt := range []struct{ i, j int }{
		{0, 0}, {rows, rows}, {0, rows}, {0, 1}, {rows - 1, rows}, {0, 8191}, {100, 8291}, {100, 16_600}, {5, rows}, {0, rows - 5}, {8000, 9000},
	} {
		tb := newTable(t, manager(t, memmgr.Options{}), "table", 8, 1)
		tb.append(t, rows)
		tb.remove(t, tt.i, tt.j, func() { tb.s.RemoveRange(tt.i, tt.j) })
		tb.compare(t)
	}
	// In a small chunk.
	tb := newTable(t, manager(t, memmgr.Options{}), "table", rowSizes()...)
	tb.append(t, 9)
	tb.remove(t, 2, 6, func() { tb.s.RemoveRange(2, 6) })
	tb.compare(t)
	for len(tb.model) > 0 {
		tb.remove(t, 0, 1, func() { tb.s.RemoveRange(0, 1) })
		tb.compare(t)
	}
}

func TestRemoveRefuses(t *testing.T) {
	m := manager(t, memmgr.Options{})
	tb := newTable(t, m, "table", 8)
	tb.append(t, 10)
	for _, r := range [][2]int{{-1, 3}, {4, 3}, {0, 11}} {
		panics(t, func() { tb.s.RemoveRange(r[0], r[1]) }, "RemoveRange", "0 ≤ i ≤ j ≤ Len")
	}
	tb.compare(t)
}
