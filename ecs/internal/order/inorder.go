package order

import (
	"iter"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// InOrder goes over the rows of tables in one order, each of which is sorted by itself. It
// passes the least of the next rows of all tables, and of equal ones the row of the first
// table. It costs log t comparisons a row for t tables. Rows that lack the component are left
// out.
func InOrder(b *walk.Base, tables []*store.Table, by By) iter.Seq2[store.Entity, raw.Ptr] {
	return func(yield func(store.Entity, raw.Ptr) bool) {
		defer b.Walks.End(b.Walks.Begin(by.Name))
		var heads []*head // a heap
		less := func(a, b *head) bool {
			if c := by.Compare(a.v, b.v); c != 0 {
				return c < 0
			}
			return a.table < b.table
		}
		down := func(i int) {
			for {
				k := 2*i + 1
				if k+1 < len(heads) && less(heads[k+1], heads[k]) {
					k++
				}
				if k >= len(heads) || !less(heads[k], heads[i]) {
					return
				}
				heads[i], heads[k] = heads[k], heads[i]
				i = k
			}
		}
		for i, t := range tables {
			h := &head{b: b, t: t, table: i, by: &by, opt: opt(t, by.Comp), row: -1}
			if h.next() {
				heads = append(heads, h)
			}
		}
		for i := len(heads)/2 - 1; i >= 0; i-- {
			down(i)
		}
		for len(heads) > 0 {
			h := heads[0]
			if !yield(h.es[h.row], h.v) {
				return
			}
			if !h.next() {
				last := len(heads) - 1
				heads[0] = heads[last]
				heads = heads[:last]
			}
			if len(heads) > 1 {
				down(0)
			}
		}
	}
}

// head is the row of a table that comes next. Only next changes it.
type head struct {
	b      *walk.Base
	t      *store.Table
	table  int
	by     *By
	opt    *store.Opt
	chunk  int // of the next one to go over
	row    int // within the one under way
	es     []store.Entity
	values raw.Ptr
	v      raw.Ptr
}

// next goes on to the next row that has the component; it tells whether there is one.
func (h *head) next() bool {
	for {
		if h.row++; h.row >= len(h.es) {
			if h.chunk == h.t.Seq.ChunkCount() {
				return false
			}
			id, n := h.t.Seq.Chunk(h.chunk)
			dir := &h.b.S.IDs
			if h.by.Comp != nil {
				dir = &h.by.Comp.Dir
			}
			h.es, h.values = h.b.S.Entities(id, n), dir.Addr(id)
			h.chunk++
			h.row = 0
		}
		at := (h.chunk-1)*h.t.Stride() + h.row/64
		if h.opt == nil || h.opt.Bits[at]>>(h.row%64)&1 != 0 {
			h.v = raw.At(h.values, uintptr(h.row)*h.by.Size)
			return true
		}
	}
}
