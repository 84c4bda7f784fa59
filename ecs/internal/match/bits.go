package match

import (
	"math/bits"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// masks are bits of a table's rows, chunk by chunk in order, each chunk from a word of its own
// on. A row passes if its bit is set in each of with, and in none of sans.
//
//	rows    11111111      all rows of the chunk
//	with  & 11011011      one slice for each optional component that is required
//	sans  &^01000001      one slice for each that is excluded
//	      = 10011010
//
// The slices belong to the table or to the scratch of Tests. No function here writes them.
type masks struct{ with, sans []mask }

// mask is bits of a table's rows, and how many are set in each chunk; nil: that is not counted.
type mask struct {
	bits   []uint64
	counts []int32
}

// maskOf is the presence bits of an optional component.
func maskOf(x *store.Opt) mask { return mask{x.Bits, x.Counts} }

// clear leaves nothing to test.
func (m *masks) clear() { m.with, m.sans = m.with[:0], m.sans[:0] }

// byCount tells by counts alone whether all n rows of a chunk pass, or none.
func (m *masks) byCount(chunk, n int) (all, none bool) {
	all = true
	for _, x := range m.with {
		all = all && x.counts != nil && int(x.counts[chunk]) == n
		none = none || x.counts != nil && x.counts[chunk] == 0
	}
	for _, x := range m.sans {
		all = all && x.counts != nil && x.counts[chunk] == 0
		none = none || x.counts != nil && int(x.counts[chunk]) == n
	}
	return all, none
}

// narrow clears the bits of rows that do not pass. Bit 0 of words is bit 0 of word at of each
// mask, so at is a chunk's position times the table's stride. Each mask must have
// at+len(words) words or more. The loop over masks is the outer one: each is then read in order,
// and the inner loop has nothing to decide.
func (m *masks) narrow(words []uint64, at int) {
	for _, x := range m.with {
		for i, w := range x.bits[at:][:len(words)] {
			words[i] &= w
		}
	}
	for _, x := range m.sans {
		for i, w := range x.bits[at:][:len(words)] {
			words[i] &^= w
		}
	}
}

// Ones appends a set bit for each of n rows to words. Bits behind the last row are 0: Count and
// NextRun rely on that, and narrow never sets a bit.
func Ones(words []uint64, n int) []uint64 {
	for left := n; left > 0; left -= 64 {
		words = append(words, ^uint64(0)>>(64-min(left, 64)))
	}
	return words
}

// Count counts the bits that are set, and how many runs they make. A run begins at a set bit behind a
// clear one, so m &^ (m<<1) has one bit for each run. Walks compare both counts to
// choose between passing runs in place and gathering rows.
func Count(words []uint64) (n, runs int) {
	was := uint64(0) // the last bit of the word before
	for _, m := range words {
		n += bits.OnesCount64(m)
		runs += bits.OnesCount64(m &^ (m<<1 | was))
		was = m >> 63
	}
	return n, runs
}

// NextRun returns the first run of rows with set bits, from a row on. It returns where the run
// begins and how long it is; 0 if no bit is set. A run may cross words. To go over all runs,
// callers pass first+n as the next from. A word is read again for each run that begins in it.
func NextRun(words []uint64, from int) (first, n int) {
	i := from / 64
	if i >= len(words) {
		return 0, 0
	}
	m := words[i] >> (from % 64) << (from % 64)
	for ; m == 0; m = words[i] {
		if i++; i == len(words) {
			return 0, 0
		}
	}
	first = i*64 + bits.TrailingZeros64(m)
	ends := ^words[i] >> (first % 64) << (first % 64)
	for ; ends == 0; ends = ^words[i] {
		if i++; i == len(words) {
			return first, i*64 - first
		}
	}
	return first, i*64 + bits.TrailingZeros64(ends) - first
}
