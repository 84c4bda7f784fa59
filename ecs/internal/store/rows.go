package store

import (
	"math/bits"
	"slices"

	"github.com/ashlar-go/ashlar/internal/chunk"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// Rows are those rows of a table for whose entities a change is made.
type Rows struct {
	// Table has them.
	Table *Table
	// Bits say which they are: chunk by chunk in order, each from a word of its own on, as
	// those of an Opt; nil: all.
	Bits []uint64
	// N is how many they are.
	N int
}

// All is all rows of a table.
func (t *Table) All() Rows { return Rows{Table: t, N: t.Seq.Len()} }

// all tells whether no row of the table is left out.
func (r Rows) all() bool { return r.N == r.Table.Seq.Len() }

// word is the rows of 64: of the k-th word of the i-th chunk, which has n rows.
func (r Rows) word(i, k, n int) uint64 {
	if r.Bits != nil {
		return r.Bits[i*r.Table.stride+k]
	}
	return ^uint64(0) >> max(0, 64-(n-k*64))
}

// runs appends the rows to dst, as runs in ascending order.
func (r Rows) runs(dst []run) []run {
	t := r.Table
	dst = slices.Grow(dst, t.Seq.ChunkCount())
	for i := range t.Seq.ChunkCount() {
		id, n := t.Seq.Chunk(i)
		if r.Bits == nil {
			dst = append(dst, run{t.s.locAt(id, 0), n})
		} else {
			dst = runsOf(dst, id, r.Bits[i*t.stride:][:(n+63)/64])
		}
	}
	return dst
}

// runsOf appends the runs of set bits to dst, as rows of a chunk.
func runsOf(dst []run, id chunk.ID, words []uint64) []run {
	end := -1 // of the last run
	for k, w := range words {
		for w != 0 {
			first := trailingZeros(w)
			n := trailingZeros(^(w >> first))
			if row := k*64 + first; row == end {
				dst[len(dst)-1].n += n
			} else {
				dst = append(dst, run{memmgr.MakeLoc(id, uint32(row)), n})
			}
			end = k*64 + first + n
			w &^= (1<<n - 1) << first
		}
	}
	return dst
}

// that are those of the rows that have an optional component, or with has false those that
// lack it. Their bits are the store's scratch, good until the next call.
func (r Rows) that(has bool, x *Opt) Rows {
	t := r.Table
	if x.Count == 0 && !has {
		return r
	}
	list, count := t.s.bits[:0], 0
	for i := range t.Seq.ChunkCount() {
		_, n := t.Seq.Chunk(i)
		for k := range t.stride {
			w := uint64(0)
			if k*64 < n {
				w = r.word(i, k, n)
			}
			if x := x.Bits[i*t.stride+k]; has {
				w &= x
			} else {
				w &^= x
			}
			list = append(list, w)
			count += bits.OnesCount64(w)
		}
	}
	t.s.bits = list
	return Rows{t, list, count}
}

// entities are whose the rows are, in a list of its own.
func (r Rows) entities() []Entity {
	es := make([]Entity, 0, r.N)
	for _, x := range r.runs(nil) {
		es = append(es, r.Table.s.entitiesAt(x.at, x.n)...)
	}
	return es
}

// setRun notes that the n rows from a bit on have the component, which none of them has yet,
// and unsetRun that they lack it: word by word.
func (x *Opt) setRun(from, n int) {
	for b := from; b < from+n; b = (b | 63) + 1 {
		x.Bits[b/64] |= between(b, from+n)
	}
	x.Count += n
}

func (x *Opt) unsetRun(from, n int) {
	for b := from; b < from+n; b = (b | 63) + 1 {
		x.Bits[b/64] &^= between(b, from+n)
	}
	x.Count -= n
}

// between is the bits from one on to that before another, of the first one's word.
func between(from, to int) uint64 {
	w := ^uint64(0) << (from % 64)
	if left := to - from&^63; left < 64 {
		w &= 1<<left - 1
	}
	return w
}
