package shared

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/roster"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/views"
)

// Mode says which views are kept.
type Mode uint8

const (
	// Auto keeps those that pay, as trials tell.
	Auto Mode = iota
	// Off keeps none.
	Off
	// On keeps all that have room.
	On
)

// Options say how views are kept.
type Options struct {
	Mode Mode
	// Begin returns what the choice for a system, a group and a component begins with: what
	// intent asks for, what was recorded of an earlier run, and what that had cost.
	Begin func(system, group, component string) (intent, recorded views.Strategy, costs profile.Costs)
}

// Views are the views of a world.
type Views struct {
	// Page is in which memory is given back, in bytes.
	Page uint32

	base    *walk.Base
	o       Options
	groups  []*group
	of      map[*store.Owner]*group
	readers roster.List[*Reader]
	made    int                                        // how many there were, in all
	users   map[*store.Component]*roster.List[*Reader] // that have a column of it, in order
	walks   uint64                                     // over groups that have views
}

// New returns the views of a world, none to begin with.
func New(b *walk.Base, page uint32, o Options) *Views {
	return &Views{Page: page, base: b, o: o, of: make(map[*store.Owner]*group), users: make(map[*store.Component]*roster.List[*Reader])}
}

// group is a group and its views.
type group struct {
	owner     *store.Owner
	seq       *memmgr.Sequence
	guests    roster.List[*Reader] // that go over its rows
	views     []*view
	wheres    []*where
	laid      int // how often views were given room, or guests came or went: readers look again then
	countedAt int // laid when asks were counted
}

// Reader is a system, as far as views are concerned.
type Reader struct {
	*walk.Cursor
	v      *Views
	number int              // among all systems
	home   *store.Component // whose owner's rows it goes over; nil: of no one owner
	served []*served
	frame  uint64 // in which it went over its group last
}

// view is a field of a component, or the whole of it, for the rows of a group.
type view struct {
	comp    *store.Component
	part    source.Part
	offset  uint32 // in the annex
	readers int    // systems that ask for it
	chunks  []viewChunk
	where   *where             // the places that values come from
	seqs    []*memmgr.Sequence // that have the component
	stamps  views.Stamps
	changes views.Changes
	walk    uint64 // that changes are of
	since   uint64 // tick of the last walk
	frame   uint64 // in which it was last kept
	stats   Stats

	stretches []stretch // of the systems, when they were so many:
	counted   int
	countedIn uint64 // frame
}

// Stats is what is known of a view.
type Stats struct {
	Group     string `json:"group"`
	Component string `json:"component"`
	Field     string `json:"field,omitempty"`
	Readers   int    `json:"readers"`   // systems that ask for it
	Built     uint64 `json:"built"`     // chunks gathered as a whole
	Refreshed uint64 `json:"refreshed"` // chunks of which the rows that may have changed were gathered
	Reused    uint64 `json:"reused"`    // chunks that were good as they were
	Trials    uint64 `json:"trials"`    // walks in which a reader tried a way to get the values
	Bytes     uint64 `json:"bytes"`     // gathered
	Kept      bool   `json:"kept"`      // some system used it lately
	Dropped   uint64 `json:"dropped"`   // bytes given back; views side by side that are dropped together are counted with the first
	Retained  uint64 `json:"retained"`  // bytes of whole pages that are no longer used, and that could not be given back: in huge pages, or on the Go heap
}

// Stats are what is known of all views.
func (v *Views) Stats() (list []Stats) {
	for _, g := range v.groups {
		for _, x := range g.views {
			st := x.stats
			st.Readers, st.Kept = x.readers, x.frame+IdleFrames > v.base.Frame && x.since > 0
			list = append(list, st)
		}
	}
	return list
}

