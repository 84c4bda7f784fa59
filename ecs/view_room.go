package ecs

import (
	"slices"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/views"
)

// viewMost is the largest part of a chunk that is kept free for views.
const viewMost = chunk.Bytes / 4 * 3

// layViews makes room for the views that systems ask for, in the cache regions of a group
// that holds no chunks, and in annexes for what is not expected to be kept, comes late or
// has no room there; and it counts who reads what.
func (w *World) layViews(g *group) {
	switch {
	case w.options.Views == ViewsOff:
		return
	case g.seq.Busy():
		w.findLateRoom(g)
	default:
		w.findRoom(g)
	}
	g.findSpans()
	for _, v := range g.views {
		v.readers = 0
	}
	w.asked(g, func(_ *system, c *column) {
		if v := g.view(c); v != nil {
			v.readers++
			if v.outer != nil && v.outer.span {
				v.outer.readers++
			}
		}
	})
}

// asked calls f with each column that some system may have to gather for a group.
func (w *World) asked(g *group, f func(*system, *column)) {
	for _, s := range w.systems {
		for i := range s.columns {
			if c := &s.columns[i]; s.reads(g, c) {
				f(s, c)
			}
		}
	}
}

// expectKeep tells whether a system may come to keep a view. A region takes room from
// rows, so there is none for what intent wants otherwise.
func (w *World) expectKeep(s *system, c *column) bool {
	return w.options.Views == ViewsOn || w.intended(s.name, c) != views.Stream
}

func (w *World) findRoom(g *group) {
	g.views = nil
	g.laid++
	bytes := uint32(0)
	w.asked(g, func(s *system, c *column) {
		if g.view(c) == nil && w.expectKeep(s, c) {
			g.views = append(g.views, g.newView(c.pool, c.part))
			bytes += uint32(c.part.size)
		}
	})
	g.shrinkToFit(bytes)
	if w.page > chunk.Page {
		g.useAnnexes()
	}
	w.findLateRoom(g)
}

// shrinkToFit makes a cache region for the first views that have room in one, and takes
// the others from the list.
func (g *group) shrinkToFit(bytes uint32) {
	for row := g.seq.Layout().RowBytes(); len(g.views) > 0; g.views = g.views[:len(g.views)-1] {
		if region := regionFor(row, bytes); region <= viewMost && g.fit(region) {
			return
		}
		bytes -= uint32(g.views[len(g.views)-1].part.size)
	}
	if g.seq.CacheBytes() > 0 {
		_ = g.seq.SetCacheRegion(0) // less than before: it fits
	}
}

func (g *group) newView(p *pool, of part) *view {
	return &view{pool: p, part: of, stats: ViewStats{Group: g.name, Component: p.name, Field: of.path}}
}

// findLateRoom gives views that were asked for late room in the annexes, before what
// spans have.
func (w *World) findLateRoom(g *group) {
	w.asked(g, func(_ *system, c *column) {
		if g.view(c) != nil {
			return
		}
		if v := g.newView(c.pool, c.part); g.annex(v) {
			i := slices.IndexFunc(g.views, func(v *view) bool { return v.span })
			if i < 0 {
				i = len(g.views)
			}
			g.views = slices.Insert(g.views, i, v)
			g.laid++
		}
	})
}

// annex gives a view room in the annexes, behind the views that have some and are no
// spans; false if there is none.
func (g *group) annex(v *view) bool {
	at := uint32(0)
	for _, o := range g.views {
		if o.annexed && (!o.span || v.span) {
			at = max(at, o.offset+inPages(g.bytes(o)))
		}
	}
	if at+inPages(g.bytes(v)) > chunk.Bytes {
		return false
	}
	v.offset, v.annexed = at, true
	return true
}

// useAnnexes moves the views that were laid into the cache region to annexes, as far as
// they fit: chunks have the same capacity on every machine, but where pages are large,
// their ends could not be given back.
func (g *group) useAnnexes() {
	for _, v := range g.views {
		g.annex(v)
	}
}

// bytes is what a view takes in a chunk.
func (g *group) bytes(v *view) uint32 { return g.seq.Layout().Capacity() * uint32(v.part.size) }

func inPages(bytes uint32) uint32 { return (bytes + chunk.Page - 1) / chunk.Page * chunk.Page }

// regionFor is the size of a cache region with room for so many bytes a row, in a
// chunk whose rows have so many.
func regionFor(row, bytes uint32) uint32 {
	rows := min(chunk.Bytes/(row+bytes), chunk.MaxRows)
	return inPages(rows * bytes)
}

// fit lays the group out with a cache region, and its views in that; false if they do
// not fit.
func (g *group) fit(region uint32) bool {
	if g.seq.SetCacheRegion(region) != nil {
		return false
	}
	at := uint32(0)
	for _, v := range g.views {
		v.offset = at
		at += (g.bytes(v) + chunk.Line - 1) / chunk.Line * chunk.Line
	}
	return at <= region
}

// reads tells whether a system asks for a column in a group that does not own it, for
// reading. Its group is the one that owns the first whole component of its struct:
// only there room is kept for it.
func (s *system) reads(g *group, c *column) bool {
	home := slices.IndexFunc(s.columns, func(c column) bool { return c.whole() && !c.optional })
	return s.over == nil && !s.pointers && home >= 0 && s.columns[home].pool.group == g &&
		!c.write && !c.optional && c.part.size > 0 && c.pool.group != g
}

// view returns the group's view of a column, if it has room for one.
func (g *group) view(c *column) *view {
	for _, v := range g.views {
		if v.pool == c.pool && v.part == c.part && !v.span {
			return v
		}
	}
	return nil
}
