package ecs

import (
	"cmp"
	"runtime"
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/counters"
)

// Recording says whether and how a world notes what its systems touch. What is
// noted of a system's run is a line per sequence that it went over, not per chunk or
// row, so that it can stay on.
type Recording struct {
	// On begins to note with the first frame. See World.Facts.
	On bool
	// TimeEvery: one run of each system in so many is timed; 0 means 16.
	TimeEvery int
	// CountEvery: one run of each system in so many is counted, where the machine has
	// counters of cache and TLB misses; 0 means 256.
	CountEvery int
}

const (
	timeEvery  = 16
	countEvery = 256
)

// recorder is what a world that records notes, by system and by sequence.
type recorder struct {
	o       Recording
	frames  uint64
	systems []*noted
	groups  []*seen
	tables  []*seen          // by their first frame; they have their place for good once they had rows
	named   map[string]*seen // those in tables
	version uint64           // the store's, when they were looked for
	blind   bool             // the machine has no counters
}

// noted is what one system did.
type noted struct {
	system *system
	frames uint64
	timed  uint64
	time   time.Duration
	misses profile.Misses
	visits []visit
	next   int            // the visit that comes next, if it is the same walk as in the last frame
	places map[string]int // in visits, by group
}

// visit is what a system did in one group or table, summed over frames. A table that is
// made again after it was dropped is the same one, since its name says what it has.
type visit struct {
	seq          *memmgr.Sequence // nil: the table was dropped
	group        string
	columns      []column
	scattered    []bool // by column: values were reached through the entities' words
	rows, chunks uint64
}

// seen is how a group or table was at the end of frames.
type seen struct {
	seq                      *memmgr.Sequence // nil: the table was dropped
	name                     string
	owns                     []string
	rows, chunks, peak, last uint64
}

func newRecorder(o Recording) *recorder {
	if o.TimeEvery <= 0 {
		o.TimeEvery = timeEvery
	}
	if o.CountEvery <= 0 {
		o.CountEvery = countEvery
	}
	return &recorder{o: o, named: make(map[string]*seen)}
}

// visit adds rows and chunks of a sequence that the system goes over.
func (n *noted) visit(s *memmgr.Sequence, rows, chunks int) {
	if n.next >= len(n.visits) || n.visits[n.next].seq != s {
		place, seen := n.places[s.Name()]
		if !seen {
			place = len(n.visits)
			n.visits = append(n.visits, n.first(s))
			if n.places == nil {
				n.places = make(map[string]int)
			}
			n.places[s.Name()] = place
		}
		n.visits[place].seq = s
		n.next = place
	}
	v := &n.visits[n.next]
	v.rows += uint64(rows)
	v.chunks += uint64(chunks)
	n.next++
}

// first is the first visit of a sequence: what is known of its columns while it is there.
func (n *noted) first(s *memmgr.Sequence) visit {
	v := visit{seq: s, group: s.Name(), columns: n.system.columns}
	for i := range n.system.over {
		if n.system.over[i].seq == s {
			v.columns = n.system.over[i].columns
		}
	}
	t := n.system.w.s.TableOf(s)
	for i := range v.columns {
		c := &v.columns[i]
		v.scattered = append(v.scattered, !c.whole() || lies(t, c.pool) == absent)
	}
	return v
}

// forget lets go of the sequences of tables that were dropped.
func (n *noted) forget(s *store.Store) {
	for i := range n.visits {
		if v := &n.visits[i]; v.seq != nil && s.TableOf(v.seq) == nil {
			v.seq = nil
		}
	}
}

// run carries out the i-th system of the frame, and times or counts it if that is due.
func (r *recorder) run(i int, s *system) {
	for len(r.systems) <= i {
		r.systems = append(r.systems, &noted{})
	}
	n := r.systems[i]
	n.system, s.noted, n.next = s, n, 0
	if first := n.frames%uint64(r.o.CountEvery) == 0; first && !r.blind {
		r.count(n)
	} else {
		r.time(n)
	}
}

// time is a run that is timed if that is due.
func (r *recorder) time(n *noted) {
	n.frames++
	if n.frames%uint64(r.o.TimeEvery) != 0 {
		n.system.each(n.system.into, n.system.call)
		return
	}
	start := time.Now()
	n.system.each(n.system.into, n.system.call)
	n.time += time.Since(start)
	n.timed++
}

// count is a run with the machine's counters; if there are none, it is the last try.
func (r *recorder) count(n *noted) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	g, err := counters.Open(counters.CacheMisses, counters.DTLBMisses)
	if r.blind = err != nil; r.blind {
		r.time(n)
		return
	}
	defer func() { r.blind = g.Close() != nil }()
	r.time(n)
	var counts [2]uint64
	if g.Read(counts[:]) == nil {
		n.misses.Runs++
		n.misses.Cache += counts[0]
		n.misses.TLB += counts[1]
	}
}

// endFrame notes how the world's sequences are.
func (r *recorder) endFrame(w *World) {
	r.frames++
	r.find(w)
	for _, g := range r.groups {
		g.endFrame()
	}
	for _, t := range r.tables {
		t.endFrame()
	}
}

func (g *seen) endFrame() {
	g.last = 0
	if g.seq == nil {
		return
	}
	g.last = uint64(g.seq.Len())
	g.rows += g.last
	g.chunks += uint64(g.seq.ChunkCount())
	g.peak = max(g.peak, g.last)
}

