package walk

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// chooser is a walk that asks a test about each row, and notes the answers as bits.
//
//	rows passed       3 4 7 of chunk 2          test   yes no yes
//	bits of chunk 2   ···█···█
type chooser struct {
	teller
	test func(into raw.Ptr, i int) bool
	list []chosen
	bits []uint64 // of all tables in list, one after the other
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
		x = &chooser{}
		x.enter = x.entered
		c.chooser = x
	}
	x.test, x.list, x.bits = test, x.list[:0], x.bits[:0]
	defer func() { x.test = nil }()
	c.rows(into, &x.teller, func(into raw.Ptr) bool {
		x.ask(into, c.Pointers)
		return true
	})
	rows := make([]store.Rows, 0, len(x.list))
	for _, k := range x.list {
		if k.n > 0 {
			rows = append(rows, store.Rows{Table: k.t, Bits: x.bits[k.from:][:k.t.Seq.ChunkCount()*k.t.Stride()], N: k.n})
		}
	}
	return rows
}

// entered begins with a table.
func (x *chooser) entered(t *store.Table) {
	x.list = append(x.list, chosen{t, len(x.bits), 0})
	for range t.Seq.ChunkCount() * t.Stride() {
		x.bits = append(x.bits, 0)
	}
}

// ask asks about the rows of a call. Answers about adjacent rows are put together without a branch,
// because rows that are chosen lie anywhere.
func (x *chooser) ask(into raw.Ptr, pointers bool) {
	k := &x.list[len(x.list)-1]
	bits, words, test := x.bits[k.from:], k.t.Stride(), x.test
	if !x.adjacent(pointers) {
		x.each(pointers, func(i, chunk, row int) {
			if test(into, i) {
				bits[chunk*words+row/64] |= 1 << (row % 64)
				k.n++
			}
		})
		return
	}
	chunk, row := x.at(x.first)
	at := chunk*words*64 + row
	for i := range x.n {
		bit := uint64(0)
		if test(into, i) {
			bit = 1
		}
		bits[at/64] |= bit << (at % 64)
		k.n += int(bit)
		at++
	}
}
