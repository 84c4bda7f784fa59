package ecs

import (
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/record"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// Facts returns the record: sums over the frames since the World was made. It is
// empty if Options.Record is off. Values that Pool.Get and Pool.Mut have found are counted in one
// frame of some hundred, and told by system and component for all frames. Queries are in it
// behind the systems, those of systems, too, as "a query of TYPE"; queries of one type are one. Contracts that a system uses are counted in the same frames as reads by handle. Its groups are the declared ones, without rows where
// members are in tables, then the tables that had rows at a frame's end, in the order in which they were made. The facts of a dropped table or a dissolved
// group stay, until a group of other components takes the name.
func (w *World) Facts() profile.Profile {
	r := w.made("Facts").rec
	if r == nil {
		return profile.Profile{}
	}
	p := profile.Profile{World: w.options.Name, Early: w.pace.early(), Layout: w.layout.Hash(), Laid: w.laidOut(), Components: w.components(), Handles: w.handles(), Stored: w.stored(), Shared: w.views.Facts()}
	r.Facts(&p, func(number int) []profile.Choice {
		if r := w.views.Reader(number); r != nil {
			return r.Choices()
		}
		return nil // the world is closed
	})
	p.Groups = slices.Concat(w.sharing(), p.Groups)
	for i := range p.Stored {
		s := &p.Stored[i]
		c := w.names.pool[s.Component]
		s.Adds, s.Removes = c.tallies.changes(c.tallied(p.Frames, p.Sampled))
	}
	return p
}

// tallied is the tally of a component.
func (p *pool) tallied(frame, sampled uint64) tally {
	t := tally{frame: frame, sampled: sampled, removes: p.component.Report().Removes}
	if p.adds != nil {
		t.adds = p.adds.Arrivals
	}
	return t
}

// noteChanges notes the changes of components behind frames 1, 2, 4, 8 and so on.
func (w *World) noteChanges() {
	frame, sampled := w.rec.Frames()
	if frame&(frame-1) != 0 {
		return
	}
	for _, p := range w.names.pools {
		p.tallies = p.tallies.with(p.tallied(frame, sampled))
	}
}

// laidOut lists statements of the layout for which the record does not speak: those of a person, and advised ones about how
// rows are sorted, which groups have their own, and how components are stored. A comment that makes the line too long
// for a profile is left out.
func (w *World) laidOut() (list []string) {
	most := 1 << 10 // bytes
	for _, s := range w.layout.Statements {
		line := s.String()
		again := s.Word != layout.Sort && s.Word != layout.Apart && s.Word != layout.Stored && strings.HasPrefix(s.Why, layout.Advised)
		if again || len(line) > most {
			continue
		}
		if full := line + "  # " + s.Why; s.Why != "" && len(full) <= most {
			line = full
		}
		list = append(list, line)
	}
	return list
}

// sharing lists the groups whose members are in rows of tables: they have no rows of their own.
func (w *World) sharing() (list []profile.Group) {
	for _, g := range w.names.groups {
		if g.level == nil {
			list = append(list, profile.Group{Name: g.name, Owns: g.owns()})
		}
	}
	return list
}

// counts counts reads by handle for the recorder.
func (w *World) counts() record.Counts {
	return record.Counts{
		On: func(on bool) {
			w.base.Store.CountReads(on)
			w.countAdds(on)
		},
		Take: func(note func(c *store.Component, n store.Reads)) { w.base.Store.TakeReads(note) },
	}
}

// countAdds begins to count entities that get components, or ends it. The world's components are told of meanwhile, as if
// somebody observed them.
func (w *World) countAdds(on bool) {
	for _, p := range w.names.pools {
		if p.adds == nil {
			p.adds = w.news.Of(w.base.Store, w.subjectOf(store.Having, &p.component))
		}
		p.adds.Count(on)
	}
}

// handles lists the fields of components that refer to entities.
func (w *World) handles() (list []profile.Handle) {
	for _, p := range w.names.pools {
		for _, path := range field.Handles(p.typ, p.component.Name) {
			list = append(list, profile.Handle{Field: path})
		}
	}
	return list
}

func (w *World) components() (cs []profile.Component) {
	for _, p := range w.names.pools {
		cs = append(cs, profile.Component{Name: p.component.Name, Size: int(p.component.Spec.Size), Align: int(p.component.Spec.Align)})
	}
	return cs
}

// walkedMost is how many tables of systems walked looks at.
const walkedMost = 4096

// walked names the groups and tables that systems go over, in the order in which they do. It is for
// adapting, which asks when it begins to empty a region, so it looks at the first few thousand.
func (w *World) walked() (names []string) {
	seen, left := make(map[*store.Table]bool), walkedMost
	for _, x := range w.systems.InFrame() {
		for _, s := range x.Tables() {
			if left--; left < 0 {
				return names
			}
			if !seen[s.Table] {
				seen[s.Table] = true
				names = append(names, s.Seq.Name())
			}
		}
	}
	return names
}

// Map returns where the World's chunks are now. If recording is on, it also says how often
// they are used: the bytes that systems asked for of a group, shared out by rows. Slots of cached
// fields of shared components, for the rows of a group, are listed as chunks of "views/GROUP of FIELD".
func (w *World) Map() profile.Map {
	m := w.made("Map").base.Manager.Map()
	titles := make(map[string]string)
	for i := range m.Chunks {
		c := &m.Chunks[i]
		if of, is := strings.CutPrefix(c.Group, memmgr.AnnexPrefix); is {
			if titles[of] == "" {
				titles[of] = w.views.Title(of)
			}
			c.Group = titles[of]
		}
	}
	m.World, m.Frame = w.options.Name, w.base.Frame
	m.SetHeat(w.Facts())
	return m
}

// stored is the part of facts about the storage of components that no group owns.
func (w *World) stored() (list []profile.Stored) {
	for _, p := range w.names.pools {
		if p.component.Owner() == w.base.Store.Commons {
			c, r := p.storage(), p.component.Report()
			way := c.Storage.String()
			if slices.Contains(w.base.Store.OrderedBy(), &p.component) {
				way = "ordered"
			}
			list = append(list, profile.Stored{Component: c.Name, Way: way, Reason: c.Reason, Entities: uint64(c.Entities), Tables: uint64(c.Tables), Since: uint64(r.Frame)})
		}
	}
	return list
}
