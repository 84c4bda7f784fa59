package match

import (
	"math/bits"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// Tests are the tests that are left for a table's rows, in one walk: 64 rows at a time by words of
// bits. Begin sets them for a filter, and Find has to be called before the first Match.
//
//	Begin   shown, hides: cheap, and enough for AllShown
//	Find    had, all, none, far, rows: may mark rows of the table
//	Match   any number of times, a chunk each
//
// A walk that passes each chunk whole never calls Find. Parallel walks call Begin and Find under a
// lock, because both may write bits that the table keeps. Match and Likely write scratch alone.
type Tests struct {
	had, shown masks              // of presence (Find), and of disabled rows (Begin)
	all, none  []*store.Component // to look up, row by row
	rows, far  []Change           // since a tick, likewise
	since      uint64
	hides      bool       // something disabled decides, too
	scratch    [][]uint64 // bits of all rows
	used       int        // how many slices of scratch are in use since Begin
	words      []uint64   // of the chunk that Match looked at last
	stride     int        // of the table, in words of bits a chunk

	// Tested is how many rows were tested, each or by bits: a sum, which a walk begins anew. Match adds to it, and the walk
	// does for rows that it finds by gathering. Chunks that counts decide about are left out.
	Tested int
}

// Find finds the tests that are left of a filter that Begin was called with, for changes
// since a tick. It is valid until something changes.
//
// A component of another table is marked if it has no more rows than this one: then marking costs
// less than looking up each row. Otherwise it is looked up, after all bits have been ANDed, so
// that only rows which passed everything else are looked up.
func (t *Tests) Find(f *Filter, since uint64) {
	t.had.clear()
	t.all, t.none = t.all[:0], t.none[:0]
	t.far, t.since, t.stride = f.far, since, f.Table.Stride()
	if t.rows = f.rows; since == 0 {
		t.rows = nil
	}
	for _, x := range f.with {
		t.had.with = append(t.had.with, maskOf(x))
	}
	for _, x := range f.sans {
		if x.Count > 0 {
			t.had.sans = append(t.had.sans, t.enabled(f, x.C, maskOf(x)))
		}
	}
	for _, c := range f.all {
		if c.Len() > f.Seq.Len() {
			t.all = append(t.all, c)
		} else {
			t.had.with = append(t.had.with, mask{bits: f.Table.Marked(c)})
		}
	}
	for _, c := range f.none {
		if n := c.Len(); n > f.Seq.Len() {
			t.none = append(t.none, c)
		} else if n > 0 {
			t.had.sans = append(t.had.sans, t.enabled(f, c, mask{bits: f.Table.Marked(c)}))
		}
	}
	for _, a := range f.any {
		m := a.only()
		if m.bits == nil || t.hides {
			m = mask{bits: t.mark(f, a)}
		}
		t.had.with = append(t.had.with, m)
	}
}

// bitsOf returns scratch for all rows of a filter, all 0. Each call returns other scratch until
// Begin, since several lists of bits are needed at a time. The slices are kept between walks, so
// a steady world allocates nothing.
func (t *Tests) bitsOf(f *Filter) []uint64 {
	if t.used == len(t.scratch) {
		t.scratch = append(t.scratch, nil)
	}
	x, n := &t.scratch[t.used], f.Seq.ChunkCount()*f.Table.Stride()
	t.used++
	if cap(*x) < n {
		*x = make([]uint64, n)
	}
	*x = (*x)[:n]
	clear(*x)
	return *x
}

// passes tells whether an entity passes the look-ups.
func (t *Tests) passes(e store.Entity) bool {
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

// Looks tells whether Match reads the entities that it is given.
func (t *Tests) Looks() bool { return len(t.rows)+len(t.all)+len(t.none)+len(t.far) > 0 }

// entities are those of n rows of a chunk, which may be unseen unless Match reads them.
func (t *Tests) entities(s *store.Store, id chunk.ID, n int) []store.Entity {
	if t.Looks() {
		s.See(id)
	}
	return s.Unread(id, n)
}

// Match finds the rows of a table's i-th chunk that pass all tests. It returns a bit for each row,
// how many match, and how many runs they make; without a match, no bits. The bits are good until
// the next call. The order of the tests is by cost: counts of the chunk, words of bits, ticks of
// rows, look-ups. Counts decide alone where components that are tested order the rows.
func (t *Tests) Match(i int, es []store.Entity) (words []uint64, n, runs int) {
	all, none := t.had.byCount(i, len(es))
	switch {
	case none:
		return nil, 0, 0
	case all && !t.hides && !t.Looks():
		t.words = Ones(t.words[:0], len(es))
		return t.words, len(es), 1
	}
	t.Tested += len(es)
	words = t.Likely(t.words[:0], i, len(es))
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
	n, runs = Count(words)
	return words, n, runs
}

// Likely appends a bit for each of the n rows of a table's i-th chunk to words, set if it passes the
// tests by words of bits. No row is looked up, so rows that Match rejects may be among them. Walks
// prefetch by it.
func (t *Tests) Likely(words []uint64, i, n int) []uint64 {
	words = Ones(words, n)
	t.had.narrow(words, i*t.stride)
	if t.hides {
		t.shown.narrow(words, i*t.stride)
	}
	return words
}

// Count is how many rows of a filter pass all tests. Begin and Find must have been called for the
// filter. It costs as much as matching in a walk, without any value being read.
func (t *Tests) Count(f *Filter, s *store.Store) (n int) {
	for i := range f.Seq.ChunkCount() {
		if id, rows := f.Seq.Chunk(i); f.Fresh(id, t.since) {
			_, k, _ := t.Match(i, t.entities(s, id, rows))
			n += k
		}
	}
	return n
}

// Rows returns the rows of a filter that pass all tests, with their bits appended to bits. Each chunk
// takes a stride of words, the last ones 0 where it has fewer rows. The result is a copy, so a
// caller may change the table's rows while it reads it. Calls by query for many entities use it.
func (t *Tests) Rows(f *Filter, s *store.Store, bits []uint64) store.Rows {
	n := 0
	for i := range f.Seq.ChunkCount() {
		id, rows := f.Seq.Chunk(i)
		var words []uint64
		if f.Fresh(id, t.since) {
			var k int
			words, k, _ = t.Match(i, t.entities(s, id, rows))
			n += k
		}
		bits = append(bits, words...)
		bits = append(bits, make([]uint64, f.Table.Stride()-len(words))...)
	}
	return store.Rows{Table: f.Table, Bits: bits, N: n}
}
