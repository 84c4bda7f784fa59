package timeseries

import (
	"slices"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
)

// buckets is another way to build the store, for series that are short and many: runs
// of rows, each of one series, in one sequence that all share. Rows of one time lie in neighbouring
// chunks then, so that retention drops chunks for all series at once. A series that
// gets a row now and then keeps its bucket's chunk, and all behind it: this one is for series of like pace.
type buckets struct {
	m      *memmgr.Manager
	rows   *memmgr.Sequence
	times  memmgr.Col[int64]
	values memmgr.Col[float64]
	series [][]bucket
	used   map[chunk.ID]int // buckets in each chunk
	cut    int64
}

// bucket is some rows of one series, side by side in a chunk.
type bucket struct {
	first   memmgr.Loc
	n, room int
	last    int64 // the newest row's time
}

func newBuckets(n int) *buckets {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		panic(err)
	}
	rows, err := m.NewSequence("buckets", memmgr.Columns(memmgr.SpecOf[int64](), memmgr.SpecOf[float64]()))
	if err != nil {
		panic(err)
	}
	return &buckets{
		m: m, rows: rows, times: memmgr.ColOf[int64](rows, 0), values: memmgr.ColOf[float64](rows, 1),
		series: make([][]bucket, n), used: make(map[chunk.ID]int),
	}
}

func (s *buckets) add(series int, at int64, value float64) {
	list := s.series[series]
	if n := len(list); n == 0 || list[n-1].n == list[n-1].room {
		l, room, err := s.rows.AppendRun(pieceRows) // fewer, at the end of a chunk
		if err != nil {
			panic(err)
		}
		list = append(list, bucket{first: l, room: room})
		s.series[series] = list
		s.used[l.Chunk()]++
	}
	b := &list[len(list)-1]
	l := b.first.Plus(uint32(b.n))
	*s.times.At(l), *s.values.At(l) = at, value
	b.n, b.last = b.n+1, at
}

func (s *buckets) sum(series int, from, to int64) (sum float64) {
	from = max(from, s.cut)
	for _, b := range s.series[series] {
		if b.last < from {
			continue
		}
		times := s.times.Run(b.first, b.n)
		if times[0] >= to {
			break
		}
		first, _ := slices.BinarySearch(times, from)
		end, _ := slices.BinarySearch(times, to)
		for _, v := range s.values.Run(b.first, b.n)[first:end] {
			sum += v
		}
	}
	return sum
}

func (s *buckets) retain(cut int64) {
	s.cut = cut
	for i, list := range s.series {
		n := 0
		for n < len(list) && list[n].last < cut {
			s.used[list[n].first.Chunk()]--
			n++
		}
		s.series[i] = slices.Delete(list, 0, n)
	}
	empty := 0
	for id := range s.rows.Chunks() {
		if s.used[id] > 0 {
			break
		}
		delete(s.used, id)
		empty++
	}
	s.rows.DropFirst(empty)
}

func (s *buckets) settle() {
	if err := s.m.SafePoint(); err != nil {
		panic(err)
	}
	if _, err := s.m.Release(); err != nil {
		panic(err)
	}
}
