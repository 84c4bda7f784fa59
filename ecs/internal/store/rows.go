package store

import (
	"math/bits"
	"slices"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Rows of a table are selected in two forms. A change works on runs, because columns are then copied
// and stamped once for many rows. Tests of rows work on bits, 64 at a time:
//
//	bits   0 1 1 1 0 0 1 1   1 1 0 …        64 rows a word, each chunk from a word of its own on
//	runs     [1..3]   [6  …  9]              no run goes beyond its chunk
//
// Nil bits mean all rows, so that whole tables need none.

// All is all rows of a table.
func (t *Table) All() Rows { return Rows{Table: t, N: t.Seq.Len()} }

// all tells whether no row of the table is left out.
func (r Rows) all() bool { return r.N == r.Table.Seq.Len() }

// word is the selected rows of 64, as bits: the bits of the k-th word of the i-th chunk, which has n
// rows. Precondition: k*64 is less than n.
func (r Rows) word(i, k, n int) uint64 {
	if r.Bits != nil {
		return r.Bits[i*r.Table.stride+k]
	}
	return ^uint64(0) >> max(0, 64-(n-k*64))
}

// runs appends the rows to dst, as runs in ascending order. No run goes beyond its chunk. Callers pass
// s.picked[:0], so only one list of runs is in use at a time.
func (r Rows) runs(dst []run) []run {
	t := r.Table
	dst = slices.Grow(dst, t.Seq.ChunkCount())
	for i := range t.Seq.ChunkCount() {
		id, n := t.Seq.Chunk(i)
		if r.Bits == nil {
			dst = append(dst, run{t.store.locAt(id, 0), n})
		} else {
			dst = runsOf(dst, id, r.Bits[i*t.stride:][:(n+63)/64])
		}
	}
	return dst
}

// runsOf appends the runs of set bits to dst, as rows of a chunk. Runs that go on in the next word are
// joined. It costs a step for each run and each word.
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

// withBit keeps the rows whose presence bit of an optional component equals has. The bits are the
// store's scratch, good until the next withBit or pack. Without any bit set, all rows lack it, and r
// is returned.
func (r Rows) withBit(x *Opt, has bool) Rows {
	t := r.Table
	if x.Count == 0 && !has {
		return r
	}
	list, count := t.store.bits[:0], 0
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
	t.store.bits = list
	return Rows{t, list, count}
}

// Entities appends the entities of the rows to a list.
func (r Rows) Entities(es []Entity) []Entity {
	es = slices.Grow(es, r.N)
	for _, x := range r.runs(nil) {
		es = append(es, r.Table.store.entitiesAt(x.at, x.n)...)
	}
	return es
}
