package walk

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/match"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
)

// cut is how rows of a table become batches: scratch, and the state of one table.
//
//	chunk ── nothing tested, or gathering shows the rest ► passAll: one batch
//	  ├───── all match, columns in place ────────────────► span: passed with whole chunks beside
//	  └───── some match: bits
//	           ├─ long runs, columns in place ───────────► one batch, a call for each run
//	           ├─ long runs, other columns ──────────────► a batch for each run
//	           ├─ short runs, columns in place ──────────► held: gathered with other chunks' rows
//	           └─ short runs, other columns ─────────────► numbers: a batch for the chunk
//
// Long runs are passed in place, because a call costs less than copying RunLength rows. Pointers and
// numbers of rows (InRows) need neither: they name each row that matches. The functions of this file change it.
type cut struct {
	met, chunks int          // rows and chunks of the table with a match so far
	spans       bool         // chunks that match whole may be passed together, if columns are plain
	span        span         // chunks that wait
	chunk       source.Batch // all rows of the chunk under way
	part        source.Batch // the ones that are passed together
	numbers     []uint16     // of rows of the chunk that match, as structs and batches get them
	words       []uint64     // rows that match, as Seek finds them
	ahead       []uint64     // rows of the next chunk that are likely to match
	held        held
}

// passTable passes the rows of some chunks of a table that match, and returns how many. A table where counts
// show no match is left before the set enters it. From Enter on, leave is deferred: components may be lent
// by then.
func (c *Cursor) passTable(t *Table, some span, into raw.Ptr, call func(raw.Ptr) bool) (met int, more bool) {
	if !c.begin(c.tests, t, c.asks) || t.Idle() {
		return 0, true
	}
	var serving *source.Serving
	if t.certain && !t.own && c.Serve != nil {
		serving = c.Serve(t.Table)
	}
	c.cut.met, c.cut.chunks, c.tests.Tested = 0, 0, 0
	c.cut.held.clear()
	c.cut.span = span{}
	c.cut.spans = c.cut.spans && t.plain && !t.certain && len(c.Changes) == 0
	tested := t.Tested() || c.tests.Hides()
	c.set.Enter(t.Table, t.extents, t.comps, serving, tested)
	defer c.leave(t)
	if c.telling != nil {
		c.telling.begin(t.Table)
	}
	more = c.passChunks(t, some, tested, into, call)
	return c.cut.met, more
}

// leave ends with a table, after a panic too. Sums are told here and not for each chunk, so that
// Visit costs a call for each table.
func (c *Cursor) leave(t *Table) {
	k := c.cut
	c.Met += k.met
	c.set.Leave()
	if c.Visit != nil {
		c.Visit(t.Seq, k.met, k.chunks, c.tests.Tested)
	}
}

// passChunks passes the rows that match of some chunks of a table, one by one. All of a chunk are one batch if
// nothing is to be tested, or if gathering columns shows that all match. Gathering is tried as
// long as at least three in four chunks match whole.
//
// A guess that fails costs the columns gathered so far, and its chunk is then matched. Tests are
// found for the first chunk that needs them, because finding may mark all rows of the table. The
// table has the same chunks throughout: no structure changes during a walk.
func (c *Cursor) passChunks(t *Table, some span, tested bool, into raw.Ptr, call func(raw.Ptr) bool) bool {
	k := c.cut
	whole, misses, known := t.certain || !tested, 0, false
	for i := some.first; i < some.end; i++ {
		id, n := t.Seq.Chunk(i)
		if !t.Fresh(id, c.since) {
			continue
		}
		k.chunk = c.set.ChunkOf(i, id, n)
		at := i * t.Table.Stride()
		if whole && c.tests.AllShown(at, n) {
			passed, more := c.passAll(into, call)
			if passed && tested {
				c.tests.Tested += n
			}
			if !more {
				return false
			}
			if passed {
				continue
			}
			misses++
			whole = misses <= (i-some.first)/4
		}
		words, sought := c.seek(t)
		met, runs := match.Count(words)
		if sought {
			c.tests.Tested += n
		} else {
			if !known {
				c.find(c.tests, t)
				known = true
			}
			if c.tests.Looks() {
				c.base.Store.See(id)
			}
			words, met, runs = c.tests.Match(i, k.chunk.Entities)
		}
		if met == 0 {
			continue
		}
		k.met, k.chunks = k.met+met, k.chunks+1
		if met == n && k.spans {
			if !c.extend(t, i, into, call) {
				return false
			}
			continue
		}
		if !c.passSpan(t, into, call) {
			return false
		}
		if !c.passSome(t, rows{words, met, runs, sought}, into, call) {
			return false
		}
	}
	return c.passSpan(t, into, call) && c.passHeld(t, into, call)
}

