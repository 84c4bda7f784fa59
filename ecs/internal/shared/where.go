package shared

import (
	"math/bits"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/memmgr/frames"
	"github.com/ashlar-go/ashlar/views"
)

// where is the record of a component that a table's rows do not have: where they have it, and
// how much of it changes. To find a row costs more than to copy its value, and rows stay where
// they are between most systems. So the first reader in a frame finds them, and the others gather
// by the same places. Views know by them which rows to gather again.
//
//	latest, live          found by enter, in each walk
//	moved                 found by look, in the first walk of a frame
//	order, long           found by along, in a walk of some frames
type where struct {
	comp    *store.Component
	finders count  // columns that have to find the rows: gathered ones, and views
	frame   uint64 // in which it was last used
	walk    uint64 // that latest and live are of
	latest  uint64 // tick in which rows of the owner last came, went or moved; the highest: not known
	live    int    // chunks of the owner
	chunks  []whereChunk

	looked  uint64  // tick of the last look
	moved   uint8   // the last 8 frames, a bit each, the latest lowest: see views.Counts
	ordered uint64  // frame in which order is looked at next
	order   float64 // share of rows that follow the one before in the owner's chunks
	long    bool    // all have the component, in long runs of the owner's order
}

// whereChunk is where the rows of one of the table's chunks have the component.
type whereChunk struct {
	id          chunk.ID
	tick        uint64 // in which all were found last
	cells, live int    // of the component's directory, and the owner's chunks, then
	places      []views.Place
}

// count is how often something was asked for in the frame under way, and in the one before that
// asked for it.
type count struct {
	frame     uint64 // under way; 0: none, else one more than its number
	now, last int
}

func (n *count) add(frame uint64) {
	if n.frame != frame+1 {
		n.frame, n.last, n.now = frame+1, n.now, 0
	}
	n.now++
}

// counts decide on strategies for the rows of a table, together with readers and order.
func (w *where) counts(t *table) views.Counts {
	return views.Counts{Rows: t.seq.Len(), Chunks: w.live + len(w.comp.Tables()), Moved: bits.OnesCount8(w.moved)}
}

// where is Serving.Where.
func (s *served) where(j, i int, id chunk.ID, es []store.Entity, from *views.Source) (places []views.Place, known bool) {
	return s.column(j, es).where.at(s, i, id, len(es), len(from.Cells))
}

// at returns where the n rows of the i-th chunk have the component, good until something is changed.
// If that is not known, the caller finds the places before it goes on. At returns nil if they are
// not worth noting.
func (w *where) at(s *served, i int, id chunk.ID, n, cells int) (places []views.Place, known bool) {
	b := s.reader.views.base
	w.enter(s)
	counts := w.counts(s.table)
	if counts.Readers = w.finders.last; !views.Notes(counts) {
		return nil, false
	}
	for len(w.chunks) <= i {
		w.chunks = append(w.chunks, whereChunk{})
	}
	c := &w.chunks[i]
	since := max(w.latest, b.Store.IDs.Cell(id).Stamp)
	known = c.id == id && c.tick > since && c.cells == cells && c.live == w.live
	if !known {
		if len(c.places) < n {
			c.places = make([]views.Place, s.table.seq.Layout().Capacity())
		}
		c.id, c.tick, c.cells, c.live = id, s.reader.Tick(), cells, w.live
	}
	return c.places[:n], known
}

// enter looks for changes since the last walk. It costs a load for each of the owner's
// chunks, unless there are too many to go by.
func (w *where) enter(s *served) {
	if w.walk == s.walk {
		return
	}
	b := s.reader.views.base
	first := w.frame != b.Frame || w.looked == 0
	w.walk, w.frame, w.latest, w.live = s.walk, b.Frame, 0, 0
	if n := s.table.seq.ChunkCount(); len(w.chunks) > n {
		clear(w.chunks[n:])
		w.chunks = w.chunks[:n]
	}
	for _, t := range w.comp.Tables() {
		w.live += t.Seq.ChunkCount()
	}
	if !w.counts(s.table).Looks() {
		w.latest = ^uint64(0)
		return
	}
	for _, t := range w.comp.Tables() {
		for id := range t.Seq.Chunks() {
			w.latest = max(w.latest, b.Store.IDs.Cell(id).Stamp)
		}
	}
	if first {
		w.look(s)
	}
}

// look notes whether rows have come, gone or moved since the last look: in more than a third of
// either side's chunks, from where on views are gathered as a whole (views.Mark).
func (w *where) look(s *served) {
	ids := &s.reader.views.base.Store.IDs
	moved := func(seq *memmgr.Sequence) (n int) {
		for id := range seq.Chunks() {
			if ids.Cell(id).Stamp >= w.looked {
				n++
			}
		}
		return n
	}
	owner := 0
	for _, t := range w.comp.Tables() {
		owner += moved(t.Seq)
	}
	if w.moved <<= 1; w.looked > 0 && (views.Most(owner, w.live) || views.Most(moved(s.table.seq), s.table.seq.ChunkCount())) {
		w.moved |= 1 // at the first look it is not known
	}
	w.looked = s.reader.Tick()
}

// along samples the order of a chunk's rows now and then.
func (w *where) along(es []store.Entity, frame uint64) {
	if frame < w.ordered {
		return
	}
	n, long := source.Along(w.comp, es)
	w.order = max(float64(len(es)-max(n, 1)), 0) / float64(max(len(es)-1, 1))
	w.long, w.ordered = n > 0 && long, frame+frames.Many
}
