package memmgr

import (
	"iter"
	"math/bits"
)

// Marks are rows of a sequence in logical order, a bit each: row i is bit i%64 of word i/64. Rows
// behind the last word are not marked.
type Marks []uint64

// marksFor returns marks for n rows. None is set.
func marksFor(n int) Marks { return make(Marks, (n+63)/64) }

// put marks the rows from the i-th on for which drop is true. It has no branch for a row, since
// rows that go lie anywhere.
func (m Marks) put(i int, drop []bool) {
	for _, gone := range drop {
		var bit uint64
		if gone {
			bit = 1
		}
		m[i/64] |= bit << (i % 64)
		i++
	}
}

// Has reports whether row i is marked.
func (m Marks) Has(i int) bool { return i/64 < len(m) && m[i/64]>>(i%64)&1 != 0 }

// Runs iterates over the runs of rows from the i-th to the one before the j-th that are marked, or
// that are not: the first row of each, and the first one behind it.
func (m Marks) Runs(i, j int, marked bool) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for {
			i = m.next(i, j, marked)
			end := m.next(i, j, !marked)
			if i == end || !yield(i, end) {
				return
			}
			i = end
		}
	}
}

// next returns the first row from the i-th on, and before the j-th, that is marked or is not; j if
// there is none.
func (m Marks) next(i, j int, marked bool) int {
	for ; i < j; i = (i/64 + 1) * 64 {
		if w := m.word(i/64, marked) >> (i % 64); w != 0 {
			return min(i+bits.TrailingZeros64(w), j)
		}
	}
	return j
}

// word returns the marked rows of a word, or the others.
func (m Marks) word(k int, marked bool) uint64 {
	w := uint64(0)
	if k < len(m) {
		w = m[k]
	}
	if marked {
		return w
	}
	return ^w
}

// unmarked appends the rows from the i-th to the one before the j-th that are not marked, less i.
func (m Marks) unmarked(list []uint32, i, j int) []uint32 {
	for at := i; at < j; at = (at/64 + 1) * 64 {
		base := at/64*64 - i
		w := m.word(at/64, false) >> (at % 64) << (at % 64)
		if over := base + 64 - (j - i); over > 0 {
			w = w << over >> over
		}
		for ; w != 0; w &= w - 1 {
			list = append(list, uint32(base+bits.TrailingZeros64(w)))
		}
	}
	return list
}