// Facts are what a recorded profile says of all views.
func (v *Views) Facts() (list []profile.Shared) {
	for _, g := range v.groups {
		for _, x := range g.views {
			st := &x.stats
			f := profile.Shared{
				Group: st.Group, Component: st.Component, Readers: x.readers,
				Built: st.Built, Refreshed: st.Refreshed, Reused: st.Reused, Bytes: st.Bytes, Dropped: st.Dropped,
			}
			if st.Field != "" {
				f.Component += "." + st.Field
			}
			list = append(list, f)
		}
	}
	return list
}

// AddGroup makes a group known that was declared, and room for what its readers ask for.
func (v *Views) AddGroup(o *store.Owner) {
	g := &group{owner: o, seq: o.Main.Seq, countedAt: -1}
	v.groups = append(v.groups, g)
	v.of[o] = g
	for _, r := range v.readers.All() {
		if r.home != nil && r.home.Owner() == o {
			g.guests.Add(r.number, r)
		}
	}
	v.lay(g)
}

// RemoveGroup forgets a group that was dissolved, whose rows are gone, with their annexes.
func (v *Views) RemoveGroup(o *store.Owner) {
	g := v.of[o]
	v.groups = slices.DeleteFunc(v.groups, func(x *group) bool { return x == g })
	delete(v.of, o)
	for _, r := range v.readers.All() {
		r.served = slices.DeleteFunc(r.served, func(s *served) bool { return s.group == g })
	}
}

// AddReader makes a system known, the next of all.
func (v *Views) AddReader(c *walk.Cursor) *Reader {
	r := &Reader{Cursor: c, v: v, number: v.made, frame: v.base.Frame}
	v.made++
	v.readers.Add(r.number, r)
	c.Serve = r.serve
	for j := range c.Columns {
		users := v.users[c.Columns[j].Comp]
		if users == nil {
			users = &roster.List[*Reader]{}
			v.users[c.Columns[j].Comp] = users
		}
		if users.Find(r.number) == nil {
			users.Add(r.number, r)
		}
	}
	if c.IsOver() || c.Pointers || c.InRows {
		return r
	}
	for j := range c.Columns {
		if x := &c.Columns[j]; x.Whole() && !x.Optional {
			r.home = x.Comp
			break
		}
	}
	if r.home == nil {
		return r
	}
	if g := v.of[r.home.Owner()]; g != nil {
		g.guests.Add(r.number, r)
		g.laid++
		v.layFor(g, r)
	}
	return r
}

// Reader is the system of a number, which counts all that there were; nil if it was removed.
func (v *Views) Reader(number int) *Reader { return v.readers.Find(number) }

// Readers is how many systems are known.
func (v *Views) Readers() int { return v.readers.Len() }

// RemoveReader forgets the system of a number. Its views keep their room, so that nothing is laid out
// anew: it costs what the system has, and a look at each view.
func (v *Views) RemoveReader(number int) {
	r := v.Reader(number)
	v.readers.Remove(number)
	for j := range r.Columns {
		v.users[r.Columns[j].Comp].Remove(number)
	}
	for _, g := range v.groups {
		if g.guests.Remove(number) {
			g.laid++
			g.leave(r)
		}
		for _, x := range g.views {
			x.counted = 0 // the sharers, anew
		}
	}
}

// Forget lets go of all groups and readers.
func (v *Views) Forget() { v.groups, v.readers, v.of, v.users = nil, roster.List[*Reader]{}, nil, nil }

// reads tells whether the reader asks for a column of a group that does not own it, for
// reading. Its group is the one that owns the first whole component of its struct: only
// there room is kept for it.
func (r *Reader) reads(g *group, x *source.Column) bool {
	return r.home != nil && r.home.Owner() == g.owner && !x.Write && !x.Optional && x.Part.Size > 0 && x.Comp.Owner() != g.owner
}

// view returns the group's view of a column, if it has room for one.
func (g *group) view(x *source.Column) *view {
	for _, v := range g.views {
		if v.comp == x.Comp && v.part == x.Part {
			return v
		}
	}
	return nil
}
