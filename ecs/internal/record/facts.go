package record

import (
	"cmp"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/query"
	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/internal/memmgr"
	"github.com/ashlar-go/ashlar/internal/memmgr/recording"
	"github.com/ashlar-go/ashlar/internal/profile"
)

// seen is how a group or table was at the end of frames.
type seen struct {
	seq                      *memmgr.Sequence // nil: the table was dropped
	name                     string
	owns                     []string
	rows, chunks, peak, last uint64
}

// EndFrame notes how sequences are; groups are those declared, in their order.
func (r *Recorder) EndFrame(groups []*store.Owner) {
	r.frames++
	r.find(groups)
	for _, g := range r.groups {
		g.endFrame()
	}
	for _, t := range r.tables {
		t.endFrame()
	}
	r.endSample()
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
func (r *Recorder) find(groups []*store.Owner) {
	st := r.base.S
	version := st.Made() + st.Dropped + 1
	if r.version == version {
		return
	}
	r.version = version
	for _, o := range groups[len(r.groups):] {
		r.groups = append(r.groups, &seen{seq: o.Main.Seq, name: o.Name, owns: Owns(o)})
	}
	for _, t := range r.tables {
		t.seq = nil
	}
	var made []*store.Table
	for t := range st.Tables() {
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
		n.tell()
		n.forget()
	}
}

// Owns is the names of what a group owns.
func Owns(o *store.Owner) []string {
	names := make([]string, len(o.Comps()))
	for i, c := range o.Comps() {
		names[i] = c.Name
	}
	return names
}

// Facts fills in what was noted: frames, groups and tables, systems, and reads by handle. Choices returns
// what a system's views have come to.
func (r *Recorder) Facts(p *profile.Profile, choices func(*schedule.System) []profile.Choice) {
	p.Frames, p.Sampled = r.frames, r.between.runs
	for _, g := range r.groups {
		p.Groups = append(p.Groups, g.fact())
	}
	for _, t := range r.tables {
		if t.peak > 0 {
			p.Groups = append(p.Groups, t.fact())
		}
	}
	systems := slices.SortedFunc(slices.Values(r.systems), func(a, b *noted) int { return a.system.Number - b.system.Number })
	p.Lookups = r.lookups(systems)
	for _, n := range systems {
		n.tell()
		c := n.choices
		if !n.removed {
			c = choices(n.system)
		}
		p.Systems = append(p.Systems, profile.System{
			Name: n.system.Name, Frames: n.frames, Timed: n.times.Count(), Times: recording.TimesOf(&n.times), Access: n.access(), Choices: c,
		})
	}
}

func (g *seen) fact() profile.Group {
	return profile.Group{Name: g.name, Owns: g.owns, Rows: g.rows, Chunks: g.chunks, Peak: g.peak, Last: g.last}
}

// access spells visits out by column: those that the sequence has were walked in order, the others
// were reached through the entities' words, if any row can have them. Accesses of one kind are summed
// up.
func (n *noted) access() (list []profile.Access) {
	type kind struct {
		group, component string
		write, scattered bool
	}
	places := make(map[kind]int)
	changed := make(map[int]bool) // by place: some field of it
	for i := range n.visits {
		v := &n.visits[i]
		if v.rows == 0 {
			continue
		}
		for j, c := range v.comps {
			if v.lies[j] == query.Nowhere {
				continue
			}
			k := kind{v.group, c.Name, n.system.Columns[j].Write, v.lies[j] == query.Absent}
			if k.scattered {
				k.group = Home(c)
			}
			if _, seen := places[k]; !seen {
				places[k] = len(list)
				list = append(list, profile.Access{Group: k.group, Component: k.component, Write: k.write, Scattered: k.scattered})
			}
			sum := &list[places[k]]
			sum.Rows += v.rows
			sum.Chunks += v.chunks
			sum.Bytes += v.rows * uint64(c.Size)
			if x := n.system.Columns[j]; x.Write && !n.changed[j] {
				sum.Unchanged = n.looked
			} else {
				changed[places[k]] = true
			}
		}
	}
	for i := range changed {
		list[i].Unchanged = 0
	}
	return list
}

// Home is the name of what most values of a component are in: its group, or a table; the
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
