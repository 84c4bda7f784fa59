package memmgr_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr"
)

// marked marks the rows for which gone is true, by runs of random length.
func marked(r *rand.Rand, rows, longest, share int) memmgr.Marks {
	marks := memmgr.MarksFor(rows)
	for i := 0; i < rows; {
		gone := r.IntN(share) == 0
		for n := 1 + r.IntN(longest); n > 0 && i < rows; n-- {
			if gone {
				marks.Set(i)
			}
			i++
		}
	}
	return marks
}

// without is a model less the marked rows.
func without(model []uint64, marks memmgr.Marks) (kept []uint64) {
	for i, serial := range model {
		if !marks.Has(i) {
			kept = append(kept, serial)
		}
	}
	return kept
}

// Rows that stay keep their order and every byte, in blocks, in slots and in striped regions, with
// columns of all sizes. All chunks from the first row that goes on are stamped, and no others.
func TestPackAgainstSlices(t *testing.T) {
	options(t, func(t *testing.T, o memmgr.Options) {
		m := manager(t, o)
		r := rand.New(rand.NewPCG(5, 6))
		steps := 60
		if testing.Short() {
			steps = 15
		}
		for _, sizes := range [][]uint32{rowSizes(), {8, 2, 48}, {5000, 1}} {
			tb := newTable(t, m, "table", sizes...)
			full := tb.s.Capacity()
			for step := range steps {
				if len(tb.model) < full {
					tb.append(t, r.IntN([]int{full / 2, 3 * full, 20 * full}[step%3]))
				}
				marks := marked(r, len(tb.model), 1+r.IntN(2)*full, 1+r.IntN(5))
				first, removed := len(tb.model), 0
				for i := range tb.model {
					if marks.Has(i) {
						if removed++; removed == 1 {
							first = i
						}
					}
				}
				since := m.Tick()
				m.Advance()
				gotFirst, gotRemoved := first, 0
				stamps := true
				switch r.IntN(3) {
				case 0:
					gotRemoved = tb.s.RemoveFunc(func(l memmgr.Loc) bool { return marks.Has(tb.s.Index(l)) })
				case 1:
					gotRemoved = tb.s.RemoveMarked(func(first memmgr.Loc, drop []bool) {
						for i := range drop {
							drop[i] = marks.Has(tb.s.Index(first) + i)
						}
					})
				default:
					gotFirst, gotRemoved = tb.s.Pack(marks)
					stamps = false // but in the last chunk, which Truncate stamps
				}
				if gotFirst != first || gotRemoved != removed {
					t.Fatalf("Pack: first row %d, %d rows removed; want %d and %d", gotFirst, gotRemoved, first, removed)
				}
				for order := range tb.s.ChunkCount() {
					id, _ := tb.s.Chunk(order)
					for c := range sizes {
						if !stamps && order == tb.s.ChunkCount()-1 {
							continue
						}
						if want := stamps && removed > 0 && order >= first/full; tb.s.Changed(c, id, since) != want {
							t.Fatalf("column %d of chunk %d is stamped: %v", c, order, !want)
						}
					}
				}
				tb.model = without(tb.model, marks)
				tb.compare(t)
				if r.IntN(4) == 0 {
					if err := m.SafePoint(); err != nil {
						t.Fatal(err)
					}
				}
			}
			tb.s.Drop()
		}
	})
}

// Marks.Runs tells where the rows that stay have gone.
func TestMarksRunsTellNewRows(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		n := r.IntN(400)
		marks := marked(r, n, 1+r.IntN(150), 1+r.IntN(4))[:r.IntN(n/64+1)] // rows behind the words stay
		i := r.IntN(n + 1)
		j := i + r.IntN(n-i+1)
		var kept, gone []int
		for from, to := range marks.Runs(i, j, false) {
			for row := from; row < to; row++ {
				kept = append(kept, row)
			}
		}
		for from, to := range marks.Runs(i, j, true) {
			for row := from; row < to; row++ {
				gone = append(gone, row)
			}
		}
		for row := i; row < j; row++ {
			list := &kept
			if marks.Has(row) {
				list = &gone
			}
			if len(*list) == 0 || (*list)[0] != row {
				t.Fatalf("rows %d to %d: row %d is missing, marked: %v", i, j, row, marks.Has(row))
			}
			*list = (*list)[1:]
		}
		if len(kept)+len(gone) != 0 {
			t.Fatalf("rows %d to %d: %v and %v are too many", i, j, kept, gone)
		}
	}
}

