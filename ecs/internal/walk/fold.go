package walk

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// PartRows is how many rows of a table make a part of a sum. Another number is another result, in the
// last bits.
const PartRows = 1024

// Fold walks the plan, and calls each for every row that matches, in order, as Choose calls its test.
// Behind the last row of a part that has any it calls end. Parts are PartRows adjacent rows of a table, of
// which some may not match. So they end at the same rows wherever batches end.
//
//	rows of a table   0 … 1023 │ 1024 … 2047 │ 2048 …
//	end                        ↑             ↑        ↑ of the table
func (c *Cursor) Fold(into raw.Ptr, each func(into raw.Ptr, i int), end func()) {
	part := -1 // of the table under way, which has met a row; -1: none has
	closing := func(next int) {
		if part >= 0 && part != next {
			end()
		}
		part = next
	}
	p := &teller{enter: func(*store.Table) { closing(-1) }}
	c.rows(into, p, func(into raw.Ptr) bool {
		capacity := p.table.Seq.Capacity()
		if !p.adjacent(c.Pointers) {
			p.each(c.Pointers, func(i, chunk, row int) {
				closing((chunk*capacity + row) / PartRows)
				each(into, i)
			})
			return true
		}
		chunk, row := p.at(p.first)
		at := chunk*capacity + row
		for i := 0; i < p.n; {
			closing((at + i) / PartRows)
			for until := min(p.n, (part+1)*PartRows-at); i < until; i++ {
				each(into, i)
			}
		}
		return true
	})
	closing(-1)
}
