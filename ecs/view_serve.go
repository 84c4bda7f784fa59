package ecs

import (
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/views"
)

// served is what a system knows of a group that it gathers columns for.
type served struct {
	query  *query
	group  *group
	laid   int    // group.laid then
	looked uint64 // frame in which order is looked at next
	walk   uint64 // the walk under way, among all walks
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

// serve returns what the query knows of a group; nil if no view has room there, or if the
// rows are no group's.
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
			if v := s.group.view(c); v != nil && !c.write && !c.optional && c.pool.group != g {
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

// by is the query's j-th column if it is got by a strategy; nil if it is not.
func (s *served) by(j int, use views.Strategy) *servedColumn {
	for k := range s.cols {
		if c := &s.cols[k]; c.column == j && c.choice.Use() == use {
			return c
		}
	}
	return nil
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

// asking is a system that asks for a component, or for a field of one.
type asking struct{ system, component string }

// intend notes what the loaded profile asks for.
func (w *World) intend() {
	w.intents = make(map[asking]views.Strategy)
	for _, v := range w.loaded.Profile.Intent.Views {
		s, err := views.StrategyOf(v.Choice)
		if err != nil {
			s = views.Unset // the reader of profiles has refused it
		}
		if a := (asking{v.System, v.Component}); w.intents[a] == views.Unset {
			w.intents[a] = s
		}
	}
}

// intended is the strategy that the loaded profile asks for.
func (w *World) intended(system string, c *column) views.Strategy {
	if len(w.intents) == 0 {
		return views.Unset
	}
	return w.intents[asking{system, c.shared()}]
}

// applies is what can be used for the column.
func (c *servedColumn) applies() views.Set {
	set := views.SetOf(views.Stream, views.Keep)
	if c.alias {
		set |= views.SetOf(views.Alias)
	}
	return set
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
	s.query.w.walks++
	s.walk = s.query.w.walks
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
		f := views.Frame{
			Took: took, Build: c.built, Rows: rows,
			Stale: c.owner.share, Order: c.order, Applies: c.applies(),
		}
		if was.Trying() {
			f.Readers = c.view.sharers(s)
		}
		c.choice = was.Next(f)
		c.tally.settle(was, c.choice, c.applies())
	}
}

// stretch is the systems up to one that writes a view's owner, and behind the one before.
type stretch struct {
	last    int // system
	readers int // columns that the view is for
}

// sharers is how many columns can use what one of them builds of a view in a frame: those
// of its stretch. Systems are gone over when some have come, for all columns at once.
func (v *view) sharers(s *served) int {
	if systems := len(s.query.w.systems); v.counted != systems {
		v.counted, v.stretches = systems, nil
		n := 0
		for _, x := range v.pool.users {
			for j := range x.columns {
				if c := &x.columns[j]; c.pool == v.pool && c.part == v.part && x.reads(s.group, c) {
					n++
				}
			}
			if x.writes(v.pool) {
				v.stretches, n = append(v.stretches, stretch{x.number, n}), 0
			}
		}
		v.stretches = append(v.stretches, stretch{systems, n})
	}
	i, _ := slices.BinarySearchFunc(v.stretches, s.query.number, func(t stretch, number int) int { return t.last - number })
	return v.stretches[i].readers
}

// writes tells whether a system declares that it writes a component, or a field of it.
func (s *system) writes(p *pool) bool {
	return slices.ContainsFunc(s.columns, func(c column) bool { return c.write && c.pool == p })
}
