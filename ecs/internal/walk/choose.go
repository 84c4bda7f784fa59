package walk

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// chooser is a walk that asks a test about each row, and notes the answers as bits. The walk says
// before each call which rows it passes; see Cursor.choosing.
//
//	batch under way   rows 3 4 7 of chunk 2     test   yes no yes
//	bits of chunk 2   ···█···█
type chooser struct {
	c    *Cursor
	test func(into raw.Ptr, i int) bool

	list    []chosen
	bits    []uint64 // of all tables in list, one after the other
	batch   *source.Batch
	first   int      // row of the batch that the next call begins with
	n       int      // rows of that call
	numbers []uint16 // of these rows in whole columns, with a field for numbers; else nil
}

// chosen is the rows of one table for which the test was true.
type chosen struct {
	t    *store.Table
	from int // in chooser.bits
	n    int
}

// Choose walks the plan and returns the rows for which test returns true, table by table. The test is
// called once for each row that matches, in order, with the struct filled and the row's number in its
// slices: 0 for a struct of pointers. Nothing may change meanwhile. The result is good until the next
// Choose, and until rows change. No walk of the cursor may be under way.
func (c *Cursor) Choose(into raw.Ptr, test func(into raw.Ptr, i int) bool) []store.Rows {
	x := c.chooser
	if x == nil {
		x = &chooser{c: c}
		c.chooser = x
	}
	x.test, x.list, x.bits = test, x.list[:0], x.bits[:0]
	c.choosing = x
	defer func() { c.choosing, x.test, x.batch, x.numbers = nil, nil, nil, nil }()
	c.Each(into, x.ask)
	rows := make([]store.Rows, 0, len(x.list))
	for _, k := range x.list {
		if k.n > 0 {
			rows = append(rows, store.Rows{Table: k.t, Bits: x.bits[k.from:][:k.t.Seq.ChunkCount()*k.t.Stride()], N: k.n})
		}
	}
	return rows
}

// enter begins with a table.
func (x *chooser) enter(t *store.Table) {
	x.list = append(x.list, chosen{t, len(x.bits), 0})
	for range t.Seq.ChunkCount() * t.Stride() {
		x.bits = append(x.bits, 0)
	}
}

// passes notes which rows the next call is about.
func (x *chooser) passes(b *source.Batch, first, n int) { x.batch, x.first, x.n = b, first, n }

// ask is called in place of the function of a walk.
func (x *chooser) ask(into raw.Ptr) bool {
	switch b := x.batch; {
	case x.c.Pointers:
		if x.test(into, 0) {
			x.choose(x.row(x.first))
		}
		x.first++
	case x.numbers != nil:
		for i, number := range x.numbers {
			if x.test(into, int(number)) {
				if b.Rows == nil { // whole columns: the number is the row's
					x.choose(x.row(int(number)))
				} else {
					x.choose(x.row(x.first + i))
				}
			}
		}
	case b.Rows == nil:
		x.askRun(into)
	default:
		for i := range x.n {
			if x.test(into, i) {
				x.choose(x.row(x.first + i))
			}
		}
	}
	return true
}

// row is the number of a batch's row among the bits of its table.
func (x *chooser) row(i int) int {
	b, t := x.batch, x.list[len(x.list)-1].t
	chunk, row := b.Chunk, b.First+i
	if b.Rows != nil {
		capacity := t.Seq.Capacity()
		chunk, row = chunk+int(b.Rows[i])/capacity, int(b.Rows[i])%capacity
	}
	return chunk*t.Stride()*64 + row
}

func (x *chooser) choose(bit int) {
	k := &x.list[len(x.list)-1]
	x.bits[k.from+bit/64] |= 1 << (bit % 64)
	k.n++
}

// askRun is ask for adjacent rows. Answers are put together without a branch, because rows that are
// chosen lie anywhere.
func (x *chooser) askRun(into raw.Ptr) {
	k := &x.list[len(x.list)-1]
	at, test := x.row(x.first), x.test
	for i := 0; i < x.n; {
		word, shift := &x.bits[k.from+at/64], at%64
		end := min(x.n, i+64-shift)
		for n := end - i; n > 0; n-- {
			bit := uint64(0)
			if test(into, i) {
				bit = 1
			}
			*word |= bit << (at % 64)
			k.n += int(bit)
			i, at = i+1, at+1
		}
	}
}
