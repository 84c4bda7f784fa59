package ecs

import (
	"runtime"
	"time"

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
	groups  []seen
	known   map[*memmgr.Sequence]bool // those in groups
	blind   bool                      // the machine has no counters
}

// noted is what one system did.
type noted struct {
	system *system
	frames uint64
	timed  uint64
	time   time.Duration
	misses profile.Misses
	visits []visit
	next   int                      // the visit that comes next, if it is the same walk as in the last frame
	places map[*memmgr.Sequence]int // in visits
}

// visit is what a system did in one sequence, summed over frames.
type visit struct {
	seq          *memmgr.Sequence
	rows, chunks uint64
}

// seen is how a sequence was at the end of frames.
type seen struct {
	seq                      *memmgr.Sequence
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
	return &recorder{o: o, known: make(map[*memmgr.Sequence]bool)}
}

// visit adds rows and chunks of a sequence that the system goes over.
func (n *noted) visit(s *memmgr.Sequence, rows, chunks int) {
	if n.next >= len(n.visits) || n.visits[n.next].seq != s {
		place, seen := n.places[s]
		if !seen {
			place = len(n.visits)
			n.visits = append(n.visits, visit{seq: s})
			if n.places == nil {
				n.places = make(map[*memmgr.Sequence]int)
			}
			n.places[s] = place
		}
		n.next = place
	}
	v := &n.visits[n.next]
	v.rows += uint64(rows)
	v.chunks += uint64(chunks)
	n.next++
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
	for i := range r.groups {
		g := &r.groups[i]
		g.last = uint64(g.seq.Len())
		g.rows += g.last
		g.chunks += uint64(g.seq.ChunkCount())
		g.peak = max(g.peak, g.last)
	}
}

// find begins to look at sequences that were made since the last frame: groups',
// then pools' loose rows, each in the order in which they were made.
func (r *recorder) find(w *World) {
	n := len(w.groups)
	for _, p := range w.pools {
		if p.loose != nil {
			n++
		}
	}
	if n == len(r.groups) {
		return
	}
	add := func(s *memmgr.Sequence, owns ...string) {
		if s != nil && !r.known[s] {
			r.known[s] = true
			r.groups = append(r.groups, seen{seq: s, owns: owns})
		}
	}
	for _, g := range w.groups {
		add(g.seq, g.owns()...)
	}
	for _, p := range w.pools {
		add(p.loose, p.name)
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
// handle is not in it, nor are queries outside of systems.
func (w *World) Facts() profile.Profile {
	r := w.made("Facts").rec
	if r == nil {
		return profile.Profile{}
	}
	p := profile.Profile{Frames: r.frames, Components: w.components()}
	for _, g := range r.groups {
		p.Groups = append(p.Groups, profile.Group{Name: g.seq.Name(), Owns: g.owns, Rows: g.rows, Chunks: g.chunks, Peak: g.peak, Last: g.last})
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
// order, the others were reached through the sparse index. Accesses of one kind are
// summed up.
func (n *noted) access() (list []profile.Access) {
	over := make(map[*memmgr.Sequence][]column, len(n.system.over))
	for i := range n.system.over {
		over[n.system.over[i].seq] = n.system.over[i].columns
	}
	type kind struct {
		group, component string
		write, scattered bool
	}
	places := make(map[kind]int)
	for _, v := range n.visits {
		if v.rows == 0 {
			continue
		}
		columns := n.system.columns
		if own, is := over[v.seq]; is {
			columns = own
		}
		for i := range columns {
			c := &columns[i]
			a := profile.Access{Group: v.seq.Name(), Component: c.pool.name, Write: c.write}
			if !c.inPlace(v.seq) {
				a.Group, a.Scattered = c.pool.home(), true
			}
			k := kind{a.Group, a.Component, a.Write, a.Scattered}
			if _, seen := places[k]; !seen {
				places[k] = len(list)
				list = append(list, a)
			}
			sum := &list[places[k]]
			sum.Rows += v.rows
			sum.Chunks += v.chunks
			sum.Bytes += v.rows * uint64(c.pool.size)
		}
	}
	return list
}

// home is the name of the sequence that most values of a component are in: the
// owner's, or that of the loose rows.
func (p *pool) home() string {
	if p.group != nil {
		return p.group.name
	}
	return profile.LoosePrefix + p.name
}

// Map returns where the world's chunks lie now, and how often they are used if that
// is recorded: the bytes that systems asked for of a group, shared out by rows.
func (w *World) Map() profile.Map {
	m := w.made("Map").m.Map()
	m.Frame = w.frame
	m.SetHeat(w.Facts())
	return m
}
