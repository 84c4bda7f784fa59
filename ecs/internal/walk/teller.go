package walk

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// teller says which rows of a table the next call of a walk is about, for functions that are called
// row by row. Rows have numbers in their table, which do not depend on where batches end.
//
//	batch under way   rows 3 4 7 of chunk 2         a struct's slices   0 1 2
type teller struct {
	enter func(t *store.Table) // called when the walk enters a table
	table *store.Table

	batch   *source.Batch
	first   int      // row of the batch that the next call begins with
	n       int      // rows of that call
	numbers []uint16 // of these rows in whole columns, with a field for numbers; else nil
}

// rows walks the plan with a function of the struct that is called for batches, or for rows with a
// struct of pointers. It tells p before each call which rows are meant. No walk of the cursor may be
// under way.
func (c *Cursor) rows(into raw.Ptr, p *teller, call func(raw.Ptr) bool) {
	c.telling = p
	defer func() { c.telling, p.batch, p.numbers = nil, nil, nil }()
	c.Each(into, call)
}

// begin begins with a table.
func (p *teller) begin(t *store.Table) {
	p.table = t
	p.enter(t)
}

// passes notes which rows the next call is about.
func (p *teller) passes(b *source.Batch, first, n int) { p.batch, p.first, p.n = b, first, n }

// each calls f for each row of the call under way: with the row's number in the struct's slices, and
// its place, as at returns it.
func (p *teller) each(pointers bool, f func(i, chunk, row int)) {
	b := p.batch
	switch {
	case pointers: // a call for each row
		chunk, row := p.at(p.first)
		f(0, chunk, row)
		p.first++
	case p.numbers != nil && b.Rows == nil: // whole columns: the number is the row's
		for _, i := range p.numbers {
			chunk, row := p.at(int(i))
			f(int(i), chunk, row)
		}
	case p.numbers != nil:
		for k, i := range p.numbers {
			chunk, row := p.at(p.first + k)
			f(int(i), chunk, row)
		}
	default:
		for i := range p.n {
			chunk, row := p.at(p.first + i)
			f(i, chunk, row)
		}
	}
}

// at is where the i-th row of the batch is: a chunk's position in the table, and a row there.
func (p *teller) at(i int) (chunk, row int) {
	b := p.batch
	if b.Rows == nil {
		return b.Chunk, b.First + i
	}
	capacity := p.table.Seq.Capacity()
	return b.Chunk + int(b.Rows[i])/capacity, int(b.Rows[i]) % capacity
}

// adjacent tells whether the rows of the call are adjacent, each in its slice at its place among them.
func (p *teller) adjacent(pointers bool) bool {
	return !pointers && p.numbers == nil && p.batch.Rows == nil
}
