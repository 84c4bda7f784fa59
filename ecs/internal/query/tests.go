package query

import (
	"math/bits"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// tests is what is left to test of a source's rows, in one walk: 64 rows at a time by words
// of bits. Where a component lies elsewhere, those that have it are marked from its side if
// they are no more than the source's rows; else each row is looked up.
type tests struct {
	with, sans [][]uint64         // chunk by chunk in order, each from a word of its own on
	all, none  []*store.Component // to look up
	marks      [][]uint64         // scratch
}

// find makes the tests those of a source. They hold until something changes.
func (t *tests) find(s *Source) {
	t.with, t.sans, t.all, t.none = t.with[:0], t.sans[:0], t.all[:0], t.none[:0]
	used := 0
	for _, x := range s.with {
		t.with = append(t.with, x.Bits)
	}
	for _, x := range s.sans {
		if x.Count > 0 {
			t.sans = append(t.sans, x.Bits)
		}
	}
	for _, c := range s.all {
		if c.Len() > s.Seq.Len() {
			t.all = append(t.all, c)
		} else {
			t.with = append(t.with, t.mark(s, c, used))
			used++
		}
	}
	for _, c := range s.none {
		switch n := c.Len(); {
		case n == 0:
		case n > s.Seq.Len():
			t.none = append(t.none, c)
		default:
			t.sans = append(t.sans, t.mark(s, c, used))
			used++
		}
	}
	for _, a := range s.any {
		if bits := a.only(); bits != nil {
			t.with = append(t.with, bits)
			continue
		}
		t.with = append(t.with, a.mark(s, t.scratch(s, used)))
		used++
	}
}

// mark returns bits of the rows whose entities have a component, in the i-th scratch.
func (t *tests) mark(s *Source, c *store.Component, i int) []uint64 {
	marks := t.scratch(s, i)
	s.Table.Mark(marks, c)
	return marks
}

// scratch returns the i-th scratch: a bit a row of a source, none of them set.
func (t *tests) scratch(s *Source, i int) []uint64 {
	for len(t.marks) <= i {
		t.marks = append(t.marks, nil)
	}
	n := s.Seq.ChunkCount() * s.Table.Stride()
	if cap(t.marks[i]) < n {
		t.marks[i] = make([]uint64, n)
	}
	marks := t.marks[i][:n]
	clear(marks)
	return marks
}

// passes tells whether an entity passes what is looked up.
func (t *tests) passes(e store.Entity) bool {
	for _, c := range t.all {
		if !c.Has(e) {
			return false
		}
	}
	for _, c := range t.none {
		if c.Has(e) {
			return false
		}
	}
	return true
}

// word is the rows of 64 that pass all tests: those from base on, of a chunk whose bits
// begin at the word.
func (t *tests) word(at, base int, es []store.Entity) uint64 {
	m := ^uint64(0)
	if n := len(es) - base; n < 64 {
		m = 1<<n - 1
	}
	for _, x := range t.with {
		m &= x[at+base/64]
	}
	for _, x := range t.sans {
		m &^= x[at+base/64]
	}
	if len(t.all)+len(t.none) > 0 {
		for k := m; k != 0; k &= k - 1 {
			if b := bits.TrailingZeros64(k); !t.passes(es[base+b]) {
				m &^= 1 << b
			}
		}
	}
	return m
}

// match appends the rows that pass all tests to dst, of a chunk whose bits begin at a word,
// and returns how many stretches they make.
func (t *tests) match(dst []uint16, at int, es []store.Entity) (rows []uint16, runs int) {
	rows = dst
	was := uint64(0) // the last row of the word before
	for base := 0; base < len(es); base += 64 {
		m := t.word(at, base, es)
		runs += bits.OnesCount64(m &^ (m<<1 | was))
		was = m >> 63
		for ; m != 0; m &= m - 1 {
			rows = append(rows, uint16(base+bits.TrailingZeros64(m)))
		}
	}
	return rows, runs
}

// count is how many rows pass all tests, of a chunk whose bits begin at a word.
func (t *tests) count(at int, es []store.Entity) (n int) {
	for base := 0; base < len(es); base += 64 {
		n += bits.OnesCount64(t.word(at, base, es))
	}
	return n
}
