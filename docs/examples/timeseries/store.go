// Package timeseries is a time-series store on package memmgr alone, as
// docs/embedding.md teaches it: an example, which is tested and timed.
//
// # Layout
//
// All series share one sequence of two columns, time and value. A series is a list of buckets: runs
// of up to 256 rows, side by side in a chunk, in the order of time. Series of few rows have small ones.
//
//	chunk 1                     chunk 4                     chunk 9
//	┌──────┬──────┬──────┬────┐ ┌──────┬──────┬──────┬────┐ ┌──────┬────
//	│ cpu  │ disk │ mem  │ cpu│→│ disk │ cpu  │ mem  │ cpu│→│ disk │ …  ← Append
//	└──────┴──────┴──────┴────┘ └──────┴──────┴──────┴────┘ └──────┴────
//	  ↑ Retain drops the chunks before the oldest bucket that is still in use
//
// Rows of one time lie in neighbouring chunks, so that retention drops chunks for all series
// at once, and a series costs no chunk of its own. A bucket of a series that gets a row now and then
// would keep its chunk, and all behind it. So retention moves the oldest buckets to the end once a
// quarter of the rows belong to no bucket: see clean.go.
//
// # Invariants
//
//   - Times of a series never go down. The chunks of its buckets do only where some were moved.
//   - A row with a time before the last cut is never seen, whether it is still there or not.
//   - A bucket that was cut in part takes no more rows, so that its chunk goes in the end.
package timeseries

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/memmgr"
)

// A bucket has room for as many rows as its series, or a quarter of them once retention has cut it. It
// has so many at least and at most, and fewer at the end of a chunk.
const (
	bucketLeast = 16
	bucketRows  = 256
)

// Store is many series. It is used by one goroutine at a time; see Server for many.
type Store struct {
	m      *memmgr.Manager
	rows   *memmgr.Sequence
	times  memmgr.Col[int64]
	values memmgr.Col[float64]
	series map[string]*Series
	cut    int64 // rows before it are not seen, and not taken
	gone   int   // rows that were dropped from the front, ever
	used   int   // rows that buckets have room for
}

// New makes an empty store.
func New(o memmgr.Options) (*Store, error) {
	m, err := memmgr.New(o)
	if err != nil {
		return nil, err
	}
	st := &Store{m: m, series: make(map[string]*Series), cut: math.MinInt64}
	st.rows, err = m.NewSequence("buckets", &st.times, &st.values)
	return st, err
}

// Close gives all memory back; results of Scan are invalid afterwards.
func (st *Store) Close() error { return st.m.Close() }

// Manager returns where the store's memory comes from.
func (st *Store) Manager() *memmgr.Manager { return st.m }

// Idle is to be called now and then: it gives back memory that has been idle for a while.
func (st *Store) Idle(now time.Time) error { return st.m.Idle(now) }

// Find returns the series of a name, or nil if there is none.
func (st *Store) Find(name string) *Series { return st.series[name] }

// Series returns the series of a name, which is made if there is none.
func (st *Store) Series(name string) *Series {
	s := st.series[name]
	if s == nil {
		s = &Series{store: st, name: name, last: math.MinInt64}
		st.series[name] = s
	}
	return s
}

// Retain removes the rows before a time, in all series. It costs a look at each series and a little for
// each chunk that goes, whatever its rows. Where rates are uneven it copies rows too: some four for each
// one that goes, at most.
func (st *Store) Retain(cut int64) {
	st.cut = max(st.cut, cut)
	unused := st.rows.Len()
	for _, s := range st.series {
		s.retain(st.cut)
		unused = min(unused, s.firstNumber()-st.gone)
	}
	st.gone += st.rows.DropFirst(unused)
	if st.rows.Len() > st.used+st.used/4+bucketRows {
		st.clean()
	}
}

// Series is rows of time and value in the order of time.
type Series struct {
	store   *Store
	name    string
	last    int64 // the newest row's time
	rows    int   // of all buckets
	cut     bool  // it has lost rows: it has as many as are kept at its rate
	moved   bool  // numbers of its buckets may go down
	buckets []bucket
}

// bucket is some rows of one series. Its times are noted, so that a scan looks for rows in
// the first and in the last bucket alone.
type bucket struct {
	rows        memmgr.Loc // the first one
	number      int        // of the first one, counted from the first that ever was
	n, room     int32
	first, last int64 // times of the first row and of the last one
}

// Append adds a row. It fails if its time is before that of the newest row or before the
// last cut, and if there is no memory; the series is as it was then.
func (s *Series) Append(at int64, value float64) error {
	st := s.store
	if at < s.last || at < st.cut {
		return fmt.Errorf("timeseries: a row at %d is too late for %q, which has one at %d and was cut at %d: append in the order of time", at, s.name, s.last, st.cut)
	}
	n := len(s.buckets)
	if n == 0 || s.buckets[n-1].n == s.buckets[n-1].room {
		rows := s.rows
		if s.cut {
			rows /= 4
		}
		b, err := st.newBucket(min(max(rows, bucketLeast), bucketRows))
		if err != nil {
			return err
		}
		b.first = at
		s.buckets = append(s.buckets, b)
		n++
	}
	b := &s.buckets[n-1]
	l := b.rows.Plus(uint32(b.n))
	*st.times.At(l), *st.values.At(l) = at, value
	b.n, b.last, s.last = b.n+1, at, at
	s.rows++
	return nil
}

// newBucket takes room for up to so many rows.
func (st *Store) newBucket(rows int) (bucket, error) {
	number := st.gone + st.rows.Len()
	l, room, err := st.rows.AppendRun(rows)
	st.used += room
	return bucket{rows: l, number: number, room: int32(room)}, err
}

// Scan iterates over the rows from one time to just before another: slices of times and of
// values, which are good until the store is changed. Where one pair of slices ends and the next
// begins says nothing.
func (s *Series) Scan(from, to int64) iter.Seq2[[]int64, []float64] {
	return func(yield func([]int64, []float64) bool) {
		st := s.store
		from := max(from, st.cut)
		for _, b := range s.buckets {
			if b.last < from {
				continue
			}
			if b.first >= to {
				return
			}
			times, values := st.times.Slice(b.rows)[:b.n], st.values.Slice(b.rows)[:b.n]
			if b.last >= to {
				end, _ := slices.BinarySearch(times, to)
				times, values = times[:end], values[:end]
			}
			if b.first < from {
				begin, _ := slices.BinarySearch(times, from)
				times, values = times[begin:], values[begin:]
			}
			if len(times) > 0 && !yield(times, values) {
				return
			}
		}
	}
}

// retain forgets buckets with all rows before a time. Where a part of the only one that is
// left is too old, that takes no more rows: a series that gets few would keep a chunk, and all
// behind it, until 256 had come.
func (s *Series) retain(cut int64) {
	n := 0
	for n < len(s.buckets) && s.buckets[n].last < cut {
		s.rows -= int(s.buckets[n].n)
		s.store.used -= int(s.buckets[n].room)
		n++
	}
	s.cut = s.cut || n > 0
	s.buckets = slices.Delete(s.buckets, 0, n)
	if len(s.buckets) == 1 && s.buckets[0].first < cut {
		s.store.used -= int(s.buckets[0].room - s.buckets[0].n)
		s.buckets[0].room = s.buckets[0].n
	}
}

// firstNumber is the number of the first row of its buckets, or one behind all rows.
func (s *Series) firstNumber() int {
	first := math.MaxInt
	for i := range s.buckets {
		if first = min(first, s.buckets[i].number); !s.moved {
			break
		}
	}
	return first
}
