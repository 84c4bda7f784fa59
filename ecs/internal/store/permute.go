package store

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// Permuter brings rows of tables into another order. It keeps its scratch for the next call:
// the widest column of as many rows, and what moves says. The zero value is ready.
type Permuter struct {
	values  []uint64  // of one column
	columns []raw.Ptr // where the chunks of one column begin
	had     []bool    // which rows had an optional component
	locs    []memmgr.Loc
}

// Use gives the permuter memory for values: as much as the widest column of all rows takes, or
// it allocates what it needs.
func (p *Permuter) Use(room []uint64) { p.values = room }

// Permute brings rows into another order, column by column: from row from on, the k-th is
// the one that was number rows[k], which are the same numbers. Values, bits and entries go
// along; the columns of entities are stamped where rows change, as wherever they do. What is in
// rows is lost.
func (p *Permuter) Permute(t *Table, from int, rows []uint32) {
	for len(rows) > 0 && rows[0] == uint32(from) {
		rows, from = rows[1:], from+1
	}
	for n := len(rows); n > 0 && rows[n-1] == uint32(from+n-1); n-- {
		rows = rows[:n-1]
	}
	if len(rows) == 0 {
		return
	}
	s := t.s
	s.m.Shift()
	capacity := t.Seq.Capacity()
	if s.hooks != nil {
		for _, row := range rows {
			p.locs = append(p.locs, t.Seq.At(int(row)))
		}
	}
	if len(t.watched) > 0 {
		for k, row := range rows {
			t.carried(t.Seq.At(int(row)), t.Seq.At(from+k))
		}
	}
	first := uint32(from / capacity * capacity)
	for k, row := range rows { // from here on the number of the chunk, and the row in it
		row -= first
		c := row / uint32(capacity)
		rows[k] = c<<raw.RowBits | (row - c*uint32(capacity))
	}
	p.column(t, &s.IDs, 8, from, rows)
	for _, x := range t.lanes {
		p.column(t, x.dir, x.size(), from, rows)
	}
	for _, x := range t.opts {
		if x.Count > 0 {
			p.column(t, &x.C.Dir, x.C.Size, from, rows)
			p.bits(x, t, from, rows)
		}
	}
	tick := s.m.Tick()
	for k := 0; k < len(rows); {
		id, n := t.Seq.Chunk((from + k) / capacity)
		row := (from + k) % capacity
		n = min(n-row, len(rows)-k)
		s.IDs.Cell(id).Stamp = tick
		es, l := s.Entities(id, row+n)[row:], s.locAt(id, row)
		t.words.setRun(es, l)
		k += n
	}
	for k := range p.locs {
		if l := t.Seq.At(from + k); l != p.locs[k] {
			s.moved(s.entityAt(l), p.locs[k], l)
		}
	}
	p.locs = p.locs[:0]
}

// Cycle is Permute from row 0 on for few rows that move: it swaps them one by one. Afterwards rows say
// that each is in its place. It takes no memory.
func (t *Table) Cycle(rows []uint32) {
	for k := range rows {
		for row := k; ; {
			from := int(rows[row])
			rows[row] = uint32(row)
			if from == k {
				break
			}
			t.swap(t.Seq.At(row), t.Seq.At(from))
			row = from
		}
	}
}

// column does it for one column.
func (p *Permuter) column(t *Table, dir *memmgr.Directory, size uintptr, from int, found []uint32) {
	if size == 0 {
		return
	}
	n, capacity := len(found), t.Seq.Capacity()
	base := from / capacity
	p.columns = p.columns[:0]
	for i := base; i <= (from+n-1)/capacity; i++ {
		id, _ := t.Seq.Chunk(i)
		p.columns = append(p.columns, dir.Addr(id))
	}
	if need := (n*int(size) + 7) / 8; cap(p.values) < need {
		p.values = make([]uint64, need)
	}
	values := raw.Data(p.values)
	raw.Gather(values, p.columns, found, size)
	for k := 0; k < n; {
		row := (from + k) % capacity
		part := min(capacity-row, n-k)
		raw.CopyAll(raw.At(p.columns[(from+k)/capacity-base], uintptr(row)*size), raw.At(values, uintptr(k)*size), uintptr(part)*size)
		k += part
	}
}