// passAll passes all rows of the chunk under way, unless some lack a column that has to be gathered.
// Then passed is false, more is true, and nothing was called or marked.
func (c *Cursor) passAll(into raw.Ptr, call func(raw.Ptr) bool) (passed, more bool) {
	k, b := c.cut, &c.cut.chunk
	if c.InRows {
		k.numbers = append(k.numbers[:0], c.set.First(b.N)...) // a copy: the system may write it
		b = c.asNumbers()
	}
	b.Guess = !c.InRows
	passed = c.Pointers || c.set.Bring(b)
	if b.Guess = false; !passed {
		return false, true
	}
	if k.met, k.chunks = k.met+b.N, k.chunks+1; c.Pointers {
		return true, c.eachRow(b, into, call)
	}
	return true, c.pass(b, nil, into, call)
}

// eachRow passes the rows of a batch one by one.
func (c *Cursor) eachRow(b *source.Batch, into raw.Ptr, call func(raw.Ptr) bool) (more bool) {
	if c.telling != nil {
		c.telling.passes(b, 0, b.N)
	}
	return c.set.EachRow(b, into, call)
}

// seek finds the rows that match by looking for the columns to gather, if nothing else is
// tested. A look-up finds both whether a row matches and where its value is, so tests would only
// repeat it. Set.Sift hands the places on to the batch.
func (c *Cursor) seek(t *Table) (words []uint64, ok bool) {
	if !t.certain || c.tests.Hides() || c.set.Spread() {
		return nil, false
	}
	c.cut.words, ok = c.set.Seek(c.cut.words[:0], &c.cut.chunk)
	return c.cut.words, ok
}

// rows are the rows of a chunk that match: a bit for each, how many, and how many runs they make.
// Sought says that Seek has found them, and with them places of gathered columns.
type rows struct {
	words     []uint64
	met, runs int
	sought    bool
}

// passSome passes some rows of the chunk under way: long runs as they lie, and short ones together.
// Runs are long if they have RunLength rows on average, and a single run always is. A chunk is cut in
// one way, not run by run: it is either one batch of numbers or runs alone.
//
// Given rows are passed in runs however short: their tables promise columns as they lie. Rows held
// from chunks before are passed before the runs of this one, to keep the order of rows.
func (c *Cursor) passSome(t *Table, r rows, into raw.Ptr, call func(raw.Ptr) bool) bool {
	k := c.cut
	long := r.runs == 1 || r.runs*c.base.RunLength <= r.met
	switch {
	case c.Pointers:
		k.part = k.chunk
		k.numbers = raw.Numbers(k.numbers[:0], r.words, 0)
		c.set.Numbers(&k.part, k.numbers)
		return c.eachRow(&k.part, into, call)
	case c.InRows:
		k.numbers = raw.Numbers(k.numbers[:0], r.words, 0)
		b := c.asNumbers()
		c.set.Bring(b)
		return c.pass(b, nil, into, call)
	case t.plain && (long || t.given):
		if !c.passHeld(t, into, call) {
			return false
		}
		c.set.Bring(&k.chunk)
		return c.pass(&k.chunk, r.words, into, call)
	case t.plain:
		c.ask(t, k.chunk.Chunk+1)
		return c.hold(t, r.words, into, call)
	case long:
		for first, n := match.NextRun(r.words, 0); n > 0; first, n = match.NextRun(r.words, first+n) {
			if k.part = k.chunk.Run(first, n); !c.passPart(r.sought, into, call) {
				return false
			}
		}
		return true
	}
	if !r.sought { // the tests may be another table's
		c.ask(t, k.chunk.Chunk+1)
	}
	k.part = k.chunk
	k.numbers = raw.Numbers(k.numbers[:0], r.words, 0)
	c.set.Numbers(&k.part, k.numbers)
	return c.passPart(r.sought, into, call)
}