// RemoveFunc asks once for each row, in order, before anything moves.
func TestRemoveFuncAsksInOrder(t *testing.T) {
	options(t, func(t *testing.T, o memmgr.Options) {
		tb := newTable(t, manager(t, o), "table", rowSizes()...)
		tb.append(t, 5*tb.s.Capacity()+7)
		want := slices.Clone(tb.model)
		i := 0
		removed := tb.s.RemoveFunc(func(l memmgr.Loc) bool {
			if l != tb.s.At(i) || tb.value(l, 0)[0] != cell(want[i], 0, 0) {
				t.Fatalf("call %d is about %v", i, l)
			}
			i++
			return i%3 == 0
		})
		if i != len(want) || removed != len(want)/3 {
			t.Errorf("%d calls for %d rows, and %d removed", i, len(want), removed)
		}
		tb.model = tb.model[:0]
		for i, serial := range want {
			if (i+1)%3 != 0 {
				tb.model = append(tb.model, serial)
			}
		}
		tb.compare(t)
	})
}

// RemoveMarked asks once for each chunk, in order, with nothing marked and no more room than the chunk
// has rows. Bools that were set for one chunk are forgotten before the next.
func TestRemoveMarkedAsksByChunk(t *testing.T) {
	options(t, func(t *testing.T, o memmgr.Options) {
		tb := newTable(t, manager(t, o), "table", 8, 16)
		if tb.s.RemoveMarked(func(memmgr.Loc, []bool) { t.Error("asked about no row") }) != 0 {
			t.Error("rows of an empty sequence were removed")
		}
		full := tb.s.Capacity()
		tb.append(t, 5*full/2)
		calls := 0
		removed := tb.s.RemoveMarked(func(first memmgr.Loc, drop []bool) {
			rows := min(full, len(tb.model)-calls*full)
			if first != tb.s.At(calls*full) || len(drop) != rows || cap(drop) != rows || slices.Contains(drop, true) {
				t.Errorf("call %d: %v and %d bools of %d", calls, first, len(drop), cap(drop))
			}
			if calls == 0 {
				drop[0], drop[full-1] = true, true
			}
			calls++
		})
		if calls != 3 || removed != 2 {
			t.Errorf("%d calls, and %d rows removed", calls, removed)
		}
		tb.model = slices.Delete(slices.Delete(tb.model, full-1, full), 0, 1)
		tb.compare(t)
	})
}

// A function that panics, or one that changes the sequence, leaves the rows that are there.
func TestRemoveFuncRefuses(t *testing.T) {
	tb := newTable(t, manager(t, memmgr.Options{}), "table", 8)
	tb.append(t, 100)
	panics(t, func() { tb.s.RemoveFunc(func(memmgr.Loc) bool { panic("stop") }) }, "stop")
	tb.compare(t)
	panics(t, func() {
		tb.s.RemoveFunc(func(memmgr.Loc) bool { tb.append(t, 1); return true })
	}, "RemoveFunc", `"table"`, "changed its rows")
	tb.compare(t)
	panics(t, func() {
		tb.s.RemoveMarked(func(memmgr.Loc, []bool) { tb.append(t, 2*tb.s.Capacity()) })
	}, "RemoveMarked", `"table"`, "changed its rows")
	tb.compare(t)
}

// A pack that empties pinned chunks leaves them to their readers, and takes no memory.
func TestPackUnderPinsAndLimit(t *testing.T) {
	m := manager(t, memmgr.Options{})
	tb := newTable(t, m, "table", 8, 4000)
	tb.append(t, 200)
	unpin := tb.s.Pin()
	m.Arena().SetLimit(1)
	marks := memmgr.MarksFor(200)
	for i := 100; i < 200; i++ {
		marks.Set(i)
	}
	last := memmgr.Bytes(tb.s, 1, tb.s.At(199))
	tb.s.Pack(marks)
	tb.model = tb.model[:100]
	tb.compare(t)
	if last[7] != cell(199, 1, 7) {
		t.Error("a row of a pinned chunk that has gone reads wrong")
	}
	unpin()
	m.Arena().SetLimit(0)
	if err := m.SafePoint(); err != nil {
		t.Fatal(err)
	}
	if m.Arena().Backend() == arena.OS && memmgr.Waiting(m) != 0 {
		t.Error("places wait for no pin")
	}
}
