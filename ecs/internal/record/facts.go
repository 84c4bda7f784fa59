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
	profile.Group
	seq   *memmgr.Sequence // nil: it was dropped
	owner *store.Owner     // the group's; nil: it is a table
	grown []profile.Growth // steps of its size, in the order of frames
}

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

// Frames is how many frames have been recorded, and in how many of them reads by handle were counted.
func (r *Recorder) Frames() (all, sampled uint64) { return r.frames, r.between.runs }

func (g *seen) endFrame(frame uint64) {
	g.Last = 0
	if g.seq != nil {
		g.Last = uint64(g.seq.Len())
		g.Rows += g.Last
		g.Chunks += uint64(g.seq.ChunkCount())
		g.Peak = max(g.Peak, g.Last)
	}
	if frame&(frame-1) != 0 {
		return
	}
	was := uint64(0)
	if n := len(g.grown); n > 0 {
		was = g.grown[n-1].Rows
	}
	if g.Last != was && (g.Last >= 2*was || 2*g.Last <= was) {
		g.grown = append(g.grown, profile.Growth{Group: g.Name, Frame: frame, Rows: g.Last})
	}
}

// find begins to look at groups and tables that were made since the last frame, and ends to
// look at dropped ones. Nothing stays of one that never had rows.
func (r *Recorder) find(groups []*store.Owner) {
	st := r.base.Store
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
		r.see(&seen{seq: t.Seq, Group: profile.Group{Name: t.Seq.Name(), Owns: t.Components()}})
	}
	r.forget(func(g *seen) bool { return g.seq == nil && g.Peak == 0 })
	for _, n := range r.all() {
		n.tell()
		n.forget()
	}
}

// seeGroup looks at a group. Its components may have become more or fewer.
func (r *Recorder) seeGroup(o *store.Owner) {
	g := &seen{seq: o.Main.Seq, Group: profile.Group{Name: o.Name, Owns: Owns(o)}, owner: o}
	known := r.named[g.Name]
	if known == nil || known.owner == nil || known.owner != o && !slices.Equal(known.Owns, g.Owns) {
		r.see(g)
		return
	}
	known.seq, known.Owns, known.owner = g.seq, g.Owns, o
}

// is tells whether a table of the same name has the same components. The name says so, unless a
// group chose it.
func (g *seen) is(t *store.Table) bool {
	o := t.Owner()
	return g.owner == nil && (o == nil || o.Name == "" || slices.Equal(g.Owns, t.Components()))
}

// see begins to look at a group or table. Others of its name are forgotten.
func (r *Recorder) see(g *seen) {
	if r.named[g.Name] != nil {
		r.forget(func(known *seen) bool { return known.Name == g.Name })
	}
	r.named[g.Name] = g
	r.known = append(r.known, g)
}

// forget forgets groups and tables.
func (r *Recorder) forget(gone func(*seen) bool) {
	r.known = slices.DeleteFunc(r.known, func(g *seen) bool {
		if !gone(g) {
			return false
		}
		delete(r.named, g.Name)
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
			p.Groups = append(p.Groups, g.Group)
		}
		if g.Peak >= grownLeast && len(g.grown) > 1 {
			p.Growth = append(p.Growth, g.grown...)
		}
	}
	for _, t := range r.known {
		if t.owner == nil && t.Peak > 0 {
			p.Groups = append(p.Groups, t.Group)
		}
	}
	all := r.all()
	p.Lookups = r.lookups(all)
	for _, n := range all {
		n.tell()
		c, frames, access := n.choices, n.frames, n.access()
		switch {
		case n.number == noSystem && len(access) == 0 && n.tested == 0:
			continue
		case n.number == noSystem:
			frames = r.frames
		case !n.removed:
			c = choices(n.number)
		}
		timed, times := n.times.Times()
		p.Systems = append(p.Systems, profile.System{
			Name: n.name, Frames: frames, Matched: n.matched, Tested: n.tested, Timed: timed, Times: times, Access: access, Choices: c, Fields: n.fields(),
		})
	}
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
