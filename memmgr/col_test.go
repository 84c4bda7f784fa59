package memmgr_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
)

type wide struct {
	A uint64
	B [5]uint32
	C float64
}

// Every way to reach a value through a handle reaches the same one.
func TestCol(t *testing.T) {
	options(t, func(t *testing.T, o memmgr.Options) {
		m := manager(t, o)
		s, err := m.MakeSequence("typed", memmgr.Columns(memmgr.SpecOf[uint16](), memmgr.SpecOf[wide](), memmgr.SpecOf[struct{}]()))
		if err != nil {
			t.Fatal(err)
		}
		shorts, wides, none := memmgr.ColOf[uint16](s, 0), memmgr.ColOf[wide](s, 1), memmgr.ColOf[struct{}](s, 2)
		const rows = 5000
		for i := range rows {
			l, err := s.Append()
			if err != nil {
				t.Fatal(err)
			}
			shorts.Set(l, uint16(i))
			wides.At(l).C = float64(i)
			wides.At(l).A = ^uint64(i)
		}
		if err := m.SafePoint(); err != nil {
			t.Fatal(err)
		}
		if s.ChunkCount() < 3 {
			t.Fatalf("%d chunks", s.ChunkCount())
		}

		n := 0
		for at, values := range wides.Chunks(s) {
			if !slices.Equal(values, wides.Slice(at)) || len(shorts.Slice(at)) != len(values) || len(none.Slice(at)) != len(values) {
				t.Fatalf("chunk at %v: slices differ", at)
			}
			for row, v := range values {
				l := at.Plus(uint32(row))
				if v.C != float64(n) || v.A != ^uint64(n) || *wides.At(l) != v || shorts.Slice(at)[row] != uint16(n) || *shorts.At(l) != uint16(n) {
					t.Fatalf("row %d at %v: %+v, %d", n, l, v, shorts.Slice(at)[row])
				}
				n++
			}
		}
		if n != rows {
			t.Fatalf("%d rows, want %d", n, rows)
		}
		for range wides.Chunks(s) {
			break // an iterator has to end where its user does
		}

		full := int(s.Layout().Capacity())
		for _, r := range [][2]int{{0, 0}, {rows, rows}, {0, rows}, {17, 18}, {full - 1, full + 1}, {full, 2 * full}, {3, rows - 3}} {
			at := r[0]
			for l, k := range s.Runs(r[0], r[1]) {
				if l != s.At(at) || s.Index(l) != at || k < 1 {
					t.Fatalf("run of %d rows at %v, want at %v", k, l, s.At(at))
				}
				for _, v := range shorts.Slice(l)[:k] {
					if v != uint16(at) {
						t.Fatalf("row %d is %d", at, v)
					}
					at++
				}
			}
			if at != r[1] {
				t.Fatalf("runs of rows %d to %d end at %d", r[0], r[1], at)
			}
		}
		for range s.Runs(0, rows) {
			break
		}
		for _, r := range [][2]int{{-1, 3}, {4, 3}, {0, rows + 1}} {
			panics(t, func() { s.Runs(r[0], r[1]) }, "Runs", "0 ≤ i ≤ j ≤ Len")
		}
	})
}

// Set and Written stamp the column alone.
func TestColStamps(t *testing.T) {
	m := manager(t, memmgr.Options{})
	s, err := m.MakeSequence("typed", memmgr.Columns(memmgr.SpecOf[int32](), memmgr.SpecOf[int32]()))
	if err != nil {
		t.Fatal(err)
	}
	a, b := memmgr.ColOf[int32](s, 0), memmgr.ColOf[int32](s, 1)
	l, err := s.Append()
	if err != nil {
		t.Fatal(err)
	}
	id := l.Chunk()
	for i, write := range []func(){func() { a.Set(l, 1) }, func() { a.Written(memmgr.MakeLoc(id, 0)) }} {
		since := m.Tick()
		m.Advance()
		if a.Changed(memmgr.MakeLoc(id, 0), since) {
			t.Errorf("%d: changed before", i)
		}
		write()
		if !a.Changed(memmgr.MakeLoc(id, 0), since) || !s.Changed(0, id, since) || b.Changed(memmgr.MakeLoc(id, 0), since) {
			t.Errorf("%d: changed: %v, %v", i, a.Changed(memmgr.MakeLoc(id, 0), since), b.Changed(memmgr.MakeLoc(id, 0), since))
		}
	}
	if *a.At(l) != 1 {
		t.Errorf("set to %d", *a.At(l))
	}
}