// find begins to look at groups and tables that were made since the last frame, and ends to
// look at those that were dropped. Of tables that never had rows nothing stays.
func (r *recorder) find(w *World) {
	version := w.s.Made() + w.s.Dropped + 1
	if r.version == version {
		return
	}
	r.version = version
	for _, g := range w.groups[len(r.groups):] {
		r.groups = append(r.groups, &seen{seq: g.seq, name: g.name, owns: g.owns()})
	}
	for _, t := range r.tables {
		t.seq = nil
	}
	var made []*store.Table
	for t := range w.s.Tables() {
		if o := t.Owner(); o != nil && o.Main == t {
			continue
		}
		if known := r.named[t.Seq.Name()]; known != nil {
			known.seq = t.Seq
		} else {
			made = append(made, t)
		}
	}
	slices.SortFunc(made, func(a, b *store.Table) int { return cmp.Compare(a.Made, b.Made) })
	for _, t := range made {
		s := &seen{seq: t.Seq, name: t.Seq.Name(), owns: t.Components()}
		r.named[s.name] = s
		r.tables = append(r.tables, s)
	}
	r.tables = slices.DeleteFunc(r.tables, func(t *seen) bool {
		gone := t.seq == nil && t.peak == 0
		if gone {
			delete(r.named, t.name)
		}
		return gone
	})
	for _, n := range r.systems {
		n.forget(w.s)
	}
}

// owns is the names of the owned components.
func (g *group) owns() []string {
	names := make([]string, len(g.pools))
	for i, p := range g.pools {
		names[i] = p.name
	}
	return names
}

// Facts returns what has been recorded: sums over the frames since the world was
// made. It is empty if Options.Record is off. What systems reach through a *Pool by
// handle is not in it, nor are queries outside of systems. Its groups are those declared,
// then the tables that had rows at a frame's end, in the order in which they were made;
// what is known of one that was dropped stays.
func (w *World) Facts() profile.Profile {
	r := w.made("Facts").rec
	if r == nil {
		return profile.Profile{}
	}
	p := profile.Profile{Frames: r.frames, Components: w.components(), Stored: w.stored()}
	for _, g := range r.groups {
		p.Groups = append(p.Groups, g.fact())
	}
	for _, t := range r.tables {
		if t.peak > 0 {
			p.Groups = append(p.Groups, t.fact())
		}
	}
	for _, n := range r.systems {
		p.Systems = append(p.Systems, profile.System{
			Name: n.system.name, Frames: n.frames, Timed: n.timed, Time: n.time, Misses: n.misses, Access: n.access(), Choices: n.choices(),
		})
	}
	for _, g := range w.groups {
		for _, v := range g.views {
			p.Shared = append(p.Shared, v.fact())
		}
	}
	return p
}

func (g *seen) fact() profile.Group {
	return profile.Group{Name: g.name, Owns: g.owns, Rows: g.rows, Chunks: g.chunks, Peak: g.peak, Last: g.last}
}

func (w *World) components() (cs []profile.Component) {
	for _, p := range w.pools {
		cs = append(cs, profile.Component{Name: p.name, Size: int(p.spec.Size), Align: int(p.spec.Align)})
	}
	return cs
}

// Shape is what the world has by now: what a profile has to be about to be of use.
func (w *World) Shape() profile.Shape {
	s := profile.Shape{Components: w.made("Shape").components()}
	for _, g := range w.groups {
		s.Groups = append(s.Groups, profile.GroupShape{Name: g.name, Owns: g.owns()})
	}
	for _, sys := range w.systems {
		s.Systems = append(s.Systems, sys.name)
	}
	return s
}

// access spells visits out by column: those that the sequence has were walked in
// order, the others were reached through the entities' words. Accesses of one kind are
// summed up.
func (n *noted) access() (list []profile.Access) {
	type kind struct {
		group, component string
		write, scattered bool
	}
	places := make(map[kind]int)
	for i := range n.visits {
		v := &n.visits[i]
		if v.rows == 0 {
			continue
		}
		for i := range v.columns {
			c := &v.columns[i]
			k := kind{v.group, c.pool.name, c.write, v.scattered[i]}
			if k.scattered {
				k.group = c.pool.home()
			}
			if _, seen := places[k]; !seen {
				places[k] = len(list)
				list = append(list, profile.Access{Group: k.group, Component: k.component, Write: k.write, Scattered: k.scattered})
			}
			sum := &list[places[k]]
			sum.Rows += v.rows
			sum.Chunks += v.chunks
			sum.Bytes += v.rows * uint64(c.pool.size)
		}
	}
	return list
}

// home is the name of what most values of a component are in: its group, or a table; the
// table of it alone while it has no values.
func (p *pool) home() string {
	if p.group != nil {
		return p.group.name
	}
	name, most := profile.TableName{Fixed: []string{p.name}}.String(), 0
	for _, t := range p.c.Tables() {
		if n := t.Count(&p.c); n > most {
			name, most = t.Seq.Name(), n
		}
	}
	return name
}

// Map returns where the world's chunks lie now, and how often they are used if that
// is recorded: the bytes that systems asked for of a group, shared out by rows.
func (w *World) Map() profile.Map {
	m := w.made("Map").m.Map()
	m.Frame = w.frame
	m.SetHeat(w.Facts())
	return m
}
