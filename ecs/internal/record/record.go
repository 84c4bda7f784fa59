// Package record notes the columns that systems touch, for profiles: a line per sequence that a system
// went over, not per chunk or row, so that it can stay on.
//
// # Words
//
// A visit is the work of one system in one group or table, summed over frames. A seen is the
// state of a group or table at the end of frames. Reads by handle are counted in some frames
// only, which are sampled. A table that is made again after it was dropped is the same one,
// because its name lists its components. A group that is declared again is the same one if it has the
// same components; otherwise the one before is forgotten.
package record

import (
	"slices"
	"sync"
	"time"
	"weak"

	"github.com/ashlar-go/ashlar/ecs/internal/match"
	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/memmgr/frames"
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/histogram"
)

// timeEvery is the default of Options.
const timeEvery = 16

// One run in lookEvery is looked at for columns that are never changed, from lookFirst on. It
// is not timed, and does not count as one of the timed runs.
const (
	lookEvery = frames.Many
	lookFirst = 11
)

// Options say how often runs are looked at.
type Options struct {
	// TimeEvery: one run of each system in so many is timed; 0 means 16, and more of the first fifteen, see timed.
	TimeEvery int
	// Clock times runs; nil: time.Now.
	Clock func() time.Time
	// Counts counts reads by handle; the zero value: they are not sampled.
	Counts Counts
}

// Recorder is the record of a world, by system and by sequence. Run and EndFrame change it, and Removed
// marks systems.
type Recorder struct {
	options Options
	early   bool // runs before the first of TimeEvery are timed, too
	base    *walk.Base
	frames  uint64
	systems []*noted          // in the order in which they ran first
	removed map[string]bool   // names of removed ones among them
	queries map[string]*noted // queries, by name
	asking  sync.Mutex        // held while queries change
	known   []*seen           // groups and tables, each kind by its first frame; they stay once they had rows
	named   map[string]*seen  // the same
	version uint64            // the store's, when they were looked for

	sampling bool  // in this frame reads by handle are counted
	between  looks // by the program, before, between and after systems
}

// noted is the record of one system, or of queries of one type. Recorder.Run changes that of a
// system. Removed is set once, and then nothing else changes.
type noted struct {
	name    string
	number  int // the system's; noSystem: queries
	plan    *walk.Plan
	cursors []weak.Pointer[walk.Cursor] // that visit: a system has one
	store   *store.Store
	frames  uint64
	times   histogram.Histogram
	visits  []visit
	next    int            // the visit that comes next, if it is the same walk as in the last frame
	places  map[string]int // in visits, by group

	matched, tested uint64 // rows, of all visits

	looked  uint64 // runs in which it was looked whether columns are changed
	changed []bool // by column
	settled bool   // all that are declared to be written have been

	looks looks

	removed bool
	choices []profile.Choice // of its views, when it was removed
}

// visit is the work of a system in one group or table, summed over frames.
type visit struct {
	seq          *memmgr.Sequence // nil: the table was dropped
	group        string
	comps        []*store.Component // that the system's columns stand for
	lies         []match.Extent     // by column
	rows, chunks uint64
}

