package ecs

import (
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/views"
)

// A view is a field of a component, or the whole of it, gathered for the rows of
// another group into the cache regions of that group's chunks:
//
//	chunk of group "sprites"          owner's chunks
//	┌──────────┬───────┬───────────┐
//	│ entities │ Tint… │ Pos Pos … │ ←── transform.Position, row by row
//	└──────────┴───────┴───────────┘
//	  columns            cache region
//
// Systems that ask for the same share it. Room for it is kept when a group gets its
// first row, for what systems have asked for by then; what is asked for later goes to an
// annex of each chunk. What has no room in either is streamed: gathered into scratch for
// each call.
type view struct {
	pool    *pool
	part    part
	offset  uint32 // in the cache region, or in the annex
	late    bool   // asked for when the group had rows: it is in the annex
	readers int    // systems that ask for it
	chunks  []viewChunk
	stamps  views.Stamps
	changes views.Changes
	found   uint64 // tick of changes
	since   uint64 // tick of the last walk
	frame   uint64 // in which it was last kept
	stats   ViewStats
}

// viewChunk is the view's values for one chunk, and what has to hold for them to be good.
type viewChunk struct {
	id     chunk.ID
	gen    uint32
	mark   views.Mark
	places []views.Place
}

// Views says how systems get components that their groups do not own.
type Views uint8

const (
	// ViewsAuto tries for each system, group and component whether it pays to keep a
	// view, and goes by that.
	ViewsAuto Views = iota
	// ViewsOff keeps none: what a group does not own is gathered for each call.
	ViewsOff
	// ViewsOn keeps a view wherever there is room.
	ViewsOn
)

// ViewStats is what is known of a view.
type ViewStats struct {
	Group, Component, Field string
	Readers                 int    // systems that ask for it
	Built                   uint64 // chunks gathered as a whole
	Refreshed               uint64 // chunks of which the rows that may have changed were gathered
	Reused                  uint64 // chunks that were good as they were
	Bytes                   uint64 // gathered
	Kept                    bool   // some system used it lately
	Dropped                 uint64 // bytes of cache regions given back; a group's first view has those of all
	Retained                uint64 // bytes of cache regions that nobody uses, and that could not be: in huge pages, or on the Go heap
}

// viewMost is the largest part of a chunk that is kept free for views.
const viewMost = chunk.Bytes / 4 * 3

// layViews makes room for the views that systems ask for in a group that holds no
// chunks, and counts who reads what. Without room for all, the first ones get it.
func (w *World) layViews(g *group) {
	switch {
	case w.options.Views == ViewsOff:
	case g.seq.Busy():
		w.findLateRoom(g)
	default:
		w.findRoom(g)
	}
	for _, v := range g.views {
		v.readers = 0
	}
	w.asked(g, func(c *column) {
		if v := g.view(c); v != nil {
			v.readers++
		}
	})
}

// asked calls f with each column that some system may have to gather for a group.
func (w *World) asked(g *group, f func(*column)) {
	for _, s := range w.systems {
		for i := range s.columns {
			if c := &s.columns[i]; s.reads(g, c) {
				f(c)
			}
		}
	}
}

func (w *World) findRoom(g *group) {
	g.views = nil
	g.laid++
	bytes := uint32(0)
	w.asked(g, func(c *column) {
		if g.view(c) == nil {
			v := &view{pool: c.pool, part: c.part}
			v.stats = ViewStats{Group: g.name, Component: c.pool.name, Field: c.part.path}
			g.views = append(g.views, v)
			bytes += uint32(v.part.size)
		}
	})
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

// findLateRoom gives views that were asked for late room in the annexes.
func (w *World) findLateRoom(g *group) {
	at, rows := uint32(0), g.seq.Layout().Capacity()
	for _, v := range g.views {
		if v.late {
			at = max(at, v.offset+inPages(rows*uint32(v.part.size)))
		}
	}
	w.asked(g, func(c *column) {
		size := inPages(rows * uint32(c.part.size))
		if g.view(c) != nil || at+size > chunk.Bytes {
			return
		}
		v := &view{pool: c.pool, part: c.part, offset: at, late: true}
		v.stats = ViewStats{Group: g.name, Component: c.pool.name, Field: c.part.path}
		g.views = append(g.views, v)
		g.laid++
		at += size
	})
}

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
	at, rows := uint32(0), g.seq.Layout().Capacity()
	for _, v := range g.views {
		v.offset = at
		at += (rows*uint32(v.part.size) + chunk.Line - 1) / chunk.Line * chunk.Line
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
		if v.pool == c.pool && v.part == c.part {
			return v
		}
	}
	return nil
}

// served is what a system knows of a group that it gathers columns for.
type served struct {
	query  *query
	group  *group
	laid   int    // group.laid then
	looked uint64 // frame in which order is looked at next
	cols   []servedColumn
}

// servedColumn is one column of such a group.
type servedColumn struct {
	column int // of the query
	view   *view
	choice views.Choice
	alias  bool          // it is a whole component, whose rows lie in the owner's order as far as was looked
	order  float64       // share of rows that follow the one before in the owner's chunks
	built  time.Duration // of the walk under way
	stale  int           // chunks that were not good, of those walked
	owner  change        // of what the view is gathered from
	tally  tally
}

