package ecs

import (
	"time"
	"unsafe"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/views"
)

// keep returns the view's values for the n rows of the group's i-th chunk, gathered
// again as far as they may have changed; nil if some row lacks the component, and then
// nothing is kept. The values are good until something is changed.
func (v *view) keep(s *served, i int, id chunk.ID, handles []Entity, source *views.Source) (values unsafe.Pointer, stale bool) {
	w, g := s.query.w, s.group
	tick := w.m.Tick()
	if v.walk != s.walk { // not by tick: a query may come twice in one, with writes between
		if rows := g.seq.ChunkCount(); len(v.chunks) > rows {
			clear(v.chunks[rows:])
			v.chunks = v.chunks[:rows]
		}
		v.seqs = v.seqs[:0]
		for _, t := range v.pool.c.Tables() {
			v.seqs = append(v.seqs, t.Seq)
		}
		v.stamps.Read(source.Cells, &w.s.IDs, v.seqs...)
		v.changes.Find(v.stamps, v.since)
		v.walk, v.since, v.frame = s.walk, tick, w.frame
		v.stats.Retained = 0
	}
	for len(v.chunks) <= i {
		v.chunks = append(v.chunks, viewChunk{})
	}
	c, n := &v.chunks[i], len(handles)
	if gen := w.m.Gen(id); c.id != id || c.gen != gen {
		c.mark.Drop()
		c.id, c.gen = id, gen
	}
	at := v.at(w, g, id)
	if at == nil {
		return nil, true
	}
	if c.at != uintptr(at) { // the annex was made anew
		c.mark.Drop()
		c.at = uintptr(at)
	}
	dst := unsafe.Slice((*byte)(at), n*int(v.part.size))
	verdict := c.mark.Judge(w.s.IDs.Cell(id).Stamp, n, &v.changes)
	switch verdict {
	case views.Valid:
		v.stats.Reused++
		c.mark.Again(tick)
	case views.Some, views.SomeMoved:
		rows := source.Refresh(dst, words(handles), c.places[:n], nil, &v.changes)
		v.stats.Refreshed++
		v.stats.Bytes += uint64(rows) * uint64(v.part.size)
		if verdict == views.Some {
			c.mark.Again(tick)
		} else {
			c.mark.Note(tick, n, c.places[:n], &v.changes)
		}
	case views.Places:
		source.GatherPlaces(dst, c.places[:n])
		v.stats.Built++
		v.stats.Bytes += uint64(len(dst))
		c.mark.Again(tick)
	default:
		if len(c.places) < n {
			c.places = make([]views.Place, g.seq.Layout().Capacity())
		}
		source.Gather(dst, words(handles), views.Found{Places: c.places[:n]})
		v.stats.Built++
		v.stats.Bytes += uint64(len(dst))
		c.mark.Note(tick, n, c.places[:n], &v.changes)
	}
	if c.mark.Lacks() {
		c.mark.Drop()
		return nil, true
	}
	return at, verdict != views.Valid
}

// at is where the view's values for a chunk lie; nil if there is no memory for them.
func (v *view) at(w *World, g *group, id chunk.ID) unsafe.Pointer {
	annex, err := w.m.Annex(id, g.annexBytes())
	if err != nil {
		return nil // streaming needs none
	}
	return unsafe.Add(annex, v.offset)
}

// fillColumn fills one gathered column of a chunk: from a kept view if that is the
// strategy, else through scratch. It returns nil if some row lacks the component.
func (q *query) fillColumn(j, i int, id chunk.ID, handles []Entity) unsafe.Pointer {
	c := &q.columns[j]
	if q.serving != nil && len(c.source.Cells) <= views.PlaceCells {
		if values := q.serving.fill(j, i, id, handles, c); values != nil {
			return values
		}
	}
	to := c.gather(handles)
	if !c.optional && !full(c.presence, len(handles)) {
		return nil
	}
	return to
}

// fill returns the j-th column's values for a chunk if they are kept.
func (s *served) fill(j, i int, id chunk.ID, handles []Entity, c *column) (values unsafe.Pointer) {
	sc := s.by(j, views.Keep)
	if sc == nil {
		return nil
	}
	var start time.Time
	if sc.choice.Trying() {
		start = time.Now()
	}
	values, stale := sc.view.keep(s, i, id, handles, &c.source)
	if sc.choice.Trying() {
		sc.built += time.Since(start)
	}
	if stale {
		sc.stale++
	}
	return values
}
