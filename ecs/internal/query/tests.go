package query

import (
	"math/bits"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// tests is what is left to test of a source's rows, in one walk: 64 rows at a time by words of
// bits. If a component is stored elsewhere, rows that have it are marked from its side, unless
// they are more than the source's rows. Then each row is looked up.
type tests struct {
	with, sans [][]uint64         // chunk by chunk in order, each from a word of its own on
	all, none  []*store.Component // to look up
	rows       []Change           // since a tick
	far        []Change           // to look up, too
	since      uint64
	marks      [][]uint64 // scratch
	hide       *hiding    // nil: nothing is disabled
	words      []uint64   // scratch of match
}

// find makes the tests those of a source, for what has changed since a tick. They hold until
// something changes.
func (t *tests) find(s *Source, since uint64) {
	t.with, t.sans, t.all, t.none = t.with[:0], t.sans[:0], t.all[:0], t.none[:0]
	t.far, t.since = s.far, since
	if t.rows = s.rows; since == 0 {
		t.rows = nil
	}
	used := 0
	for _, x := range s.with {
		t.with = append(t.with, x.Bits)
	}
	for _, x := range s.sans {
		switch {
		case x.Count == 0:
		case t.hide != nil:
			t.sans = append(t.sans, t.hide.without(s, x.C, x.Bits))
		default:
			t.sans = append(t.sans, x.Bits)
		}
	}
	for _, c := range s.all {
		if c.Len() > s.Seq.Len() {
			t.all = append(t.all, c)
		} else {
			t.with = append(t.with, s.Table.Marked(c))
		}
	}
	for _, c := range s.none {
		switch n := c.Len(); {
		case n == 0:
		case n > s.Seq.Len():
			t.none = append(t.none, c)
		default:
			bits := s.Table.Marked(c)
			if t.hide != nil {
				bits = t.hide.without(s, c, bits)
			}
			t.sans = append(t.sans, bits)
		}
	}
	for _, a := range s.any {
		if bits := a.only(); bits != nil && t.hide == nil {
			t.with = append(t.with, bits)
			continue
		}
		t.with = append(t.with, a.mark(s, scratch(&t.marks, used, s), t.hide))
		used++
	}
}

// scratch returns the i-th of some bits for all rows of a source, all 0.
func scratch(marks *[][]uint64, i int, s *Source) []uint64 {
	for len(*marks) <= i {
		*marks = append(*marks, nil)
	}
	n := s.Seq.ChunkCount() * s.Table.Stride()
	if cap((*marks)[i]) < n {
		(*marks)[i] = make([]uint64, n)
	}
	(*marks)[i] = (*marks)[i][:n]
	clear((*marks)[i])
	return (*marks)[i]
}

// passes tells whether an entity passes what is looked up.
func (t *tests) passes(e store.Entity) bool {
	for _, c := range t.all {
		if !c.Has(e) {
			return false
		}
	}
	for _, c := range t.none {
		if c.Enabled(e) {
			return false
		}
	}
	for i := range t.far {
		if !t.far[i].has(e, t.since) {
			return false
		}
	}
	return true
}

// match finds the rows of a chunk that pass all tests. The chunk's bits begin at a word. It
// returns a bit for each row, how many match, and how many runs they make. The bits are good
// until the next call.
func (t *tests) match(at int, es []store.Entity) (words []uint64, n, runs int) {
	words = t.likely(t.words[:0], at, len(es))
	t.words = words
	for _, x := range t.rows {
		x.Comp.NarrowChanged(words, es, x.Added, t.since)
	}
	if len(t.all)+len(t.none)+len(t.far) > 0 {
		for i, m := range words {
			for ; m != 0; m &= m - 1 {
				if b := bits.TrailingZeros64(m); !t.passes(es[i*64+b]) {
					words[i] &^= 1 << b
				}
			}
		}
	}
	n, runs = runsOf(words)
	return words, n, runs
}

// runsOf counts the bits that are set, and how many runs they make.
func runsOf(words []uint64) (n, runs int) {
	was := uint64(0) // the last bit of the word before
	for _, m := range words {
		n += bits.OnesCount64(m)
		runs += bits.OnesCount64(m &^ (m<<1 | was))
		was = m >> 63
	}
	return n, runs
}

// ones appends a bit for each of n rows to words.
func ones(words []uint64, n int) []uint64 {
	for left := n; left > 0; left -= 64 {
		words = append(words, ^uint64(0)>>(64-min(left, 64)))
	}
	return words
}

// likely appends a bit for each of n rows to words: those that pass the tests by words of bits.
func (t *tests) likely(words []uint64, at, n int) []uint64 {
	words = ones(words, n)
	narrow(words, at, t.with, t.sans)
	if t.hide != nil {
		narrow(words, at, t.hide.with, t.hide.sans)
	}
	return words
}

// narrow leaves those bits that are set in all of with, and in none of sans, from a word on.
func narrow(words []uint64, at int, with, sans [][]uint64) {
	for _, x := range with {
		for i, m := range x[at:][:len(words)] {
			words[i] &= m
		}
	}
	for _, x := range sans {
		for i, m := range x[at:][:len(words)] {
			words[i] &^= m
		}
	}
}