// bits does it for the bits of an optional component.
func (p *Permuter) bits(x *Opt, t *Table, from int, found []uint32) {
	p.had = p.had[:0]
	capacity := t.Seq.Capacity()
	for _, f := range found {
		at, mask := t.bit(t.Seq.At((from/capacity+int(f>>raw.RowBits))*capacity + int(f%(1<<raw.RowBits))))
		p.had = append(p.had, x.has(at, mask))
	}
	for k, had := range p.had {
		at, mask := t.bit(t.Seq.At(from + k))
		if x.Bits[at] &^= mask; had {
			x.Bits[at] |= mask
		}
	}
}

// RowOf is the number of an entity's row among those of the table, while entities stand
// where their values are to be: its entry says where they are. It must have one.
func (t *Table) RowOf(e Entity) int { return t.Seq.Index(locOf(t.words.Load(e.Index()))) }

// Exchange exchanges the entities of two rows and nothing else. Their entries say where their
// values are, until Follow or Restore ends that.
func (t *Table) Exchange(i, j int) {
	a, b := t.entity(i), t.entity(j)
	*a, *b = *b, *a
}

// entity is where the entity of a row is noted.
func (t *Table) entity(i int) *Entity { return raw.As[Entity](t.s.IDs.At(t.Seq.At(i), 8)) }

// EntityOf is the entity that is noted for a row.
func (t *Table) EntityOf(i int) Entity { return *t.entity(i) }

// Follow brings values to where Exchange has put their entities, among the first n rows, by as
// many swaps as rows are elsewhere. It takes no memory: entries say where values are.
func (t *Table) Follow(n int) {
	s := t.s
	s.m.Shift()
	tick := s.m.Tick()
	for i := range n {
		row := i
		for {
			l, e := t.Seq.At(row), t.EntityOf(row)
			was := locOf(t.words.Load(e.Index()))
			if was == l {
				break
			}
			t.words.set(e.Index(), word(e, l))
			s.IDs.CellOf(l).Stamp = tick
			next := t.Seq.Index(was)
			if next != i {
				t.swapValues(l, was)
			}
			if s.hooks != nil {
				s.moved(e, was, l)
			}
			if next == i {
				break
			}
			row = next
		}
	}
}

// Restore puts the entities of the first n rows back to their values: it undoes Exchange.
func (t *Table) Restore(n int) {
	for i := range n {
		for {
			row := t.RowOf(t.EntityOf(i))
			if row == i {
				break
			}
			t.Exchange(i, row)
		}
	}
}

// swapValues exchanges the values of two rows, and the bits of optional ones.
func (t *Table) swapValues(a, b memmgr.Loc) {
	t.carried(a, b)
	t.carried(b, a)
	for i := range t.lanes {
		x := &t.lanes[i]
		raw.Swap(x.at(a), x.at(b), x.size())
	}
	if len(t.opts) == 0 {
		return
	}
	at, mask := t.bit(a)
	bt, bmask := t.bit(b)
	for _, x := range t.opts {
		ha, hb := x.has(at, mask), x.has(bt, bmask)
		if !ha && !hb {
			continue
		}
		raw.Swap(x.C.At(a), x.C.At(b), x.C.Size)
		if ha != hb {
			x.Bits[at] ^= mask
			x.Bits[bt] ^= bmask
		}
	}
}

// Present tells whether a row has an optional component.
func (t *Table) Present(x *Opt, row int) bool {
	at, mask := t.bit(t.Seq.At(row))
	return x.has(at, mask)
}

// Widest is the size of the widest column.
func (t *Table) Widest() int {
	widest := uintptr(8)
	for i := range t.lanes {
		widest = max(widest, t.lanes[i].size())
	}
	for _, x := range t.opts {
		widest = max(widest, x.C.Size)
	}
	return int(widest)
}

// Row is the number of an entity's row in the table; -1 if it has none here.
func (t *Table) Row(e Entity) int {
	w := t.words.Load(e.Index())
	if !Names(w, e) || t.s.tableAt(locOf(w)) != t {
		return -1
	}
	return t.Seq.Index(locOf(w))
}
