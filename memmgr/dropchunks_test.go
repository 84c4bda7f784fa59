package memmgr_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
)

// rowSizes are the columns of tables that every path over rows is tested with: sizes
// that are copied by moves of registers, by memmove, and not at all.
func rowSizes() []uint32 { return []uint32{8, 0, 1, 4, 8, 12, 16, 24, 32, 64, 3, 65} }

// table is a sequence with columns of given sizes, and beside it the serial number of
// each row: the values of its columns follow from that.
type table struct {
	m     *memmgr.Manager
	s     *memmgr.Sequence
	sizes []uint32
	model []uint64
	next  uint64
}

func newTable(t *testing.T, m *memmgr.Manager, name string, sizes ...uint32) *table {
	t.Helper()
	columns := make([]memmgr.ColumnSpec, len(sizes))
	for i, size := range sizes {
		columns[i].Spec = chunk.Spec{Size: size, Align: 1}
	}
	s, err := m.MakeSequence(name, columns)
	if err != nil {
		t.Fatal(err)
	}
	return &table{m: m, s: s, sizes: sizes}
}

// cell is byte k of a row's value in a column.
func cell(serial uint64, column, k int) byte {
	return byte((serial*31+uint64(column)*7+uint64(k)*13+1)*0x9e3779b97f4a7c15>>56) | 1
}

// value is where a row's value in a column lies, as bytes.
func (tb *table) value(l memmgr.Loc, column int) []byte {
	return memmgr.Bytes(tb.s, column, l)
}

func (tb *table) append(t *testing.T, n int) {
	t.Helper()
	for n > 0 {
		l, k, err := tb.s.AppendRun(n)
		if err != nil {
			t.Fatal(err)
		}
		for i := range k {
			for c := range tb.sizes {
				for b, v := 0, tb.value(l.Plus(uint32(i)), c); b < len(v); b++ {
					v[b] = cell(tb.next, c, b)
				}
			}
			tb.model = append(tb.model, tb.next)
			tb.next++
		}
		n -= k
	}
}

// compare reads every column of every row.
func (tb *table) compare(t *testing.T) {
	t.Helper()
	if err := tb.m.Check(); err != nil {
		t.Fatal(err)
	}
	if tb.s.Len() != len(tb.model) {
		t.Fatalf("%d rows, want %d", tb.s.Len(), len(tb.model))
	}
	i := 0
	for id, n := range tb.s.Chunks() {
		for row := range n {
			l := memmgr.MakeLoc(id, uint32(row))
			for c := range tb.sizes {
				for b, v := range tb.value(l, c) {
					if want := cell(tb.model[i], c, b); v != want {
						t.Fatalf("row %d at %v: byte %d of column %d, of %d bytes, is %d, want %d", i, l, b, c, tb.sizes[c], v, want)
					}
				}
			}
			i++
		}
	}
}

// options are the ways in which chunks may lie and move.
func options(t *testing.T, f func(t *testing.T, o memmgr.Options)) {
	for name, o := range map[string]memmgr.Options{
		"os": {}, "heap": {Arena: arena.Options{Backend: arena.Heap}}, "stress": {Stress: true},
	} {
		t.Run(name, func(t *testing.T) { f(t, o) })
	}
}

func manager(t testing.TB, o memmgr.Options) *memmgr.Manager {
	t.Helper()
	m, err := memmgr.New(o)
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

// panics returns the value of f's panic; it fails if that does not contain all the words.
func panics(t *testing.T, f func(), words ...string) {
	t.Helper()
	defer func() {
		t.Helper()
		said := fmt.Sprint(recover())
		for _, w := range words {
			if !strings.Contains(said, w) {
				t.Errorf("panic %q, want it to say %q", said, w)
			}
		}
	}()
	f()
}

func TestDropChunks(t *testing.T) {
	options(t, func(t *testing.T, o memmgr.Options) {
		m := manager(t, o)
		tb := newTable(t, m, "table", rowSizes()...)
		s, r := tb.s, rand.New(rand.NewPCG(1, 2))
		full := int(s.Layout().Capacity())
		steps := 60
		if testing.Short() {
			steps = 20
		}
		for step := range steps {
			tb.append(t, r.IntN(3*full))
			chunks := s.ChunkCount()
			n := r.IntN(chunks + 1)
			if step%10 == 9 {
				n = chunks // the last one too
			}
			rows := min(n*full, s.Len())
			var ids []chunk.ID
			var counts []int
			for id, rows := range s.Chunks() {
				ids, counts = append(ids, id), append(counts, rows)
			}
			var kept memmgr.Loc
			if rows < s.Len() {
				kept = s.At(rows + (s.Len()-rows)/2)
			}
			layout := m.Layout()
			s.DropChunks(n)
			tb.model = tb.model[rows:]

			if s.ChunkCount() != chunks-n {
				t.Fatalf("%d chunks after %d of %d went", s.ChunkCount(), n, chunks)
			}
			for i := range s.ChunkCount() {
				id, rows := s.Chunk(i)
				if id != ids[n+i] || rows != counts[n+i] || m.Order(id) != i {
					t.Fatalf("chunk %d is %d with %d rows at place %d; it was %d with %d", i, id, rows, m.Order(id), ids[n+i], counts[n+i])
				}
			}
			if kept != 0 && s.At(s.Len()/2) != kept {
				t.Fatalf("a row was at %v and is at %v", kept, s.At(s.Len()/2))
			}
			if n > 0 && n < chunks && m.Layout() == layout {
				t.Fatal("chunks went, and Layout is the same")
			}
			tb.compare(t)
			if r.IntN(3) == 0 {
				if err := m.SafePoint(); err != nil {
					t.Fatal(err)
				}
				tb.compare(t)
			}
		}
		s.DropChunks(s.ChunkCount())
		s.DropChunks(0)
		for range 2 {
			if err := m.SafePoint(); err != nil {
				t.Fatal(err)
			}
		}
		if st := m.Stats(); st.Chunks != 0 || s.Len() != 0 {
			t.Errorf("after all went, %d chunks and %d rows are left", st.Chunks, s.Len())
		}
	})
}
