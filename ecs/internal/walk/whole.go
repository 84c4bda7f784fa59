package walk

import (
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/views"
)

// In whole tables all rows match and all columns lie in place. They are the fast
// path: a batch is the columns of a chunk, or of several side by side, and nothing has to be put
// back. There may be hundreds of such tables with a few rows each. So a cursor notes where the columns
// of a table of one chunk lie. As long as the manager's layout stays, its next walk needs no more
// than that: not the table, nor directories.
//
//	table noted at this layout      spots as noted
//	table of one chunk              spots found, and noted if the layout has stayed for a walk
//	any other whole table           spots found for chunk after chunk
//
// A spot has two addresses: where a column begins, and the cell with the stamp that a writer sets. Both stay
// as long as no chunk is made, freed or moved: directories grow with new chunks only.
// Rows may come and go within the chunk, so their number is read each time.

// wholes is how a cursor passes whole tables. Notes belong to the plan's tables as of made, and to
// one cursor. A walk that may not note, because something is disabled, leaves them as they are.
type wholes struct {
	may    bool   // the struct has nothing but columns and entities
	noting bool   // and columns alone, of rows that are not tested from batch to batch
	spots  []spot // of the batch under way, if they are not noted
	notes  []note // by table; nil: none
	made   uint64 // Plan.made when notes were begun
	laid   uint64 // the manager's layout when a table of one chunk was passed last that is not noted
	laidIn uint64 // the first walk at that layout, as Cursor.walks counts
	tally  tallies
}

// note says that the columns of a table are noted.
type note struct {
	seq    *memmgr.Sequence
	layout uint64 // one more than the manager's then; 0: they are not
	spots  []spot // a cursor's are side by side
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

// room makes room for notes of the plan's tables. All spots are one allocation, in the order of
// tables: a walk reads them from the first to the last. While tables come in each frame nothing is
// noted, and there is no room.
func (w *wholes) room(p *Plan) {
	k := len(p.Columns)
	spots := make([]spot, len(p.found.tables)*k)
	w.notes = make([]note, len(p.found.tables))
	for i := range w.notes {
		w.notes[i].spots = spots[i*k:][:k]
	}
}

// passWhole passes the rows of tables from the i-th on, as long as they are whole. It returns the
// first that is not, and whether call goes on.
//
// For a noted table the loop makes no call but the system's own. With a few rows a table, any other
// call would be a large part of the time. Columns are stamped before the system is called. Nothing
// has to be undone after a panic, since no table was entered. The layout is read once for each call
// of passWhole, because no chunk comes or goes during a walk.
func (c *Cursor) passWhole(list []Table, i int, notes bool, into raw.Ptr, call func(raw.Ptr) bool) (next int, more bool) {
	m := c.base.M
	var noted []note
	if notes {
		noted = c.wholes.notes
	}
	layout := m.Layout() + 1
	if c.strides {
		c.setStrides(into)
	}
	for at := 0; i < len(list); {
		var spots []spot
		var n int
		if at == 0 && i < len(noted) && noted[i].layout == layout {
			n, spots = noted[i].seq.TailLen(), noted[i].spots
			c.Met += n
			i++
		} else {
			if at == 0 && !c.isWhole(&list[i]) {
				break
			}
			if n, at = c.look(&list[i], i, at, notes, into, call); at < 0 {
				i, at = i+1, 0
			}
			spots = c.wholes.spots
		}
		if n == 0 {
			continue
		}
		for j := range spots {
			s := &spots[j]
			raw.SetSlice(into, s.field, s.addr, n)
			if s.write {
				s.cell.Stamp = m.Tick()
			}
		}
		if c.Fn != nil {
			c.Fn(into)
			c.Passed++
		} else if !call(into) {
			return i, false
		}
	}
	return i, true
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
func (c *Cursor) look(t *Table, i, at int, notes bool, into raw.Ptr, call func(raw.Ptr) bool) (n, next int) {
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
	}
	switch {
	case at < count:
		ahead(t.lanes, seq, at)
		return n, at
	case only && notes:
		c.noteOne(t, i, n)
	case c.Visit != nil:
		c.Visit(seq, seq.Len(), count)
	}
	return n, -1
}

// beside finds the spots of the rows of a chunk and of its neighbours in memory, up to the end-th. It
// returns how many rows these are, and the chunk behind them. It fills the field for entities.
func (c *Cursor) beside(t *Table, at, end int, into raw.Ptr) (n, next int) {
	seq, tick := t.Seq, c.base.M.Tick()
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
	c.fillEntities(into, id, n)
	return n, at + chunks
}

// fillEntities fills the field for entities, if there is one, with the entities of n rows from a chunk on.
func (c *Cursor) fillEntities(into raw.Ptr, id chunk.ID, n int) {
	if c.Entities >= 0 {
		if c.Picks {
			views.Prefetch(c.base.S.IDs.Addr(id), uintptr(n)*8)
		}
		raw.SetSlice(into, uint32(c.Entities), raw.Data(raw.Slice[store.Entity](c.base.S.IDs.Addr(id), n)), n)
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

// noteOne notes where the columns of the i-th table lie, of one chunk. Its spots were found. It does
// so if no chunk has come or gone since the last walk: in frames where some do, notes would serve no
// walk. With Visit it notes at once, since count goes by the notes.
func (c *Cursor) noteOne(t *Table, i, n int) {
	w, layout := c.wholes, c.base.M.Layout()
	if w.laid != layout {
		w.laid, w.laidIn = layout, c.walks
	}
	if c.Visit != nil || w.laidIn != c.walks {
		if w.notes == nil {
			w.room(c.Plan)
		}
		x := &w.notes[i]
		x.seq, x.layout = t.Seq, layout+1
		copy(x.spots, w.spots)
	}
	if c.Visit != nil {
		c.tellFirst(i, t.Seq, n)
	}
}

// aheadBytes is how much of each column of the next batch is prefetched before this one is
// passed. Otherwise the processor has to notice each run of lines by itself. That costs more
// than a microsecond at the beginning of each chunk. It is no more than a first level of cache
// has room for, several columns at a time (go -C bench run . -rows sweep).
const aheadBytes = 32 * chunk.Line

// ahead asks for the beginnings of the i-th chunk's columns.
func ahead(lanes []lane, seq *memmgr.Sequence, i int) {
	id, n := seq.Chunk(i)
	for j := range lanes {
		views.Prefetch(lanes[j].dir.Addr(id), min(uintptr(n)*uintptr(lanes[j].size), aheadBytes))
	}
}
