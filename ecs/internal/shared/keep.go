package shared

import (
	"math/bits"
	"slices"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/views"
)

// viewChunk is the view's values for one chunk, and the conditions under which they are good.
type viewChunk struct {
	id   chunk.ID
	gen  uint32
	at   uintptr // where the values are
	mark views.Mark
}

// view is a field of a component, or the whole of it, for the rows of a table. It has nothing yet (since
// is 0), is kept, or idle: keep and refresh fill it, and drop empties it.
type view struct {
	part    source.Part
	where   *where // the places that values come from
	readers count  // columns that ask for it
	offset  uint32 // in the annex
	room    bool   // it has room there; else it is gathered
	chunks  []viewChunk
	seqs    []*memmgr.Sequence // that have the component
	changes views.Changes
	walk    uint64 // that changes are of
	since   uint64 // tick of the last walk; 0: nothing is kept
	frame   uint64 // in which it was last kept
	stats   Stats

	presence []uint64 // scratch
}

// keep returns the view's values for the rows of the table's i-th chunk, gathered again as
// far as they may have changed; nil if some row lacks the component or
// there is no room, and then nothing is kept. The values are good until something is changed.
func (v *view) keep(s *served, i int, id chunk.ID, es []store.Entity, from *views.Source) (values raw.Ptr, stale bool) {
	b, t := s.reader.views.base, s.table
	if !v.room {
		return nil, false
	}
	if v.walk != s.walk { // not by tick: a query may come twice in one, with writes between
		v.enter(s, from)
		v.where.enter(s)
	}
	for len(v.chunks) <= i {
		v.chunks = append(v.chunks, viewChunk{})
	}
	c, n := &v.chunks[i], len(es)
	if gen := b.Manager.Gen(id); c.id != id || c.gen != gen {
		c.mark.Drop()
		c.id, c.gen = id, gen
	}
	annex, err := b.Manager.Annex(id, t.annexBytes())
	if err != nil {
		return nil, true // streaming needs none
	}
	at := raw.At(annex, uintptr(v.offset))
	if c.at != raw.Address(at) { // the annex was made anew
		c.mark.Drop()
		c.at = raw.Address(at)
	}
	verdict := c.mark.Judge(b.Store.IDs.Cell(id).Stamp, n, &v.changes)
	if lacks := v.refresh(s, i, es, from, raw.Slice[byte](at, n*int(v.part.Size)), verdict); lacks || c.mark.Lacks() {
		c.mark.Drop()
		return nil, true
	}
	return at, verdict != views.Valid
}

// refresh brings the values of the i-th chunk up to date, as far as the verdict asks. It tells whether
// some row lacks the component, if that was found without places.
func (v *view) refresh(s *served, i int, es []store.Entity, from *views.Source, dst []byte, verdict views.Verdict) (lacks bool) {
	c, n, tick := &v.chunks[i], len(es), s.reader.Tick()
	switch verdict {
	case views.Valid:
		v.stats.Reused++
		c.mark.Again(tick)
	case views.Some, views.SomeMoved:
		// Another view may have found the places since: rows that have moved are in changed
		// cells then as before.
		places := v.where.chunks[i].places[:n]
		rows := from.Refresh(dst, raw.Words(es), places, &v.changes)
		v.stats.Refreshed++
		v.stats.Bytes += uint64(rows) * uint64(v.part.Size)
		if verdict == views.Some {
			c.mark.Again(tick)
		} else {
			c.mark.Note(tick, n, places, &v.changes)
		}
	case views.Places:
		from.GatherPlaces(dst, v.where.chunks[i].places[:n])
		v.built(dst)
		c.mark.Again(tick)
	default:
		places, known := v.where.at(s, i, c.id, n, len(from.Cells))
		switch {
		case known:
			from.GatherPlaces(dst, places)
		case places != nil:
			from.Gather(dst, raw.Words(es), views.Found{Places: places})
		default:
			v.presence = slices.Grow(v.presence[:0], (n+63)/64)[:(n+63)/64]
			from.Gather(dst, raw.Words(es), views.Found{Presence: v.presence})
			lacks = ones(v.presence) < n
		}
		v.built(dst)
		c.mark.Note(tick, n, places, &v.changes)
	}
	return lacks
}

// built counts a chunk that was gathered as a whole.
func (v *view) built(values []byte) {
	v.stats.Built++
	v.stats.Bytes += uint64(len(values))
}

func ones(words []uint64) (n int) {
	for _, w := range words {
		n += bits.OnesCount64(w)
	}
	return n
}

// enter finds changes since the view's last walk.
func (v *view) enter(s *served, from *views.Source) {
	b := s.reader.views.base
	if n := s.table.seq.ChunkCount(); len(v.chunks) > n {
		clear(v.chunks[n:])
		v.chunks = v.chunks[:n]
	}
	v.seqs = v.seqs[:0]
	for _, t := range v.where.comp.Tables() {
		v.seqs = append(v.seqs, t.Seq)
	}
	v.changes.Find(v.since, from.Cells, &b.Store.IDs, v.seqs...)
	v.walk, v.since, v.frame = s.walk, s.reader.Tick(), b.Frame
	v.stats.Retained = 0
}

// lay gives a view room in the annexes, behind the views that have some, unless there is none.
func (t *table) lay(v *view) {
	v.offset = inPages(t.annexBytes())
	v.room = v.offset+inPages(t.bytes(v)) <= memmgr.AnnexMost
}

// annexBytes is how large annexes have to be.
func (t *table) annexBytes() (n uint32) {
	for _, v := range t.views {
		if v.room {
			n = max(n, v.offset+t.bytes(v))
		}
	}
	return n
}

// bytes is the size of a view in a chunk.
func (t *table) bytes(v *view) uint32 { return t.seq.Layout().Capacity() * uint32(v.part.Size) }

func inPages(bytes uint32) uint32 { return (bytes + chunk.Page - 1) / chunk.Page * chunk.Page }