// New returns a recorder that has noted nothing.
func New(b *walk.Base, o Options) *Recorder {
	early := o.TimeEvery <= 0
	if early {
		o.TimeEvery = timeEvery
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	return &Recorder{options: o, early: early, base: b, named: make(map[string]*seen), removed: make(map[string]bool), queries: make(map[string]*noted)}
}

// visit adds rows and chunks of a sequence that the system goes over, and how many rows were tested there.
func (n *noted) visit(s *memmgr.Sequence, rows, chunks, tested int) {
	n.matched, n.tested = n.matched+uint64(rows), n.tested+uint64(tested)
	if n.next >= len(n.visits) || n.visits[n.next].seq != s {
		n.next = n.place(s)
	}
	v := &n.visits[n.next]
	v.rows += uint64(rows)
	v.chunks += uint64(chunks)
	n.next++
}

// place is where visits of a sequence are noted. Visits of a dropped sequence go on there, if it
// had the same columns.
func (n *noted) place(s *memmgr.Sequence) int {
	place, seen := n.places[s.Name()]
	switch {
	case !seen:
		place = len(n.visits)
		n.visits = append(n.visits, n.first(s))
		if n.places == nil {
			n.places = make(map[string]int)
		}
		n.places[s.Name()] = place
	case n.visits[place].seq != s:
		v := &n.visits[place]
		if first := n.first(s); first.like(v) {
			v.seq = s
		} else {
			*v = first
		}
	}
	return place
}

// like tells whether another visit was of a sequence that had the same of the system's columns.
func (v *visit) like(w *visit) bool {
	has := func(x match.Extent) bool { return x == match.Every || x == match.Some }
	return slices.Equal(v.comps, w.comps) && slices.EqualFunc(v.lies, w.lies, func(a, b match.Extent) bool { return has(a) == has(b) })
}

// first is the first visit of a sequence. It notes its columns while they are there.
func (n *noted) first(s *memmgr.Sequence) visit {
	v := visit{seq: s, group: s.Name(), comps: n.plan.CompsIn(s)}
	t := n.store.TableOf(s)
	for j := range n.plan.Columns {
		v.lies = append(v.lies, match.ExtentOf(t, v.comps[j]))
	}
	return v
}

// tell has cursors report the rest of the sequences that they passed.
func (n *noted) tell() {
	n.next = 0
	n.cursors = slices.DeleteFunc(n.cursors, func(p weak.Pointer[walk.Cursor]) bool {
		c := p.Value()
		if c != nil {
			c.Tell()
		}
		return c == nil
	})
}

// forget lets go of the sequences of tables that were dropped.
func (n *noted) forget() {
	for i := range n.visits {
		if v := &n.visits[i]; v.seq != nil && n.store.TableOf(v.seq) == nil {
			v.seq = nil
		}
	}
}

// Run carries out a system of the frame, and times it if that is due.
func (r *Recorder) Run(x *schedule.System) {
	n := r.notedOf(x)
	n.next = 0
	if r.sampling {
		r.sample(x, n)
	} else {
		r.time(x, n)
	}
}

// Recording is the recorder for a schedule.
func (r *Recorder) Recording() *schedule.Recording {
	return &schedule.Recording{Run: r.Run, Beside: r.beside, Ran: r.ran, Clock: r.options.Clock}
}

// timed tells whether a run of a system is timed: one of TimeEvery. By default runs 2, 4 and 8 are timed, too, so
// that short recordings have times. The first run makes tables and scratch.
func (r *Recorder) timed(run uint64) bool {
	early := r.early && run > 1 && run < timeEvery && run&(run-1) == 0
	return early || run%uint64(r.options.TimeEvery) == 0
}

// beside is schedule.Recording.Beside. A system runs by itself where reads by handle are counted, and where it is looked
// whether columns are changed.
func (r *Recorder) beside(x *schedule.System) (may, timed bool) {
	n := r.notedOf(x)
	n.next = 0
	next := n.frames + 1
	return !r.sampling && (n.settled || next%lookEvery != lookFirst), r.timed(next)
}

// ran is schedule.Recording.Ran.
func (r *Recorder) ran(x *schedule.System, took time.Duration) {
	n := r.notedOf(x)
	if n.frames++; r.timed(n.frames) {
		n.times.Add(took)
	}
}

// Usual is the median time of a system's runs; 0 if none was timed.
func (r *Recorder) Usual(x *schedule.System) time.Duration {
	n, _ := x.Noted.(*noted)
	if n == nil {
		return 0
	}
	timed, t := n.times.Times()
	if timed == 0 {
		return 0
	}
	return max(t.P50, 1)
}

// notedOf is the record of a system, which begins here.
func (r *Recorder) notedOf(x *schedule.System) *noted {
	if n, _ := x.Noted.(*noted); n != nil {
		return n
	}
	return r.note(x)
}

// note begins to note a system. The record of a removed one of the same name is
// forgotten.
func (r *Recorder) note(x *schedule.System) *noted {
	if r.removed[x.Name] {
		delete(r.removed, x.Name)
		r.systems = slices.DeleteFunc(r.systems, func(n *noted) bool { return n.removed && n.name == x.Name })
	}
	n := &noted{name: x.Name, number: x.Number, plan: x.Plan, cursors: []weak.Pointer[walk.Cursor]{weak.Make(x.Cursor)}, store: r.base.Store, changed: make([]bool, len(x.Columns))}
	n.settle()
	x.Noted, x.Visit = n, n.visit
	r.systems = append(r.systems, n)
	return n
}

// Query begins to note a query outside of a system's own rows. Queries of one name are one. Workers may call it, and walk
// the cursors at the same time.
func (r *Recorder) Query(c *walk.Cursor, name string) {
	r.asking.Lock()
	defer r.asking.Unlock()
	n := r.queries[name]
	if n == nil {
		n = &noted{name: name, number: noSystem, plan: c.Plan, store: r.base.Store, changed: make([]bool, len(c.Columns)), settled: true}
		r.queries[name] = n
	}
	if len(n.cursors) == cap(n.cursors) {
		n.cursors = slices.DeleteFunc(n.cursors, func(p weak.Pointer[walk.Cursor]) bool { return p.Value() == nil })
	}
	n.cursors = append(n.cursors, weak.Make(c))
	c.Visit = func(s *memmgr.Sequence, rows, chunks, tested int) {
		r.asking.Lock()
		defer r.asking.Unlock()
		n.visit(s, rows, chunks, tested)
	}
}

// noSystem is the number of queries.
const noSystem = -1

// Removed keeps the record of a system that is removed, with the strategies of its views.
func (r *Recorder) Removed(x *schedule.System, choices []profile.Choice) {
	if n, _ := x.Noted.(*noted); n != nil {
		n.tell() // its cursor may go
		n.removed, n.choices = true, choices
		r.removed[x.Name] = true
	}
}

// time is a run that is timed if that is due.
func (r *Recorder) time(x *schedule.System, n *noted) {
	n.frames++
	if !n.settled && n.frames%lookEvery == lookFirst {
		n.look(x)
		return
	}
	if !r.timed(n.frames) {
		x.Walk()
		return
	}
	start := r.options.Clock()
	x.Walk()
	n.times.Add(r.options.Clock().Sub(start))
}

// look is a run in which it is looked whether columns that are declared to be written are
// changed, until all have been once.
func (n *noted) look(x *schedule.System) {
	met := false
	x.Witness(func(column int, changed bool) {
		met = true
		n.changed[column] = n.changed[column] || changed
	})
	if met {
		n.looked++
	}
	n.settle()
}

// settle notes whether there is a column left to look at.
func (n *noted) settle() {
	n.settled = true
	for j := range n.plan.Columns {
		n.settled = n.settled && (n.changed[j] || !n.plan.Columns[j].Write)
	}
}