// passPart passes a part of the chunk under way. Sought says that Seek has found the places of the
// chunk: Sift has to come directly before Bring.
func (c *Cursor) passPart(sought bool, into raw.Ptr, call func(raw.Ptr) bool) bool {
	if sought {
		c.set.Sift(&c.cut.part)
	}
	c.set.Bring(&c.cut.part)
	return c.pass(&c.cut.part, nil, into, call)
}

// pass calls with a batch that was brought. It calls once for all rows, or once for each run of bits
// if words are given. Values that are spread make more calls. It puts written copies back.
//
//	words 0011110000001110    Fill(2, 4) call    Fill(12, 3) call    Put
//	spread 4 rows as 3 + 1    Fill(0, 4) = 3 call    Fill(3, 1) = 1 call    Put
//
// The columns of all runs are brought once. Put comes once, behind the last call, and also where
// call has ended the walk: rows that were passed keep their writes.
func (c *Cursor) pass(b *source.Batch, words []uint64, into raw.Ptr, call func(raw.Ptr) bool) (more bool) {
	first, n := 0, b.N
	if words != nil {
		first, n = match.NextRun(words, 0)
	}
	for more = true; n > 0 && more; {
		k := c.set.Fill(into, b, first, n)
		if c.telling != nil {
			c.telling.passes(b, first, k)
		}
		if c.InRows {
			c.fillNumbers(b, first, k, into, call)
		} else if c.set.Marks() {
			c.set.Mark(b.Entities[first:][:k])
		}
		more = call(into)
		if first, n = first+k, n-k; n == 0 && words != nil {
			first, n = match.NextRun(words, first)
		}
	}
	c.set.Put(b)
	return more
}

// asNumbers is the batch for a struct with numbers of rows: the chunk under way. If values are
// spread, there are no whole columns, and it is these rows alone. The batch of all rows lets the
// struct index whole columns by number, and nothing is copied for it.
func (c *Cursor) asNumbers() *source.Batch {
	k := c.cut
	if !c.set.Spread() {
		return &k.chunk
	}
	k.part = k.chunk
	c.set.Numbers(&k.part, k.numbers)
	return &k.part
}

// fillNumbers fills the field for the numbers of matching rows. A batch of all rows of a chunk gets
// the numbers found by matching. A batch of n rows that all match gets 0 to n-1, as a copy that the
// system may write.
func (c *Cursor) fillNumbers(b *source.Batch, first, n int, into raw.Ptr, call func(raw.Ptr) bool) {
	numbers := c.cut.numbers
	if b.Rows != nil {
		numbers = slices.Clone(c.set.First(n))
	}
	c.set.FillRows(into, numbers)
	if c.telling != nil {
		c.telling.numbers = numbers
	}
	if c.set.Marks() {
		for _, row := range numbers {
			c.set.Mark(b.Entities[first+int(row):][:1])
		}
	}
}

// askedChunks is how many chunks a table must have for ask: eight regions of them. Smaller ones lie
// in the second-level cache in part, and the processor sees some of their rows come: asking would
// only cost.
const askedChunks = 256

// ask asks for rows that are likely to be gathered of the i-th chunk, if there is one. It is called
// for the next chunk while this one is passed, so that memory is read during the call.
func (c *Cursor) ask(t *Table, i int) {
	if count := t.Seq.ChunkCount(); count < askedChunks || i >= count {
		return
	}
	id, n := t.Seq.Chunk(i)
	c.cut.ahead = c.tests.Likely(c.cut.ahead[:0], i, n)
	c.set.Ahead(c.cut.ahead, id)
}
