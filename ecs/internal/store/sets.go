package store

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// byID orders components.
func byID(a, b *Component) int { return int(a.ID) - int(b.ID) }

// with returns a set with another component in it, or the same set if it has it. Sets are in the order
// of IDs and are never written again, so tables, families and edges share them.
func with(set []*Component, c *Component) []*Component {
	if _, found := slices.BinarySearchFunc(set, c, byID); found {
		return set
	}
	return put(append(make([]*Component, 0, len(set)+1), set...), c)
}

// put is with for a set that is still being made: it may write the array. Components mostly come in
// the order of their IDs, which costs one comparison.
func put(set []*Component, c *Component) []*Component {
	if n := len(set); n == 0 || set[n-1].ID < c.ID {
		return append(set, c)
	}
	i, found := slices.BinarySearchFunc(set, c, byID)
	if found {
		return set
	}
	return slices.Insert(set, i, c)
}

// sorted is components as a set.
func sorted(comps []*Component) (set []*Component) {
	for _, c := range comps {
		set = with(set, c)
	}
	return set
}

// within tells whether a set is part of another. It costs the product of both lengths, which are
// small.
func within(part, all []*Component) bool {
	return !slices.ContainsFunc(part, func(c *Component) bool { return !slices.Contains(all, c) })
}

// appendKey appends a set as a map's key: steps from one ID to the next, most of them a byte or two.
// Equal keys mean equal sets, because sets are sorted.
func appendKey(dst []byte, set []*Component) []byte {
	last := uint32(0)
	for _, c := range set {
		dst = binary.AppendUvarint(dst, uint64(c.ID-last))
		last = c.ID
	}
	return dst
}

// has tells whether an ID is in the set. It takes one load, of a slice that covers the IDs of the set
// alone.
func (s *set) has(id uint32) bool {
	w := id/64 - s.first // beyond all if it is before the first
	return w < uint32(len(s.words)) && s.words[w]>>(id%64)&1 != 0
}

// setOf returns the set of components, which come in the order of their IDs.
func setOf(comps []*Component) (s set) {
	if len(comps) == 0 {
		return s
	}
	s.first = comps[0].ID / 64
	s.words = make([]uint64, comps[len(comps)-1].ID/64-s.first+1)
	for _, c := range comps {
		s.words[c.ID/64-s.first] |= 1 << (c.ID % 64)
	}
	return s
}

// compsOf returns the components of optional columns.
func compsOf(opts []*Opt) (comps []*Component) {
	for _, x := range opts {
		comps = append(comps, x.C)
	}
	return comps
}

// names returns the names of components.
func names(comps []*Component) []string { return appendNames(nil, comps) }

// appendNames appends the names of components.
func appendNames(dst []string, comps []*Component) []string {
	for _, c := range comps {
		dst = append(dst, c.Name)
	}
	return dst
}

// has tells whether an index has its bit set.
func (d *indexSet) has(i uint32) bool {
	return int(i/64) < len(d.bits) && d.bits[i/64]>>(i%64)&1 != 0
}

// set changes the bit of an index below a bound, and tells whether it was otherwise. The bits grow to
// the bound at once, so they grow seldom. Clearing never grows them.
func (d *indexSet) set(i, bound uint32, to bool) bool {
	if d.has(i) == to {
		return false
	}
	if n := int(bound+63) / 64; int(i/64) >= len(d.bits) {
		d.bits = append(d.bits, make([]uint64, n-len(d.bits))...)
	}
	d.bits[i/64] ^= 1 << (i % 64)
	if d.n--; to {
		d.n += 2
	}
	return true
}

// reset makes all bits 0.
func (d *indexSet) reset() {
	clear(d.bits)
	d.n = 0
}

// between is a mask of the bits from up to but not including to, within the word of from. Loops over
// runs of bits step by words:
//
//	from 60, to 130      word 0: 60 to 63      word 1: all      word 2: 128 and 129
func between(from, to int) uint64 {
	w := ^uint64(0) << (from % 64)
	if left := to - from&^63; left < 64 {
		w &= 1<<left - 1
	}
	return w
}

// popcount counts bits.
func popcount(words []uint64) (n int) {
	for _, w := range words {
		n += bits.OnesCount64(w)
	}
	return n
}

func trailingZeros(w uint64) int { return bits.TrailingZeros64(w) }

// has tells whether the row at a bit has the component.
func (x *Opt) has(at int, mask uint64) bool { return x.Bits[at]&mask != 0 }

// set notes that a row has the component, and unset that it lacks it. The row must be otherwise
// before, or counts are wrong.
func (x *Opt) set(at int, mask uint64) {
	x.Bits[at] |= mask
	x.count(at, 1)
}

func (x *Opt) unset(at int, mask uint64) {
	x.Bits[at] &^= mask
	x.count(at, -1)
}

// count counts n more rows that have the component, in the chunk of a word. All writers of bits call it.
func (x *Opt) count(at, n int) {
	x.Count += n
	x.Counts[x.chunkOf(at)] += int32(n)
	x.writes++
}

// chunkOf is at / stride, for the number of a word. It multiplies, which costs a third of dividing. It is exact while
// the square of stride, times the number of chunks, is less than 1<<40.
func (x *Opt) chunkOf(at int) int { return int(uint64(at) * x.part >> 40) }

func partOf(stride int) uint64 { return (1<<40-1)/uint64(stride) + 1 }

// put is set or unset for a row that may be so already.
func (x *Opt) put(at int, mask uint64, has bool) {
	switch {
	case x.has(at, mask) == has:
	case has:
		x.set(at, mask)
	default:
		x.unset(at, mask)
	}
}

// setRun is set for the n rows from a bit on, word by word, and unsetRun is unset. All rows are of one
// chunk, and all must be otherwise before.
func (x *Opt) setRun(from, n int) {
	for b := from; b < from+n; b = (b | 63) + 1 {
		x.Bits[b/64] |= between(b, from+n)
	}
	x.count(from/64, n)
}

func (x *Opt) unsetRun(from, n int) {
	for b := from; b < from+n; b = (b | 63) + 1 {
		x.Bits[b/64] &^= between(b, from+n)
	}
	x.count(from/64, -n)
}

// fit makes a slice n long. New elements are zero; elements within the former length keep their
// values.
func fit[T any](s []T, n int) []T {
	if n <= len(s) {
		return s[:n]
	}
	return append(s, make([]T, n-len(s))...)
}
