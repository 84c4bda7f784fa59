package store

import (
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Permuter brings rows of tables into another order. Its scratch is kept for the next call: the widest
// column of as many rows, and a flag for each row. The zero value is ready.
type Permuter struct {
	values  []uint64  // of one column
	columns []raw.Ptr // where the chunks of one column begin
	had     []bool    // which rows had an optional component
}

// Use gives the permuter memory for values, which stays the caller's. With less than the widest column
// of all rows, Permute allocates.
func (p *Permuter) Use(room []uint64) { p.values = room }

// Permute brings rows into another order, column by column. Row from+k becomes the one that had the
// number rows[k]. The list is a permutation of its own range, and its content is lost.
//
//	from 1, rows 3 1 2      a  b  c  d   →   a  d  b  c
//
// Values, bits and entries go along, and entity columns are stamped. Rows at both ends that stay are
// left out. The cost is two copies of each column that moves: to scratch in the new order, and back.
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
	s := t.store
	s.SeeChunks(t.Seq, from/t.Seq.Capacity(), (from+len(rows)-1)/t.Seq.Capacity()+1)
	// Stamps of noted components go by the rows' old chunks, so they come before rows is recoded.
	t.Seq.Shift()
	capacity := t.Seq.Capacity()
	if len(t.watched) > 0 {
		for k, row := range rows {
			t.carried(t.Seq.At(int(row)), t.Seq.At(from+k))
		}
	}
	first := uint32(from / capacity * capacity)
	for k, row := range rows { // from here on the number of the chunk, and the row in it
		row -= first
		c := row / uint32(capacity)
		rows[k] = c<<chunk.RowBits | (row - c*uint32(capacity))
	}
	// Entries are written last, from the entity column, which has its new order by then.
	// The entity column is a column like others here; entries follow it below.
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
	for k := 0; k < len(rows); {
		id, n := t.Seq.Chunk((from + k) / capacity)
		row := (from + k) % capacity
		n = min(n-row, len(rows)-k)
		t.pointRun(s.locAt(id, row), n)
		k += n
	}
}

// Swap exchanges two rows of a table: entities, values, bits, entries and stamps. Entity columns of
// both chunks are stamped.
func (t *Table) Swap(a, b memmgr.Loc) {
	s := t.store
	t.Seq.Shift()
	ea, eb := s.entityAt(a), s.entityAt(b)
	t.swapValues(a, b)
	t.name(eb, a)
	t.name(ea, b)
}

// Cycle is Permute from row 0 on for few rows that move: it swaps along each cycle, one swap fewer
// than the cycle has rows. Afterwards rows[k] is k. It takes no memory.
func (t *Table) Cycle(rows []uint32) {
	for k := range rows {
		for row := k; ; {
			from := int(rows[row])
			rows[row] = uint32(row)
			if from == k {
				break
			}
			t.Swap(t.Seq.At(row), t.Seq.At(from))
			row = from
		}
	}
}

// column permutes one column. The numbers in found are chunk<<chunk.RowBits | row, with chunks counted from
// that of row from.
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
	chunk.Gather(values, p.columns, found, uint32(size))
	for k := 0; k < n; {
		row := (from + k) % capacity
		part := min(capacity-row, n-k)
		raw.CopyAll(raw.At(p.columns[(from+k)/capacity-base], uintptr(row)*size), raw.At(values, uintptr(k)*size), uintptr(part)*size)
		k += part
	}
}

// bits permutes the presence bits of an optional component. All are read before the first is written.
func (p *Permuter) bits(x *Opt, t *Table, from int, found []uint32) {
	p.had = p.had[:0]
	capacity := t.Seq.Capacity()
	for _, f := range found {
		at, mask := t.bit(t.Seq.At((from/capacity+int(f>>chunk.RowBits))*capacity + int(f%(1<<chunk.RowBits))))
		p.had = append(p.had, x.has(at, mask))
	}
	for k, had := range p.had {
		at, mask := t.bit(t.Seq.At(from + k))
		x.put(at, mask, had)
	}
}

// RowOf is the number of the row where an entity's values are, between Exchange and Follow or Restore.
// It reads the entry, which Exchange leaves as it was. The entity must have a row here.
func (t *Table) RowOf(e Entity) int { return t.Seq.Index(locOf(t.words.Load(e.Index()))) }

// Exchange exchanges the entities of two rows and nothing else: a sort moves 8 bytes per step and no
// values. Until Follow or Restore, the entity column has the wanted order and entries say where the
// values are. No other call may use the table meanwhile.
//
//	            entities   values     entries
//	before      a  b       A  B       a→0 b→1
//	Exchange    b  a       A  B       a→0 b→1
//	Follow      b  a       B  A       a→1 b→0
func (t *Table) Exchange(i, j int) {
	a, b := t.entity(i), t.entity(j)
	*a, *b = *b, *a
}

// entity is where the entity of a row is noted.
func (t *Table) entity(i int) *Entity {
	l := t.Seq.At(i)
	t.store.See(l.Chunk())
	return raw.As[Entity](t.store.IDs.At(l, 8))
}

// EntityOf is the entity that is noted for a row.
func (t *Table) EntityOf(i int) Entity { return *t.entity(i) }

// Follow brings values to where Exchange has put their entities, among the first n rows. Each cycle of
// rows costs one swap fewer than it has rows. Rows that are already in place are not touched. It takes
// no memory.
func (t *Table) Follow(n int) {
	t.Seq.Shift()
	for i := range n {
		row := i
		for {
			l, e := t.Seq.At(row), t.EntityOf(row)
			was := locOf(t.words.Load(e.Index()))
			if was == l {
				break
			}
			t.name(e, l)
			next := t.Seq.Index(was)
			if next != i {
				t.swapValues(l, was)
			}
			if next == i {
				break
			}
			row = next
		}
	}
}

// Restore undoes Exchange: it puts the entities of the first n rows back to their values. Sorts call
// it where the comparison panics. Stamps stay, because no row differs from before.
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

// swapValues exchanges the values of two rows, and values and bits of optional components. Stamps of
// noted components become the later one of both chunks. Entities and entries are the caller's.
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
		x.put(at, mask, hb)
		x.put(bt, bmask, ha)
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
	if !Names(w, e) || t.store.tableAt(locOf(w)) != t {
		return -1
	}
	return t.Seq.Index(locOf(w))
}