// serve returns what the query knows of a group, nil if no view has room there, as
// in loose rows.
func (q *query) serve(g *group) *served {
	if g == nil || q.w.options.Views == ViewsOff || q.pointers {
		return nil
	}
	i := slices.IndexFunc(q.served, func(s *served) bool { return s.group == g })
	if i < 0 {
		i = len(q.served)
		q.served = append(q.served, &served{query: q, group: g, laid: -1})
	}
	s := q.served[i]
	if s.laid != s.group.laid {
		was := s.cols
		s.laid, s.cols = s.group.laid, nil
		for j := range q.columns {
			c := &q.columns[j]
			if v := s.group.view(c); v != nil && !c.write && !c.optional && !c.inPlace(g.seq) {
				k := slices.IndexFunc(was, func(o servedColumn) bool { return o.column == j && o.view == v })
				if k < 0 {
					was, k = append(was, q.start(s.group, j, v)), len(was)
				}
				s.cols = append(s.cols, was[k])
			}
		}
	}
	if len(s.cols) == 0 {
		return nil
	}
	return s
}

// start is the j-th column with its first choice: what intent asks for, or what was
// used at the end of the run that the loaded profile is of.
func (q *query) start(g *group, j int, v *view) servedColumn {
	c := &q.columns[j]
	applies := views.SetOf(views.Stream, views.Keep)
	noted, recorded := q.w.chosen(q.name, g, c)
	if recorded == views.Alias && c.whole() && len(q.presences) == 0 {
		applies |= views.SetOf(views.Alias) // until the rows are looked at
	}
	intent := q.w.intended(q.name, c)
	if q.w.options.Views == ViewsOn {
		intent = views.Keep
	}
	choice := views.Start(recorded, intent, applies)
	return servedColumn{column: j, view: v, choice: choice, tally: tally{costs: noted, settled: settledOf(choice)}}
}

// intended is the strategy that the loaded profile asks for.
func (w *World) intended(system string, c *column) views.Strategy {
	name := c.shared()
	i := slices.IndexFunc(w.loaded.Profile.Intent.Views, func(v profile.View) bool { return v.System == system && v.Component == name })
	if i < 0 {
		return views.Unset
	}
	s, err := views.StrategyOf(w.loaded.Profile.Intent.Views[i].Choice)
	if err != nil {
		return views.Unset // the reader of profiles has refused it
	}
	return s
}

// applies is what can be used for the column.
func (c *servedColumn) applies() views.Set {
	if c.alias {
		return views.SetOf(views.Alias, views.Stream, views.Keep)
	}
	return views.SetOf(views.Stream, views.Keep)
}

// orderEvery is the number of frames between looks at whether rows lie in the owner's
// order.
const orderEvery = 64

// look samples the order of the first chunk's rows.
func (q *query) look(s *served, handles []Entity) {
	for i := range s.cols {
		c := &s.cols[i]
		column := &q.columns[c.column]
		n := column.runs(handles)
		c.order = max(float64(len(handles)-max(n, 1)), 0) / float64(max(len(handles)-1, 1))
		c.alias = column.whole() && len(q.presences) == 0 && n > 0 && n <= 1+len(handles)/aliasRun
	}
	s.looked = q.w.frame + orderEvery
}

// begin readies for a walk, and returns when it began if the choices want to know.
func (s *served) begin() (start time.Time) {
	if s == nil {
		return start
	}
	trying := false
	for i := range s.cols {
		c := &s.cols[i]
		c.built, c.stale = 0, 0
		trying = trying || c.choice.Trying()
	}
	if trying {
		start = time.Now()
	}
	return start
}

// end tells the choices how a walk went.
func (s *served) end(w *World, rows, chunks int, start time.Time) {
	if s == nil {
		return
	}
	var took time.Duration
	if !start.IsZero() {
		took = time.Since(start)
	}
	s.judge(w, rows, chunks, took)
}

// judge tells the choices how a walk went.
func (s *served) judge(w *World, rows, chunks int, took time.Duration) {
	trying := slices.IndexFunc(s.cols, func(c servedColumn) bool { return c.choice.Trying() })
	for i := range s.cols {
		c := &s.cols[i]
		c.owner.look(w, c.view.pool)
		c.tally.walk(c.choice.Use(), rows, chunks, c.stale)
		if trying >= 0 && i != trying {
			continue // one at a time, or nobody would know which made the difference
		}
		was := c.choice
		c.choice = was.Next(views.Frame{
			Took: took, Build: c.built, Readers: w.sharers(s, c.view), Rows: rows,
			Stale: c.owner.share, Order: c.order, Applies: c.applies(),
		})
		c.tally.settle(was, c.choice, c.applies())
	}
}

// sharers is how many systems can use what one of them builds of a view in a frame:
// those that ask for it with no system between them that writes the owner.
func (w *World) sharers(s *served, v *view) int {
	at := slices.IndexFunc(w.systems, func(x *system) bool { return x.query == s.query })
	n := 0
	for i, x := range w.systems {
		if i < at && x.writes(v.pool) {
			n = 0
		}
		if i > at && x.writes(v.pool) {
			break
		}
		for j := range x.columns {
			if c := &x.columns[j]; x.reads(s.group, c) && s.group.view(c) == v {
				n++
			}
		}
	}
	return n
}

// writes tells whether a system declares that it writes a component, or a field of it.
func (s *system) writes(p *pool) bool {
	return slices.ContainsFunc(s.columns, func(c column) bool { return c.write && c.pool == p })
}

// ViewStats returns what is known of the views that systems have asked for.
func (w *World) ViewStats() (list []ViewStats) {
	for _, g := range w.groups {
		for _, v := range g.views {
			st := v.stats
			st.Readers, st.Kept = v.readers, v.frame+viewIdle > w.frame && v.since > 0
			list = append(list, st)
		}
	}
	return list
}
