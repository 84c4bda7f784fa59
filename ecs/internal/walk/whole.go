package walk

import (
	"slices"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// In whole tables all rows match and all columns lie in place. They are the fast
// path: a batch is the columns of a chunk, or of several side by side, and nothing has to be put
// back. There may be hundreds of such tables with a few rows each. So a cursor notes where the columns
// of a table of one chunk lie. As long as that chunk stays where it is, the next walk needs no more
// than that: not the table, nor directories.
//
//	table noted, chunk where it was   spots as noted
//	table of one chunk                spots found, and noted from the second walk on
//	any other whole table             spots found for chunk after chunk
//
// A spot has two addresses: where a column begins, and the cell with the stamp that a writer sets. The first
// stays as long as the table's chunks do, and the second until its directory gets other cells.
// Rows may come and go within the chunk, so their number is read each time.

// wholes is how a cursor passes whole tables. Notes belong to the plan's tables as of made, and to
// one cursor. A walk that may not note, because something is disabled, leaves them as they are. follow and
// room change notes and free, noteOne what a note says, look spots and loose, and tally.go the tally.
type wholes struct {
	may     bool   // the struct has nothing but columns and entities
	noting  bool   // and columns alone, of rows that are not tested from batch to batch
	spots   []spot // of the batch under way, if they are not noted
	notes   []note // by table; fewer than tables while none is noted, or some are new
	free    []spot // for tables that are noted for the first time
	made    uint64 // found.made of the tables that notes are of
	dropped uint64 // likewise
	calm    uint64 // Cursor.clock when survey had nothing to ask about any more; 0: there was no such walk
	loose   int    // rows of whole tables in the walk under way that are tested in other walks
	tally   tallies
}

// note says where the columns of a table lie.
type note struct {
	seq   *memmgr.Sequence
	laid  uint64 // the sequence's when the spots were found; 0: they were not
	spots []spot // a cursor's are side by side
}

// valid tells whether the columns lie where they were noted.
func (x *note) valid() bool {
	laid, _ := x.seq.Laid()
	return x.laid != 0 && x.laid == laid
}

// spot is where a column lies: all that filling a struct needs.
type spot struct {
	cell  *memmgr.Cell // its stamp is set if the column is written
	addr  raw.Ptr      // of the first value
	field uint32       // offset in the struct
	write bool
}

func newWholes(p *Plan) *wholes {
	may := !p.Pointers && !p.InRows && len(p.Presences) == 0
	return &wholes{may: may, noting: may && p.Entities < 0 && len(p.Disabled)+len(p.Changes) == 0}
}

// follow fits the notes to a walk's tables, which are as found. Where only some have gone the others keep
// theirs. It looks at each table if some have gone, and at none otherwise.
func (w *wholes) follow(list []Table, f *found) {
	if w.made == f.made && w.dropped == f.dropped {
		return
	}
	kept := w.notes[:0]
	for at := 0; w.made == f.made && len(kept) < len(list) && at < len(w.notes); at++ {
		if x := w.notes[at]; x.seq == list[len(kept)].Seq {
			kept = append(kept, x)
		}
	}
	w.made, w.dropped = f.made, f.dropped
	clear(w.notes[len(kept):])
	w.notes = kept
}

// room makes room for notes of all of a walk's tables. Spots are side by side, in the order of tables,
// because a walk reads them from the first to the last.
func (w *wholes) room(list []Table, columns int) {
	from := len(w.notes)
	if w.notes = slices.Grow(w.notes, len(list)-from)[:len(list)]; len(w.free) < (len(list)-from)*columns {
		w.free = make([]spot, (cap(w.notes)-from)*columns) // it grows as the notes do
	}
	for i := from; i < len(list); i++ {
		w.notes[i] = note{seq: list[i].Seq, spots: w.free[:columns:columns]}
		w.free = w.free[columns:]
	}
}

// passWhole passes the rows of tables from the i-th on, as long as they are whole. It returns the
// first that is not, and whether call goes on.
//
// Columns are stamped before the system is called. Nothing has to be undone after a panic, since no table
// was entered.
func (c *Cursor) passWhole(list []Table, i int, notes bool, into raw.Ptr, call func(raw.Ptr) bool) (next int, more bool) {
	var noted []note
	if notes {
		noted = c.wholes.notes[:min(len(c.wholes.notes), len(list))]
	}
	if c.strides {
		c.setStrides(into)
	}
	for at, n := 0, 0; i < len(list); {
		if at == 0 {
			if i, more = c.passNoted(noted, i, into, call); !more || i == len(list) {
				return i, more
			}
			if !c.isWhole(&list[i]) {
				break
			}
		}
		if n, at = c.look(list, i, at, notes, into); at < 0 {
			i, at = i+1, 0
		}
		if n > 0 && !c.passSpots(c.wholes.spots, n, into, call) {
			return i, false
		}
	}
	return i, true
}

// passNoted is passWhole for tables with columns that lie as noted. It makes no call but the system's own: with a few rows
// a table, any other call would be a large part of the time.
func (c *Cursor) passNoted(noted []note, i int, into raw.Ptr, call func(raw.Ptr) bool) (next int, more bool) {
	for ; i < len(noted); i++ {
		x := &noted[i]
		laid, n := x.seq.Laid()
		if x.laid != laid || laid == 0 {
			break
		}
		if c.Met += n; n > 0 && !c.passSpots(x.spots, n, into, call) {
			return i + 1, false
		}
	}
	return i, true
}

// passSpots passes n rows of columns.
func (c *Cursor) passSpots(spots []spot, n int, into raw.Ptr, call func(raw.Ptr) bool) (more bool) {
	tick := c.Tick() // a walk within may have begun another
	for j := range spots {
		s := &spots[j]
		raw.SetSlice(into, s.field, s.addr, n)
		if s.write {
			s.cell.Stamp = tick
		}
	}
	if c.Fn != nil {
		c.Fn(into)
		c.Passed++
		return true
	}
	return call(into)
}

// setStrides notes in the struct how far values lie apart. All whole tables have them equally far apart.
func (c *Cursor) setStrides(into raw.Ptr) {
	for j := range c.Columns {
		if x := &c.Columns[j]; x.Strided {
			raw.SetStride(into, uint32(x.Offset), x.Comp.Size)
		}
	}
}

// isWhole tells whether a table is passed whole. A pure table answers by its fields unless something
// is disabled. Others are asked about their rows, and may be whole in one walk and not in the next.
func (c *Cursor) isWhole(t *Table) bool {
	if t.Seq.Len() == 0 || !t.plain {
		return t.plain
	}
	return (t.pure || !t.Tested() && !c.skips()) && (!c.asks && !t.Hidden() || c.begin(c.tests, t, c.asks) && !c.tests.Hides())
}

// look finds the spots of a batch of the i-th table: its rows from a chunk on, as far as chunks lie
// side by side. It returns how many these are, and the chunk behind them; -1: it was the last.
//
// Chunks side by side are one run in each column, so they are one call. The spots are the
// first chunk's. Cells of the others are stamped here, because passWhole knows the first one's alone.
// Met counts the table at its first batch: a walk that is ended early has met all of it.
func (c *Cursor) look(list []Table, i, at int, notes bool, into raw.Ptr) (n, next int) {
	t := &list[i]
	w, seq := c.wholes, t.Seq
	id, n, only := seq.Only()
	count, first := 1, at
	switch {
	case only:
		at++
		w.spots = spotsOf(w.spots[:0], t.lanes, id)
		c.fillEntities(into, id, n)
	case seq.ChunkCount() == 0:
		return 0, -1
	default:
		count = seq.ChunkCount()
		n, at = c.beside(t, at, count, into)
	}
	if first == 0 {
		c.Met += seq.Len()
		if !t.pure {
			w.loose += seq.Len()
		}
	}
	switch {
	case at < count:
		return n, at
	case only && notes && t.pure:
		c.noteOne(list, i, n)
	case c.Visit != nil:
		c.Visit(seq, seq.Len(), count, 0)
	}
	return n, -1
}

// beside finds the spots of the rows of a chunk and of its neighbours in memory, up to the end-th. It
// returns how many rows these are, and the chunk behind them. It fills the field for entities.
func (c *Cursor) beside(t *Table, at, end int, into raw.Ptr) (n, next int) {
	seq, tick := t.Seq, c.Tick()
	id, n := seq.Chunk(at)
	chunks := min(seq.Beside(at), end-at)
	if chunks > 1 {
		_, last := seq.Chunk(at + chunks - 1)
		n = (chunks-1)*seq.Capacity() + last
	}
	c.wholes.spots = spotsOf(c.wholes.spots[:0], t.lanes, id)
	for k := 1; k < chunks; k++ {
		id, _ := seq.Chunk(at + k)
		for j := range t.lanes {
			if l := &t.lanes[j]; l.write {
				l.dir.Cell(id).Stamp = tick
			}
		}
	}
	if c.Entities >= 0 {
		c.base.Store.SeeChunks(seq, at, at+chunks)
	}
	c.fillEntities(into, id, n)
	return n, at + chunks
}

// fillEntities fills the field for entities, if there is one, with the entities of n rows from a chunk on.
func (c *Cursor) fillEntities(into raw.Ptr, id chunk.ID, n int) {
	if c.Entities >= 0 {
		if c.Picks {
			raw.Touch(c.base.Store.IDs.Addr(id), uintptr(n)*8)
		}
		raw.SetSlice(into, uint32(c.Entities), raw.Data(c.base.Store.Entities(id, n)), n)
	}
}

// spotsOf appends where the columns of a chunk lie.
func spotsOf(spots []spot, lanes []lane, id chunk.ID) []spot {
	for j := range lanes {
		l := &lanes[j]
		cell := l.dir.Cell(id)
		spots = append(spots, spot{cell, raw.At(cell.Addr, uintptr(l.part)), l.field, l.write})
	}
	return spots
}

// noteOne notes where the columns of the i-th table lie, of one chunk. Its spots were found. Other tables than
// pure ones may be whole in this walk and not in the next, without a chunk that moves. The first walk
// notes nothing, since a query may walk once. With Visit it does, since count goes by the notes.
func (c *Cursor) noteOne(list []Table, i, n int) {
	if w := c.wholes; c.Visit != nil || c.walked > 1 {
		if i >= len(w.notes) {
			w.room(list, len(c.Columns))
		}
		x := &w.notes[i]
		x.laid, _ = x.seq.Laid()
		copy(x.spots, w.spots)
	}
	if c.Visit != nil {
		c.tellFirst(i, list[i].Seq, n)
	}
}
