package ecs

import (
	"time"
	"unsafe"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/views"
)

// keep returns the view's values for the n rows of the group's i-th chunk, gathered
// again as far as they may have changed; nil if some row lacks the component, and then
// nothing is kept. The values are good until something is changed.
func (v *view) keep(w *World, g *group, i int, id chunk.ID, handles []Entity, source *views.Source) (values unsafe.Pointer, stale bool) {
	tick := w.m.Tick()
	if v.found != tick {
		if rows := g.seq.ChunkCount(); len(v.chunks) > rows {
			clear(v.chunks[rows:])
			v.chunks = v.chunks[:rows]
		}
		var owner *memmgr.Sequence
		if v.pool.group != nil {
			owner = v.pool.group.seq
		}
		v.stamps.Read(source.Cells, &w.ids, owner, v.pool.loose)
		v.changes.Find(v.stamps, v.since)
		v.found, v.since, v.frame = tick, tick, w.frame
		g.views[0].stats.Retained = 0
	}
	for len(v.chunks) <= i {
		v.chunks = append(v.chunks, viewChunk{})
	}
	c, n := &v.chunks[i], len(handles)
	if gen := w.m.Gen(id); c.id != id || c.gen != gen {
		c.mark.Drop()
		c.id, c.gen = id, gen
	}
	at := v.at(w, id)
	if at == nil {
		return nil, true
	}
	dst := unsafe.Slice((*byte)(at), n*int(v.part.size))
	verdict := c.mark.Judge(w.ids.Cell(id).Stamp, n, &v.changes)
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
func (v *view) at(w *World, id chunk.ID) unsafe.Pointer {
	if !v.late {
		return w.m.CacheAt(id, v.offset)
	}
	annex, err := w.m.Annex(id)
	if err != nil {
		return nil // streaming needs none
	}
	return unsafe.Add(annex, v.offset)
}

// fillColumn fills one gathered column of a chunk: from a kept view if that is the
// strategy, else through scratch. It returns nil if some row lacks the component.
func (q *query) fillColumn(j, i int, id chunk.ID, handles []Entity) unsafe.Pointer {
	c := &q.columns[j]
	if s := q.serving; s != nil {
		for k := range s.cols {
			sc := &s.cols[k]
			if sc.column != j || sc.choice.Use() != views.Keep || len(c.source.Cells) > views.PlaceCells {
				continue
			}
			var start time.Time
			if sc.choice.Trying() {
				start = time.Now()
			}
			values, stale := sc.view.keep(q.w, s.group, i, id, handles, &c.source)
			if sc.choice.Trying() {
				sc.built += time.Since(start)
			}
			if stale {
				sc.stale++
			}
			if values != nil {
				return values
			}
		}
	}
	to := c.gather(handles)
	if !c.optional && !full(c.presence, len(handles)) {
		return nil
	}
	return to
}
