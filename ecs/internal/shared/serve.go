package shared

import (
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr/frames"
	"github.com/ashlar-go/ashlar/views"
)

// served is what a reader knows of a group that it gathers columns for.
type served struct {
	reader  *Reader
	group   *group
	serving source.Serving
	laid    int       // group.laid then
	looked  uint64    // frame in which order is looked at next
	walk    uint64    // the walk under way, among all walks
	start   time.Time // of that walk, if the choices want to know
	cols    []column
	wheres  []*where // by the reader's column; nil: no other reader shares them
	open    bool     // some choice is on trial, or of what does not apply any more
	walked  uint64   // tick of the last walk

	// Since the choices went on last: walks that had rows, and those and chunks of theirs.
	walks, rows, chunks int
}

// column is one column of such a group.
type column struct {
	at     int // of the reader's
	view   *view
	choice views.Choice
	direct bool          // it is a whole component, whose rows lie in the owner's order as far as was looked
	order  float64       // share of rows that follow the one before in the owner's chunks
	built  time.Duration // of the walk under way, if that is timed
	stale  int           // chunks that were not good, of those walked since the choices went on
	owner  change        // of what the view is gathered from
	tally  tally
}

// serve returns what is known of a table; nil if no view has room there, or if the rows
// are no group's.
func (r *Reader) serve(t *store.Table) *source.Serving {
	o := t.Owner()
	if o == nil || o.Main != t || r.v.o.Mode == Off || r.Pointers {
		return nil
	}
	g := r.v.of[o]
	i := slices.IndexFunc(r.served, func(s *served) bool { return s.group == g })
	if i < 0 {
		i = len(r.served)
		s := &served{reader: r, group: g, laid: -1}
		s.serving = source.Serving{Begin: s.begin, Again: s.again, End: s.end, Look: s.look, Direct: s.isDirect, Kept: s.kept, Where: s.where}
		r.served = append(r.served, s)
	}
	s := r.served[i]
	if s.laid != g.laid {
		s.bind()
	}
	if len(s.cols) == 0 && !slices.ContainsFunc(s.wheres, func(w *where) bool { return w != nil }) {
		return nil
	}
	return &s.serving
}

// bind finds the views of the reader's columns, and what it shares with other readers.
func (s *served) bind() {
	r, g, was := s.reader, s.group, s.cols
	s.laid, s.cols, s.wheres = g.laid, nil, make([]*where, len(r.Columns))
	g.countAsks()
	for j := range r.Columns {
		x := &r.Columns[j]
		if x.Comp.Owner() == g.owner {
			continue
		}
		if w := g.whereOf(x.Comp); w.asks > 1 {
			s.wheres[j] = w
		}
		if v := g.view(x); v != nil && !x.Write && !x.Optional {
			k := slices.IndexFunc(was, func(o column) bool { return o.at == j && o.view == v })
			if k < 0 {
				was, k = append(was, r.begin(g, j, v)), len(was)
			}
			s.cols = append(s.cols, was[k])
		}
	}
	s.open = true // until they have been looked at
}

// begin is the j-th column with its first choice: what intent asks for, or what was used
// at the end of the run that the loaded profile is of.
func (r *Reader) begin(g *group, j int, v *view) column {
	x := &r.Columns[j]
	applies := views.SetOf(views.Gathered, views.Cached)
	intent, recorded, costs := r.v.o.Begin(r.Name, g.owner.Name, x.Shared())
	if recorded == views.Direct && x.Whole() && len(r.Presences) == 0 {
		applies |= views.SetOf(views.Direct) // until the rows are looked at
	}
	if r.v.o.Mode == On {
		intent = views.Cached
	}
	choice := views.Start(recorded, intent, applies)
	return column{at: j, view: v, choice: choice, tally: tally{costs: costs, settled: settledOf(choice)}}
}

// by is the reader's j-th column if it is got by a strategy; nil if it is not.
func (s *served) by(j int, use views.Strategy) *column {
	for k := range s.cols {
		if c := &s.cols[k]; c.at == j && c.choice.Use() == use {
			return c
		}
	}
	return nil
}

func (s *served) isDirect(j int) bool { return s.by(j, views.Direct) != nil }

// applies is what can be used for the column.
func (c *column) applies() views.Set {
	set := views.SetOf(views.Gathered, views.Cached)
	if c.direct {
		set |= views.SetOf(views.Direct)
	}
	return set
}

// lookEvery is the number of frames between looks at whether rows lie in the owner's
// order.
const lookEvery = frames.Many

// look samples the order of the first chunk's rows now and then.
func (s *served) look(es []store.Entity) {
	frame := s.reader.v.base.Frame
	if frame < s.looked {
		return
	}
	for i := range s.cols {
		c := &s.cols[i]
		x := &s.reader.Columns[c.at]
		n, long := source.Along(x.Comp, es)
		c.order = max(float64(len(es)-max(n, 1)), 0) / float64(max(len(es)-1, 1))
		c.direct = x.Whole() && len(s.reader.Presences) == 0 && n > 0 && long
		s.open = s.open || !c.applies().Has(c.choice.Use())
	}
	s.looked = frame + lookEvery
}