// A directory that sequences share makes one handle good for all of them.
func TestColShared(t *testing.T) {
	m := manager(t, memmgr.Options{})
	var shared memmgr.Directory
	column := memmgr.ColumnSpec{Spec: memmgr.SpecOf[int64](), Directory: &shared}
	var seqs []*memmgr.Sequence
	for i := range 10 {
		s, err := m.MakeSequence(fmt.Sprint("one of many ", i), []memmgr.ColumnSpec{column})
		if err != nil {
			t.Fatal(err)
		}
		seqs = append(seqs, s)
	}
	values := memmgr.ColOf[int64](seqs[0], 0)
	for i := range 100 {
		l, err := seqs[i%10].Append()
		if err != nil {
			t.Fatal(err)
		}
		values.Set(l, int64(i))
	}
	for i, s := range seqs {
		for _, vs := range values.Chunks(s) {
			for row, v := range vs {
				if v != int64(10*row+i) {
					t.Errorf("row %d of sequence %d is %d", row, i, v)
				}
			}
		}
	}
}

func TestColRefuses(t *testing.T) {
	m := manager(t, memmgr.Options{})
	packed := memmgr.ColumnSpec{Spec: chunk.Spec{Size: 8, Align: 4}}
	s, err := m.MakeSequence("typed", []memmgr.ColumnSpec{packed, {Spec: memmgr.SpecOf[int64]()}})
	if err != nil {
		t.Fatal(err)
	}
	memmgr.ColOf[[2]uint32](s, 1) // less alignment than there is
	panics(t, func() { memmgr.ColOf[int64](s, 2) }, "column 2", `"typed"`, "has 2")
	panics(t, func() { memmgr.ColOf[int64](s, -1) }, "column -1")
	panics(t, func() { memmgr.ColOf[int32](s, 1) }, "int32", "4 bytes", "SpecOf of the same type")
	if memmgr.SpecOf[int64]().Align > 4 {
		panics(t, func() { memmgr.ColOf[int64](s, 0) }, "int64", "aligned to 4", "SpecOf of the same type")
	}
	panics(t, func() { memmgr.SpecOf[struct{ Name string }]() }, "Go pointer", "Name")
	panics(t, func() { memmgr.ColOf[*int](s, 0) }, "Go pointer")
	panics(t, func() { memmgr.SpecOf[[70_000]byte]() }, "limit")

	other, err := m.MakeSequence("other", memmgr.Columns(memmgr.SpecOf[int64]()))
	if err != nil {
		t.Fatal(err)
	}
	l, err := other.Append()
	if err != nil {
		t.Fatal(err)
	}
	if arena.Checked {
		c := memmgr.ColOf[int64](s, 1)
		for _, f := range []func(){func() { c.At(l) }, func() { c.Slice(memmgr.MakeLoc(l.Chunk(), 0)) }, func() { c.Slice(l) }} {
			panics(t, f, "does not have this column", "int64")
		}
		c, last := memmgr.ColOf[int64](other, 0), other.At(0)
		for range 2 {
			if last, err = other.Append(); err != nil {
				t.Fatal(err)
			}
		}
		if n := len(c.Slice(l)) + len(c.Slice(last)) + len(c.Slice(last.Plus(1))); n != 4 {
			t.Errorf("runs of %d rows", n)
		}
		panics(t, func() { c.Slice(last.Plus(2)) }, "which has 3 rows: pass the location of a row")
	}
}

// A handle costs as much as Slice.
func BenchmarkCol(b *testing.B) {
	m := manager(b, memmgr.Options{})
	s, err := m.MakeSequence("typed", memmgr.Columns(memmgr.SpecOf[int64](), memmgr.SpecOf[[4]float64]()))
	if err != nil {
		b.Fatal(err)
	}
	for left := 100_000; left > 0; {
		_, n, err := s.AppendRun(left)
		if err != nil {
			b.Fatal(err)
		}
		left -= n
	}
	values := memmgr.ColOf[int64](s, 0)
	sum := int64(0)
	b.Run("impl=Slice", func(b *testing.B) {
		for b.Loop() {
			for id := range s.Chunks() {
				sum += memmgr.Slice[int64](s, 0, id)[0]
			}
		}
	})
	b.Run("impl=Col", func(b *testing.B) {
		for b.Loop() {
			for id := range s.Chunks() {
				sum += values.Slice(memmgr.MakeLoc(id, 0))[0]
			}
		}
	})
	b.Run("impl=Chunks", func(b *testing.B) {
		for b.Loop() {
			for _, vs := range values.Chunks(s) {
				sum += vs[0]
			}
		}
	})
	at := s.At(50_000)
	b.Run("impl=At", func(b *testing.B) {
		for b.Loop() {
			sum += *values.At(at)
		}
	})
	b.Run("impl=Set", func(b *testing.B) {
		for b.Loop() {
			values.Set(at, sum)
		}
	})
}
