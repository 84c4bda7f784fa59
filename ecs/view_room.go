package ecs

import (
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
)

// layViews makes room in the annexes of a group's chunks for the views that systems ask
// for, and counts who reads what. What has no room there is streamed.
func (w *World) layViews(g *group) {
	if w.options.Views == ViewsOff {
		return
	}
	w.findRoom(g)
	for _, v := range g.views {
		v.readers = 0
	}
	w.asked(g, func(_ *system, c *column) {
		if v := g.view(c); v != nil {
			v.readers++
		}
	})
}

// layViewsOf is layViews after one system more has come. There are often many that ask for
// the same: then the layout is as it was.
func (w *World) layViewsOf(g *group, s *system) {
	if w.options.Views == ViewsOff {
		return
	}
	var asked []*column
	for i := range s.columns {
		if c := &s.columns[i]; s.reads(g, c) {
			if g.view(c) == nil {
				w.layViews(g)
				return
			}
			asked = append(asked, c)
		}
	}
	for _, c := range asked {
		g.view(c).readers++
	}
}

// asked calls f with each column that some system may have to gather for a group, in the
// order of the systems.
func (w *World) asked(g *group, f func(*system, *column)) {
	for _, s := range g.guests {
		for i := range s.columns {
			if c := &s.columns[i]; s.reads(g, c) {
				f(s, c)
			}
		}
	}
}

func (g *group) newView(p *pool, of part) *view {
	return &view{pool: p, part: of, stats: ViewStats{Group: g.name, Component: p.name, Field: of.path}}
}

// findRoom gives views that have none yet room in the annexes.
func (w *World) findRoom(g *group) {
	w.asked(g, func(_ *system, c *column) {
		if g.view(c) != nil {
			return
		}
		if v := g.newView(c.pool, c.part); g.annex(v) {
			g.views = append(g.views, v)
			g.laid++
		}
	})
}

// annex gives a view room in the annexes, behind the views that have some; false if there
// is none.
func (g *group) annex(v *view) bool {
	at := uint32(0)
	for _, o := range g.views {
		at = max(at, o.offset+inPages(g.bytes(o)))
	}
	if at+inPages(g.bytes(v)) > memmgr.AnnexMost {
		return false
	}
	v.offset = at
	return true
}

// annexBytes is how large annexes have to be.
func (g *group) annexBytes() (n uint32) {
	for _, v := range g.views {
		n = max(n, v.offset+g.bytes(v))
	}
	return n
}

// bytes is what a view takes in a chunk.
func (g *group) bytes(v *view) uint32 { return g.seq.Layout().Capacity() * uint32(v.part.size) }

func inPages(bytes uint32) uint32 { return (bytes + chunk.Page - 1) / chunk.Page * chunk.Page }

// reads tells whether a system asks for a column in a group that does not own it, for
// reading. Its group is the one that owns the first whole component of its struct:
// only there room is kept for it.
func (s *system) reads(g *group, c *column) bool {
	return s.home != nil && s.home.group == g && !c.write && !c.optional && c.part.size > 0 && c.pool.group != g
}

// view returns the group's view of a column, if it has room for one.
func (g *group) view(c *column) *view {
	for _, v := range g.views {
		if v.pool == c.pool && v.part == c.part {
			return v
		}
	}
	return nil
}
