package timeseries

import (
	"cmp"
	"slices"
)

// Retention drops rows from the front, so the oldest bucket that is in use keeps all behind it. Where
// rates are uneven, that is a bucket of a slow series, and most rows behind it are old.
//
//	before   │·····│slow│··········│slow│·····│fast│slow│fast│fast│        · no bucket's any more
//	after                                │·····│fast│slow│fast│fast│slow│   its two buckets are one
//
// A quarter of dead rows is let be. So a row that goes pays for a few that are moved, and the
// memory of a store is bounded by its kept rows.

// clean moves the oldest buckets to the end, until at most a quarter of the rows are no bucket's, and
// drops the rows before the others. Where memory is refused it stops, and buckets stay where they are.
func (st *Store) clean() {
	var oldest []bucket
	for _, s := range st.series {
		oldest = append(oldest, s.buckets...)
	}
	slices.SortFunc(oldest, func(a, b bucket) int { return cmp.Compare(a.number, b.number) })
	held, before, moved := st.rows.Len(), st.gone, 0 // rows before it go, of which some are moved
	for _, b := range oldest {
		before = b.number
		if held-(before-st.gone)+moved <= st.used+st.used/4 {
			break
		}
		moved += int(b.room)
	}
	unused := st.rows.Len()
	for _, s := range st.series {
		if s.moveBefore(before) != nil {
			return
		}
		unused = min(unused, s.firstNumber()-st.gone)
	}
	st.gone += st.rows.DropFirst(unused)
}

// moveBefore moves the buckets of a series that lie before a row to the end. Buckets that follow each
// other become one, and rows before the cut are left out. After an error all are where they were.
func (s *Series) moveBefore(number int) error {
	if !slices.ContainsFunc(s.buckets, func(b bucket) bool { return b.number < number }) {
		return nil
	}
	st, rows, left := s.store, 0, 0
	var list []bucket
	joins := false // the last bucket of list is a new one
	for i, b := range s.buckets {
		if b.number >= number {
			list, joins = append(list, b), false
			rows += int(b.n)
			continue
		}
		left += int(b.room)
		times := st.times.Slice(b.rows)[:b.n]
		from, _ := slices.BinarySearch(times, st.cut)
		for from < int(b.n) {
			if n := len(list); !joins || list[n-1].n == list[n-1].room {
				more := int(b.n) - from
				for _, next := range s.buckets[i+1:] {
					if next.number >= number || more >= bucketRows {
						break
					}
					more += int(next.n)
				}
				to, err := st.newBucket(min(more, bucketRows))
				if err != nil {
					return err
				}
				list, joins = append(list, to), true
			}
			n := st.copyRows(&list[len(list)-1], b, from)
			from, rows = from+n, rows+n
		}
	}
	s.buckets, s.rows, s.moved = list, rows, true
	st.used -= left
	return nil
}

// copyRows copies rows of a bucket behind those of another one, as many as it has room for.
func (st *Store) copyRows(to *bucket, b bucket, from int) (n int) {
	l := to.rows.Plus(uint32(to.n))
	times, values := st.times.Slice(l)[:to.room-to.n], st.values.Slice(l)
	n = copy(times, st.times.Slice(b.rows)[from:b.n])
	copy(values[:n], st.values.Slice(b.rows)[from:b.n])
	if to.n == 0 {
		to.first = times[0]
	}
	to.n, to.last = to.n+int32(n), times[n-1]
	return n
}
