package record

import (
	"cmp"
	"maps"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
)

// seen is the state of a group or table at the end of frames. It is known by its name, as long as
// the group or table of that name has the same components. find and seeGroup set the sequence, endFrame changes the sums.
type seen struct {
	seq                      *memmgr.Sequence // nil: it was dropped
	name                     string
	owns                     []string
	owner                    *store.Owner // the group's; nil: it is a table
	rows, chunks, peak, last uint64
	grown                    []step // in the order of frames
}

// step is a size of a group: twice the one before or more, or half of it or less.
type step struct{ frame, rows uint64 }

// grownLeast is how many rows a group has at its peak, at least, if its growth is told.
const grownLeast = 1024

// EndFrame notes how sequences are; groups are the declared ones, in their order.
func (r *Recorder) EndFrame(groups []*store.Owner) {
	r.frames++
	r.find(groups)
	for _, g := range r.known {
		g.endFrame(r.frames)
	}
	r.endSample()
}

func (g *seen) endFrame(frame uint64) {
	g.last = 0
	if g.seq != nil {
		g.last = uint64(g.seq.Len())
		g.rows += g.last
		g.chunks += uint64(g.seq.ChunkCount())
		g.peak = max(g.peak, g.last)
	}
	if frame&(frame-1) != 0 {
		return
	}
	if was := g.size(); g.last != was && (g.last >= 2*was || 2*g.last <= was) {
		g.grown = append(g.grown, step{frame, g.last})
	}
}

// size is that of the last step.
func (g *seen) size() uint64 {
	if len(g.grown) == 0 {
		return 0
	}
	return g.grown[len(g.grown)-1].rows
}

// find begins to look at groups and tables that were made since the last frame, and ends to
// look at dropped ones. Nothing stays of one that never had rows.
func (r *Recorder) find(groups []*store.Owner) {
	st := r.base.S
	version := st.Made() + st.Dropped + 1
	if r.version == version {
		return
	}
	r.version = version
	for _, g := range r.known {
		g.seq = nil
	}
	for _, o := range groups {
		r.seeGroup(o)
	}
	var made []*store.Table
	for t := range st.Tables() {
		if o := t.Owner(); o != nil && o.Main == t {
			continue
		}
		if known := r.named[t.Seq.Name()]; known != nil && known.is(t) {
			known.seq = t.Seq
		} else {
			made = append(made, t)
		}
	}
	slices.SortFunc(made, func(a, b *store.Table) int { return cmp.Compare(a.Made, b.Made) })
	for _, t := range made {
		r.see(&seen{seq: t.Seq, name: t.Seq.Name(), owns: t.Components()})
	}
	r.forget(func(g *seen) bool { return g.seq == nil && g.peak == 0 })
	for _, n := range r.all() {
		n.tell()
		n.forget()
	}
}

// seeGroup looks at a group. Its components may have become more or fewer.
func (r *Recorder) seeGroup(o *store.Owner) {
	g := &seen{seq: o.Main.Seq, name: o.Name, owns: Owns(o), owner: o}
	known := r.named[g.name]
	if known == nil || known.owner == nil || known.owner != o && !slices.Equal(known.owns, g.owns) {
		r.see(g)
		return
	}
	known.seq, known.owns, known.owner = g.seq, g.owns, o
}

// is tells whether a table of the same name has the same components. The name says so, unless a
// group chose it.
func (g *seen) is(t *store.Table) bool {
	o := t.Owner()
	return g.owner == nil && (o == nil || o.Name == "" || slices.Equal(g.owns, t.Components()))
}

// see begins to look at a group or table. Others of its name are forgotten.
func (r *Recorder) see(g *seen) {
	if r.named[g.name] != nil {
		r.forget(func(known *seen) bool { return known.name == g.name })
	}
	r.named[g.name] = g
	r.known = append(r.known, g)
}

// forget forgets groups and tables.
func (r *Recorder) forget(gone func(*seen) bool) {
	r.known = slices.DeleteFunc(r.known, func(g *seen) bool {
		if !gone(g) {
			return false
		}
		delete(r.named, g.name)
		return true
	})
}

// Owns is the names of the components that a group owns.
func Owns(o *store.Owner) []string {
	names := make([]string, len(o.Comps()))
	for i, c := range o.Comps() {
		names[i] = c.Name
	}
	return names
}

// all are the records of systems, in their order, and behind these of queries.
func (r *Recorder) all() []*noted {
	systems := slices.SortedFunc(slices.Values(r.systems), func(a, b *noted) int { return a.number - b.number })
	return append(systems, slices.SortedFunc(maps.Values(r.queries), func(a, b *noted) int { return cmp.Compare(a.name, b.name) })...)
}

// Facts fills in the record: frames, groups and tables, systems and queries, and reads by handle. Choices returns
// the strategies of the views of a system, by its number.
func (r *Recorder) Facts(p *profile.Profile, choices func(number int) []profile.Choice) {
	p.Frames, p.Sampled = r.frames, r.between.runs
	for _, g := range r.known {
		if g.owner != nil {
			p.Groups = append(p.Groups, g.fact())
		}
		if g.peak >= grownLeast && len(g.grown) > 1 {
			for _, s := range g.grown {
				p.Growth = append(p.Growth, profile.Growth{Group: g.name, Frame: s.frame, Rows: s.rows})
			}
		}
	}
	for _, t := range r.known {
		if t.owner == nil && t.peak > 0 {
			p.Groups = append(p.Groups, t.fact())
		}
	}
	all := r.all()
	p.Lookups = r.lookups(all)
	for _, n := range all {
		n.tell()
		c, frames, access := n.choices, n.frames, n.access()
		switch {
		case n.number == noSystem && len(access) == 0:
			continue
		case n.number == noSystem:
			frames = r.frames
		case !n.removed:
			c = choices(n.number)
		}
		p.Systems = append(p.Systems, profile.System{
			Name: n.name, Frames: frames, Timed: n.times.Count(), Times: n.times.Times(), Access: access, Choices: c, Fields: n.fields(),
		})
	}
}

func (g *seen) fact() profile.Group {
	return profile.Group{Name: g.name, Owns: g.owns, Rows: g.rows, Chunks: g.chunks, Peak: g.peak, Last: g.last}
}

// Home is the name of the group or table with most values of a component; the
// table of it alone while it has no values.
func Home(c *store.Component) string {
	if o := c.Owner(); o.Name != "" {
		return o.Name
	}
	name, most := profile.TableName{Fixed: []string{c.Name}}.String(), 0
	for _, t := range c.Tables() {
		if n := t.Count(c); n > most {
			name, most = t.Seq.Name(), n
		}
	}
	return name
}
