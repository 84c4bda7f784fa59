package memmgr

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

// goHeap is how many bytes of the Go heap are in use.
func goHeap() uint64 {
	var st runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&st)
	return st.HeapAlloc
}

// resident is the resident memory of a manager, or the test is skipped.
func residentOf(t testing.TB, m *Manager) uint64 {
	t.Helper()
	if m.Arena().Backend() != arena.OS {
		t.Skip("pages are not the heap's to leave untouched")
	}
	n, err := m.Arena().Resident()
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("resident memory can't be measured here")
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// lockStep makes sequences of three columns that grow by a row in turn, to two chunks each.
func lockStep(t testing.TB, m *Manager, n int) []*Sequence {
	seqs := make([]*Sequence, n)
	for i := range seqs {
		seqs[i] = sequence(t, m, fmt.Sprint("s", i), 8, 16, 20000)
	}
	for range 2 * seqs[0].Capacity() {
		for _, s := range seqs {
			if _, err := s.Append(); err != nil {
				t.Fatal(err)
			}
		}
	}
	return seqs
}

// Sequences that grow in lock step do not make each other's directories larger: 2,048 of
// three columns and two chunks each take no more than 2 MiB of Go heap.
func TestLockStepTakesLittleHeap(t *testing.T) {
	m := open(t, Options{Arena: arena.Options{Backend: arena.OS}})
	if m.Arena().Backend() != arena.OS {
		t.Skip("chunks are on the Go heap")
	}
	before := goHeap()
	seqs := lockStep(t, m, 2048)
	got := goHeap() - before
	if got > 2<<20 {
		t.Errorf("%d bytes of Go heap, want at most %d", got, 2<<20)
	}
	t.Logf("%d bytes of Go heap, %d a sequence", got, got/2048)
	for _, s := range seqs {
		if s.ChunkCount() != 2 || s.directory(0).mask > 3 {
			t.Fatalf("%d chunks, %d cells", s.ChunkCount(), s.directory(0).mask+1)
		}
	}
	runtime.KeepAlive(seqs)
}

// The cost of many small sequences is counted, not timed: no operation looks through all.
func TestManySequencesCostLittle(t *testing.T) {
	m := open(t, Options{})
	const n = 20000
	seqs := make([]*Sequence, n)
	for i := range seqs {
		seqs[i] = sequence(t, m, fmt.Sprint("s", i), 8)
		fillRows(t, seqs[i], 1)
	}
	if st := m.Stats().Sequences; len(st) != n || st[n-1] != (SequenceStats{Name: fmt.Sprint("s", n-1), Rows: 1, Chunks: 1, Bytes: seqs[n-1].Bytes(), Payload: 8}) {
		t.Errorf("%d sequences, the last is %+v", len(st), st[len(st)-1])
	}
	most, copied := 0, 0
	for i := range seqs { // in an order that is not that of making
		s := seqs[i*7919%n]
		before := len(m.seqs)
		s.Drop()
		if len(m.seqs) != before { // chunks that are left were moved together
			copied += before
		}
		most = max(most, len(m.seqs)-m.sequenceCount())
	}
	if copied > 3*n {
		t.Errorf("dropping %d sequences looked at %d lines of their list", n, copied)
	}
	if most > n/2+1 || m.sequenceCount() != 0 || len(m.seqs) != 0 {
		t.Errorf("%d lines of the list of sequences are left", len(m.seqs))
	}
}

// A thousand sequences of a row, ten thousand under a limit of 250 MB, and twenty rounds of
// dropping and making them take the memory that they hold, and no more.
func TestResidentOfSmallSequences(t *testing.T) {
	make1 := func(t *testing.T, m *Manager, n int) (seqs []*Sequence) {
		for i := range n {
			s := sequence(t, m, fmt.Sprint("s", i), 8, 16, 16)
			l, err := s.Append()
			if err != nil {
				t.Fatal(err)
			}
			put(s, l, 1)
			for c := 1; c < 3; c++ {
				Slice[[16]byte](s, c, l.Chunk())[l.Row()] = [16]byte{1}
			}
			seqs = append(seqs, s)
		}
		return seqs
	}
	t.Run("1,000", func(t *testing.T) {
		m := open(t, Options{})
		make1(t, m, 1000)
		if n := residentOf(t, m); n > 3<<20 {
			t.Errorf("%d bytes are resident", n)
		}
	})
	t.Run("limit", func(t *testing.T) {
		m := open(t, Options{Arena: arena.Options{Limit: 250e6}})
		make1(t, m, 10000)
		if n := m.Arena().Stats().Committed; n > 32<<20 {
			t.Errorf("%d bytes are committed", n)
		}
	})
	t.Run("rounds", func(t *testing.T) {
		m := open(t, Options{})
		for range 20 {
			seqs := make1(t, m, 300)
			for _, s := range seqs {
				fillRows(t, s, 27)
			}
			if got := m.Stats().Payload; got != 300*28*40 {
				t.Fatalf("%d bytes of payload", got)
			}
			for _, s := range seqs {
				s.Drop()
			}
			if err := m.SafePoint(); err != nil {
				t.Fatal(err)
			}
		}
		if n := residentOf(t, m); n > 7<<20 {
			t.Errorf("%d bytes are resident", n)
		}
	})
}

func BenchmarkSafePointAtRest(b *testing.B) {
	m := open(b, Options{})
	sequence(b, m, "s", 8)
	for b.Loop() {
		if err := m.SafePoint(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSafePointAstray is a safe point with 8192 chunks astray. All are pinned and have to
// wait: it looks at astrayMost of them.
func BenchmarkSafePointAstray(b *testing.B) {
	m := open(b, Options{})
	s := sequence(b, m, "long", 8, 60000)
	fillRows(b, s, 8192)
	safePoints(b, m, stripeFrom+2)
	for _, id := range s.chunks {
		if ok, err := m.Move(id); !ok || err != nil {
			b.Fatal(ok, err)
		}
		m.pin(id)
	}
	for b.Loop() {
		if err := m.SafePoint(); err != nil {
			b.Fatal(err)
		}
	}
	if len(m.astray) != len(s.chunks) {
		b.Fatalf("%d of %d chunks are astray", len(m.astray), len(s.chunks))
	}
	for _, id := range s.chunks {
		m.unpin(id)
	}
}

// BenchmarkUse is the cost of detecting two goroutines in one manager.
func BenchmarkUse(b *testing.B) {
	m := open(b, Options{})
	f := func() { defer m.use("f")() }
	for b.Loop() {
		f()
	}
}

func BenchmarkSmallSequences(b *testing.B) {
	const n = 20000
	for _, what := range []string{"make", "stats", "drop", "pin"} {
		b.Run("op="+what, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				m := open(b, Options{})
				seqs := make([]*Sequence, n)
				names := make([]string, n)
				for i := range names {
					names[i] = fmt.Sprint("s", i)
				}
				cols := columns(8)
				if what == "make" {
					b.StartTimer()
				}
				for i := range seqs {
					seqs[i], _ = m.MakeSequence(names[i], cols)
					if _, err := seqs[i].Append(); err != nil {
						b.Fatal(err)
					}
				}
				b.StartTimer()
				switch what {
				case "stats":
					m.Stats()
				case "drop":
					for _, s := range seqs {
						s.Drop()
					}
				case "pin":
					for _, s := range seqs {
						s.Pin()()
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/seq")
		})
	}
}

func BenchmarkLockStep(b *testing.B) {
	for b.Loop() {
		m, err := New(Options{})
		if err != nil {
			b.Fatal(err)
		}
		lockStep(b, m, 2048)
		if err := m.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// Numbers are used again, the last that was freed first, where they cost no cells.
func TestNumbersAreUsedAgain(t *testing.T) {
	m := open(t, Options{})
	keep := sequence(t, m, "keep", 8)
	fillRows(t, keep, 1)
	for i := range 100 {
		s := sequence(t, m, fmt.Sprint("s", i), 8)
		fillRows(t, s, 1)
		if id := s.tail.Chunk(); id != 2 {
			t.Fatalf("round %d: chunk %d", i, id)
		}
		s.Drop()
		safePoints(t, m, 2) // in checked builds, too
	}
	var seqs []*Sequence
	for i := range 40 {
		s := sequence(t, m, fmt.Sprint("more", i), 8)
		fillRows(t, s, 1)
		seqs = append(seqs, s)
	}
	for i := range 20 {
		seqs[i].Drop()
	}
	safePoints(t, m, 2)
	first := m.table.free
	want := []chunk.ID{first[len(first)-1], first[len(first)-2]}
	for i, id := range want {
		s := sequence(t, m, fmt.Sprint("again", i), 8)
		fillRows(t, s, 1)
		if s.tail.Chunk() != id {
			t.Errorf("chunk %d, want %d", s.tail.Chunk(), id)
		}
	}
	// A column with one chunk, an even one, takes an odd number that was freed not
	// long ago, and a fresh one if there is none.
	for _, tt := range []struct {
		free  []chunk.ID
		count int
		want  chunk.ID
	}{
		{[]chunk.ID{9, 10, 12}, 50, 9},
		{[]chunk.ID{8, 10, 12}, 50, 51},
		{[]chunk.ID{8, 10, 12}, 51, 51},
		{[]chunk.ID{11, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30}, 51, 11},
		{[]chunk.ID{11, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32}, 51, 51},
	} {
		var table table
		table.grow(chunk.ID(tt.count - 1))
		table.free = tt.free
		d := new(Directory)
		d.set(40, 0, false, nil)
		n := len(tt.free)
		id, ok := table.choose([]*Directory{d})
		if id != tt.want || !ok {
			t.Errorf("%v free, %d in all: %d", tt.free, tt.count, id)
		}
		if tt.want < chunk.ID(tt.count) {
			n--
		} else {
			n += int(tt.want) - tt.count
		}
		if len(table.free) != n || slices.Contains(table.free, id) || table.count != max(tt.count, int(tt.want)+1) {
			t.Errorf("%v are free after %d of %d", table.free, id, table.count)
		}
	}
	var full table
	full.count = maxChunks
	if id, ok := full.choose(nil); ok {
		t.Errorf("chunk %d of a full table", id)
	}
}