// begin readies for a walk.
func (s *served) begin() {
	v := s.reader.v
	v.walks++
	s.walk, s.start = v.walks, time.Time{}
	s.reader.frame = v.base.Frame
	if !s.open && !s.looks() {
		return
	}
	for i := range s.cols {
		s.cols[i].built = 0
	}
	s.start = time.Now()
}

// again has views and places be looked at anew within the walk: values were written.
func (s *served) again() {
	s.reader.v.walks++
	s.walk = s.reader.v.walks
}

// end tells the choices how a walk went.
func (s *served) end(rows, chunks int) {
	var took time.Duration
	if !s.start.IsZero() {
		took = time.Since(s.start)
	}
	s.judge(rows, chunks, took)
}

// judge has the choices go on. While none is on trial it does so once in some frames, each
// reader in frames of its own: a walk between them costs a few additions.
func (s *served) judge(rows, chunks int, took time.Duration) {
	b := s.reader.v.base
	since := s.walked
	s.walked = b.M.Tick()
	if rows > 0 {
		s.walks, s.rows, s.chunks = s.walks+1, s.rows+rows, s.chunks+chunks
	}
	if !s.open && !s.looks() {
		return
	}
	mean, walks := s.rows/max(s.walks, 1), s.walks
	s.count()
	trying := s.trying()
	scale := func(d time.Duration) time.Duration { return d * time.Duration(mean) / time.Duration(max(rows, 1)) }
	for i := range s.cols {
		c := &s.cols[i]
		if trying >= 0 && i != trying {
			continue // one at a time, so that it is known which made the difference
		}
		told := mean
		if since > 0 {
			c.owner.look(b, c.view.comp, s.group.seq, since)
		} else {
			told = 0 // what changes from walk to walk is not known yet
		}
		was := c.choice
		f := views.Frame{
			Took: scale(took), Build: scale(c.built), Rows: told, Walks: walks, Readers: c.view.sharers(s),
			Stale: c.owner.share, Moved: c.owner.moved, Order: c.order, Applies: c.applies(),
		}
		if was.Trying() {
			c.view.stats.Trials++
		}
		if c.choice = was.Next(f); c.choice.Trying() && !was.Trying() {
			s.looked = 0 // what the trial comes to goes for the order that there is then
		}
		c.tally.settle(was, c.choice, c.applies())
	}
	s.open = s.trying() >= 0
}

// count adds the walks since it was called last to what is told of the choices.
func (s *served) count() {
	for i := range s.cols {
		c := &s.cols[i]
		c.tally.walked(c.choice.Use(), s.walks, s.chunks, c.stale)
		c.stale = 0
	}
	s.walks, s.rows, s.chunks = 0, 0, 0
}

// looks tells whether the reader looks at its workload in this frame. A look costs as much as
// some hundred rows, so readers with few rows look seldom.
func (s *served) looks() bool {
	every := uint64(LookEvery)
	if s.group.seq.Len() < fewRows {
		every = frames.Many
	}
	return (s.reader.v.base.Frame+uint64(s.reader.number))%every == 0
}

const fewRows = 1024

// trying is the column whose choice is on trial, the first of them; -1 if there is none.
func (s *served) trying() int {
	for i := range s.cols {
		if s.cols[i].choice.Trying() {
			return i
		}
	}
	return -1
}

// stretch is the readers up to one that writes a view's owner, and behind the one before.
type stretch struct {
	last    int // reader
	readers int // columns that the view is for
}

// sharers is how many columns can use what one of them builds of a view in a frame: those
// of its stretch, of readers that run. Readers are gone over once in a frame at most, and
// once in some frames without trials, for all columns at once.
func (v *view) sharers(s *served) int {
	all := s.reader.v
	age := uint64(LookEvery)
	if s.trying() >= 0 {
		age = 1
	}
	if n := all.made; v.counted != n || v.countedIn+age <= all.base.Frame {
		v.counted, v.countedIn = n, all.base.Frame
		v.stretches = all.stretches(v.stretches[:0], s.group, v)
	}
	i, _ := slices.BinarySearchFunc(v.stretches, s.reader.number, func(t stretch, number int) int { return t.last - number })
	return v.stretches[i].readers
}

// stretches appends those of the users of a view's component.
func (all *Views) stretches(list []stretch, g *group, v *view) []stretch {
	n := 0
	for _, r := range all.users[v.comp].All() {
		if r.home != nil && r.frame+1 < all.base.Frame && r.home.Owner() == g.owner {
			continue // it rests
		}
		for j := range r.Columns {
			if x := &r.Columns[j]; x.Comp == v.comp && x.Part == v.part && r.reads(g, x) {
				n++
			}
		}
		if r.Writes(v.comp) {
			list, n = append(list, stretch{r.number, n}), 0
		}
	}
	return append(list, stretch{all.made, n})
}
