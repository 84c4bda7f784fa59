package memmgr

import (
	"fmt"
	"iter"
)

// Runs iterates over the rows from the i-th to the one before the j-th in logical order. It
// yields runs of rows in one chunk each: the location of the first row and their number. Where
// one run ends and the next begins is no part of any result. The sequence must not change
// meanwhile. It panics unless 0 ≤ i ≤ j ≤ Len.
func (s *Sequence) Runs(i, j int) iter.Seq2[Loc, int] {
	if i < 0 || j < i || j > s.Len() {
		panic(fmt.Sprintf("memmgr: Runs of rows %d to %d of %q, which has %d: ask for 0 ≤ i ≤ j ≤ Len", i, j, s.name, s.Len()))
	}
	return func(yield func(Loc, int) bool) {
		for at := i; at < j; {
			if at >= s.Len() {
				s.lostRows("Runs")
			}
			l := s.At(at)
			n := min(j-at, int(s.m.rowsOf(l.Chunk())-l.Row()))
			if !yield(l, n) {
				return
			}
			at += n
		}
	}
}

// Index returns which row of the sequence a location is in logical order, from 0: the
// inverse of At. The row must be the sequence's.
func (s *Sequence) Index(l Loc) int {
	s.m.mustBeMade("Index")
	return s.m.Order(l.Chunk())*int(s.Layout().Capacity()) + int(l.Row())
}
