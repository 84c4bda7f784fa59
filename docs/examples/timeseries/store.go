// Package timeseries is a time-series store on package memmgr alone, as
// docs/embedding.md teaches it: an example, which is tested and timed.
//
// # Layout
//
// Each series is a sequence of two columns, time and value, whose rows are appended in
// the order of time. All series share the two directories, so that one pair of typed handles reaches
// every row.
//
//	"cpu"  ┌ chunk 1 ─────┐ ┌ chunk 4 ─────┐ ┌ chunk 9 ┐
//	       │ time  │ value│→│ time  │ value│→│ time …  │ ← Append
//	       └──────────────┘ └──────────────┘ └─────────┘
//	         ↑ Retain drops whole chunks, and hides what is too old in the first one
//
// # Invariants
//
//   - Times of a series never go down.
//   - A row whose time is before the last cut is never seen, whether it is still there or not.
package timeseries

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"
	"time"

	"github.com/ashlar-go/ashlar/memmgr"
)

// Store is many series. It is used by one goroutine at a time; see Server for many.
type Store struct {
	m              *memmgr.Manager
	series         map[string]*Series
	timeDirectory  memmgr.Directory
	valueDirectory memmgr.Directory
	times          memmgr.Col[int64]
	values         memmgr.Col[float64]
	limit          uint64
}

// Options say how a store is made. The zero value is what most programs want.
type Options struct {
	Memory memmgr.Options
	// SeriesLimit, if not 0, is how many bytes of chunks one series may hold.
	SeriesLimit uint64
}

// New makes an empty store.
func New(o Options) (*Store, error) {
	m, err := memmgr.New(o.Memory)
	if err != nil {
		return nil, err
	}
	return &Store{m: m, series: make(map[string]*Series), limit: o.SeriesLimit}, nil
}

// Close gives all memory back; what Scan has returned is invalid afterwards.
func (st *Store) Close() error { return st.m.Close() }

// Manager returns where the store's memory comes from.
func (st *Store) Manager() *memmgr.Manager { return st.m }

// Idle is to be called now and then: it gives back memory that has been idle for a while.
func (st *Store) Idle(now time.Time) error { return st.m.Idle(now) }

// Retain removes what is before a time, in all series.
func (st *Store) Retain(cut int64) {
	for _, s := range st.series {
		s.Retain(cut)
	}
}

// Find returns the series of a name, or nil if there is none.
func (st *Store) Find(name string) *Series { return st.series[name] }

// Series returns the series of a name, which is made if there is none.
func (st *Store) Series(name string) (*Series, error) {
	if s := st.series[name]; s != nil {
		return s, nil
	}
	seq, err := st.m.NewSequence(name, []memmgr.Column{
		{Spec: memmgr.SpecOf[int64](), Directory: &st.timeDirectory},
		{Spec: memmgr.SpecOf[float64](), Directory: &st.valueDirectory},
	})
	if err != nil {
		return nil, err
	}
	if len(st.series) == 0 { // handles of one sequence are good for all
		st.times, st.values = memmgr.ColOf[int64](seq, 0), memmgr.ColOf[float64](seq, 1)
	}
	seq.SetLimit(st.limit)
	s := &Series{store: st, rows: seq, last: math.MinInt64, cut: math.MinInt64}
	st.series[name] = s
	return s, nil
}

// Series is rows of time and value in the order of time.
type Series struct {
	store *Store
	rows  *memmgr.Sequence
	last  int64 // the newest row's time
	cut   int64 // rows before it are not seen, and not taken
}

// Append adds a row. It fails if its time is before that of the newest row or before the
// last cut, and if there is no memory; the series is as it was then.
func (s *Series) Append(at int64, value float64) error {
	if at < s.last || at < s.cut {
		return fmt.Errorf("timeseries: a row at %d is too late for %q, which has one at %d and was cut at %d: append in the order of time", at, s.rows.Name(), s.last, s.cut)
	}
	l, err := s.rows.Append()
	if err != nil {
		return err
	}
	*s.store.times.At(l), *s.store.values.At(l) = at, value
	s.last = at
	return nil
}

// Scan iterates over the rows from one time to just before another: slices of times and of
// values, which are good until the store is changed. Where one pair of slices ends and the next
// begins says nothing.
func (s *Series) Scan(from, to int64) iter.Seq2[[]int64, []float64] {
	from = max(from, s.cut)
	first, end := s.search(from), s.search(max(from, to))
	return func(yield func([]int64, []float64) bool) {
		for l, n := range s.rows.Runs(first, end) {
			if !yield(s.store.times.Run(l, n), s.store.values.Run(l, n)) {
				return
			}
		}
	}
}

// search returns which row is the first at a time or after it: by the last times of
// chunks, then in one of them.
func (s *Series) search(at int64) int {
	n := s.rows.Len()
	if n == 0 || at > s.last { // what is asked for most, without a look at the rows
		return n
	}
	times := func(chunk int) []int64 {
		id, _ := s.rows.Chunk(chunk)
		return s.store.times.Slice(id)
	}
	chunk := sort.Search(s.rows.ChunkCount()-1, func(i int) bool { ts := times(i); return ts[len(ts)-1] >= at })
	row, _ := slices.BinarySearch(times(chunk), at)
	id, _ := s.rows.Chunk(chunk)
	return s.rows.Index(memmgr.MakeLoc(id, uint32(row)))
}

// Retain removes the rows before a time. Whole chunks go at once. What is too old in
// the first chunk that stays goes with it later, or now if it is the only one.
func (s *Series) Retain(cut int64) {
	if cut <= s.cut {
		return
	}
	s.cut = cut
	old, chunks := s.search(cut), 0
	for ; chunks < s.rows.ChunkCount(); chunks++ {
		_, rows := s.rows.Chunk(chunks)
		if old < rows {
			break
		}
		old -= rows
	}
	s.rows.DropFirst(chunks)
	if s.rows.ChunkCount() == 1 {
		s.rows.RemoveRange(0, old)
	}
}

// Bytes is the memory that the series holds.
func (s *Series) Bytes() memmgr.SequenceBytes { return s.rows.Bytes() }
