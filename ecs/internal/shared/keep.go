package shared

import (
	"time"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/views"
)

// viewChunk is the view's values for one chunk, and what has to hold for them to be good.
type viewChunk struct {
	id   chunk.ID
	gen  uint32
	at   uintptr // where the values are
	mark views.Mark
}

// kept returns the j-th column's values for a chunk if they are kept.
func (s *served) kept(j, i int, id chunk.ID, es []store.Entity, from *views.Source) raw.Ptr {
	c := s.by(j, views.Cached)
	if c == nil {
		return nil
	}
	var start time.Time
	timed := !s.start.IsZero()
	if timed {
		start = time.Now()
	}
	values, stale := c.view.keep(s, i, id, es, from)
	if timed {
		c.built += time.Since(start)
	}
	if stale {
		c.stale++
	}
	return values
}

// keep returns the view's values for the rows of the group's i-th chunk, gathered again as
// far as they may have changed; nil if some row lacks the component, and then nothing is
// kept. The values are good until something is changed.
func (v *view) keep(s *served, i int, id chunk.ID, es []store.Entity, from *views.Source) (values raw.Ptr, stale bool) {
	b, g := s.reader.v.base, s.group
	tick := b.M.Tick()
	if v.walk != s.walk { // not by tick: a query may come twice in one, with writes between
		v.enter(s, from)
		v.where.enter(s)
	}
	for len(v.chunks) <= i {
		v.chunks = append(v.chunks, viewChunk{})
	}
	c, n := &v.chunks[i], len(es)
	if gen := b.M.Gen(id); c.id != id || c.gen != gen {
		c.mark.Drop()
		c.id, c.gen = id, gen
	}
	annex, err := b.M.Annex(id, g.annexBytes())
	if err != nil {
		return nil, true // streaming needs none
	}
	at := raw.At(annex, uintptr(v.offset))
	if c.at != raw.Address(at) { // the annex was made anew
		c.mark.Drop()
		c.at = raw.Address(at)
	}
	dst := raw.Slice[byte](at, n*int(v.part.Size))
	verdict := c.mark.Judge(b.S.IDs.Cell(id).Stamp, n, &v.changes)
	switch verdict {
	case views.Valid:
		v.stats.Reused++
		c.mark.Again(tick)
	case views.Some, views.SomeMoved:
		// Another view may have found the places since: rows that have moved are in changed
		// cells then as before.
		places := v.where.chunks[i].places[:n]
		rows := from.Refresh(dst, raw.Words(es), places, nil, &v.changes)
		v.stats.Refreshed++
		v.stats.Bytes += uint64(rows) * uint64(v.part.Size)
		if verdict == views.Some {
			c.mark.Again(tick)
		} else {
			c.mark.Note(tick, n, places, &v.changes)
		}
	case views.Places:
		from.GatherPlaces(dst, v.where.chunks[i].places[:n])
		v.stats.Built++
		v.stats.Bytes += uint64(len(dst))
		c.mark.Again(tick)
	default:
		places, known := v.where.at(s, i, id, n, len(from.Cells))
		if known {
			from.GatherPlaces(dst, places)
		} else {
			from.Gather(dst, raw.Words(es), views.Found{Places: places})
		}
		v.stats.Built++
		v.stats.Bytes += uint64(len(dst))
		c.mark.Note(tick, n, places, &v.changes)
	}
	if c.mark.Lacks() {
		c.mark.Drop()
		return nil, true
	}
	return at, verdict != views.Valid
}

// enter finds what has changed since the view's last walk.
func (v *view) enter(s *served, from *views.Source) {
	b := s.reader.v.base
	if n := s.group.seq.ChunkCount(); len(v.chunks) > n {
		clear(v.chunks[n:])
		v.chunks = v.chunks[:n]
	}
	v.seqs = v.seqs[:0]
	for _, t := range v.comp.Tables() {
		v.seqs = append(v.seqs, t.Seq)
	}
	v.stamps.Read(from.Cells, &b.S.IDs, v.seqs...)
	v.changes.Find(v.stamps, v.since)
	v.walk, v.since, v.frame = s.walk, b.M.Tick(), b.Frame
	v.stats.Retained = 0
}
