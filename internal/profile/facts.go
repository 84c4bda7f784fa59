package profile

import (
	"fmt"
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/internal/profile/text"
)

// Component is the shape of a component.
type Component struct {
	Name        string
	Size, Align int // bytes
}

func componentParts(m *Component) statement {
	return statement{
		word:  "component",
		parts: []part{name(componentName, &m.Name), {text.Field{Key: "size", Value: &m.Size}, equal, ""}, {text.Field{Key: "align", Value: &m.Align}, equal, ""}},
		check: func() string {
			if m.Align < 1 || m.Align&(m.Align-1) != 0 {
				return fmt.Sprintf("its alignment is %d: it has to be a power of two", m.Align)
			}
			return ""
		},
		into: func(p *Profile) { p.Components = append(p.Components, *m) },
	}
}

func componentsOf(p *Profile) []statement { return collect(p.Components, componentParts) }

// Stored says how a component that no group owns was stored at the end of a run, and why. It
// serves people and advice only. A program chooses the storage anew from its own behaviour. Merge
// keeps the statement of the run in which more entities had the component.
type Stored struct {
	Component string
	Way       string // "fixed", "optional" or "thin"
	Reason    string // in words, such as "removed often"
	Entities  uint64 // that have the component
	Tables    uint64 // that hold these entities
}

// ways are the values of Stored.Way.
func ways() []string { return []string{"fixed", "optional", "thin"} }

func storedParts(s *Stored) statement {
	return statement{
		word: "stored",
		parts: []part{
			name(componentName, &s.Component),
			{text.Field{What: "way", Value: &s.Way, Of: ways()}, longer, ""},
			{text.Field{Key: "reason", Value: &s.Reason}, longer, ""},
			figure("entities", &s.Entities, longer, "entities"),
			figure("tables", &s.Tables, longer, "tables"),
		},
		into: func(p *Profile) { p.Stored = append(p.Stored, *s) },
	}
}

func storedOf(p *Profile) []statement { return collect(p.Stored, storedParts) }

// Group describes a sequence of chunks at the end of frames. A table is a group that the program
// did not declare. Its name says what it owns, see [TableName].
type Group struct {
	Name   string
	Owns   []string // components, in the order of their columns
	Rows   uint64   // summed over frames: Rows/Frames is the mean
	Chunks uint64   // summed over frames
	Peak   uint64   // most rows at the end of any frame
	Last   uint64   // rows at the end of the last frame
}

func groupParts(g *Group) statement {
	g.Owns = slices.Clone(g.Owns)
	return statement{
		word: "group",
		parts: []part{
			name(groupName, &g.Name),
			{text.Field{Key: "owns", What: "a component's name", Value: &g.Owns, Optional: true}, equal, ""},
			figure("rows", &g.Rows, sum, "rows/frame"),
			figure("chunks", &g.Chunks, sum, "chunks/frame"),
			figure("peak", &g.Peak, most, "rows at most"),
			figure("last", &g.Last, most, "rows at last"),
		},
		into: func(p *Profile) { p.Groups = append(p.Groups, *g) },
	}
}

func groupsOf(p *Profile) []statement { return collect(p.Groups, groupParts) }

// Shared is the use of one view in a run. The view holds a component, or a field of one, that
// systems ask for in a group that does not own it. Its figures are summed over frames.
type Shared struct {
	Group     string
	Component string // with a dot and a field's path, if systems ask for a field only
	Readers   int    // systems that ask for it
	Built     uint64 // chunks that were gathered as a whole
	Refreshed uint64 // chunks of which the rows that may have changed were gathered
	Reused    uint64 // chunks that were still valid
	Bytes     uint64 // gathered
	Dropped   uint64 // bytes of released annexes
}

func sharedParts(s *Shared) statement {
	return statement{
		word: "shared",
		parts: []part{
			name(groupName, &s.Group),
			name(componentName, &s.Component),
			{text.Field{Key: "readers", Value: &s.Readers}, most, "readers"},
			figure("built", &s.Built, sum, "chunks built/frame"),
			figure("refreshed", &s.Refreshed, sum, "chunks refreshed/frame"),
			figure("reused", &s.Reused, sum, "chunks reused/frame"),
			figure("bytes", &s.Bytes, sum, "bytes/frame"),
			optional(figure("dropped", &s.Dropped, sum, "bytes dropped/frame")),
		},
		into: func(p *Profile) { p.Shared = append(p.Shared, *s) },
	}
}

func sharedOf(p *Profile) []statement { return collect(p.Shared, sharedParts) }

// System is what one system did.
type System struct {
	Name    string
	Frames  uint64 // in which it ran
	Timed   uint64 // number of timed runs
	Times   Times
	Access  []Access // in the order of the walk: by group as visited, then by column
	Choices []Choice // by group and component
}

// Times are percentiles of the time of a system's runs. A few disturbed runs change P99 only.
// Percentiles of two profiles have no mean, so Merge keeps those of the profile with more timed
// runs.
type Times struct {
	P10, P50, P90, P99 time.Duration
}

// systemParts describes a system without its accesses and choices.
func systemParts(s *System) statement {
	s.Access, s.Choices = nil, nil
	t := &s.Times
	return statement{
		word: "system",
		parts: []part{
			name(systemName, &s.Name),
			figure("frames", &s.Frames, sum, "runs/frame"),
			optional(figure("timed", &s.Timed, longer, unseen)),
			duration("p10", &t.P10, longer, unseen),
			duration("p50", &t.P50, longer, "ns/run"),
			duration("p90", &t.P90, longer, unseen),
			duration("p99", &t.P99, longer, unseen),
		},
		check: func() string {
			if t.P10 < 0 || t.P50 < t.P10 || t.P90 < t.P50 || t.P99 < t.P90 {
				return fmt.Sprintf("its times are p10 %v p50 %v p90 %v p99 %v: none may be less than the one before", t.P10, t.P50, t.P90, t.P99)
			}
			return ""
		},
		into: func(p *Profile) { p.Systems = append(p.Systems, *s) },
	}
}

// systemsOf lists systems, each followed by its accesses and choices.
func systemsOf(p *Profile) (list []statement) {
	for _, s := range p.Systems {
		list = append(list, each([]System{s}, systemParts)...)
		list = append(list, each(s.Access, func(a *Access) statement { return accessParts(&accessOf{s.Name, *a}) })...)
		list = append(list, collect(s.Choices, func(c *Choice) statement { return choiceParts(&choiceOf{s.Name, *c}) })...)
	}
	return list
}

// system returns the system of a name that an earlier statement has added. Usually it is the last.
func (p *Profile) system(name string) *System {
	for i := len(p.Systems) - 1; ; i-- {
		if p.Systems[i].Name == name {
			return &p.Systems[i]
		}
	}
}

// Access is what one system did to one component's column in one group, summed over frames.
type Access struct {
	Group     string
	Component string
	Write     bool // writing includes reading; false: only read
	Scattered bool // rows were reached by entity, not in sequence
	Rows      uint64
	Chunks    uint64
	Bytes     uint64
	// Unchanged counts the checked runs in which a writing system changed no value. It is 0
	// if any checked run changed one.
	Unchanged uint64
}

// accessOf is an access with its system.
type accessOf struct {
	system string
	Access
}

func accessParts(a *accessOf) statement {
	return statement{
		word: "access",
		parts: []part{
			name(systemName, &a.system),
			name(groupName, &a.Group),
			name(componentName, &a.Component),
			{text.Field{What: "mode", Value: &a.Write, Of: []string{"read", "write"}}, subject, ""},
			{text.Field{What: "scattered", Value: &a.Scattered}, subject, ""},
			figure("rows", &a.Rows, sum, "rows/frame"),
			figure("chunks", &a.Chunks, sum, "chunks/frame"),
			figure("bytes", &a.Bytes, sum, "bytes/frame"),
			optional(figure("unchanged", &a.Unchanged, least, unseen)), // a run that changed some has 0
		},
		into: func(p *Profile) {
			s := p.system(a.system)
			s.Access = append(s.Access, a.Access)
		},
	}
}

// How returns "read" or "write", followed by "scattered" if rows were reached by entity.
func (a Access) How() string {
	how := "read"
	if a.Write {
		how = "write"
	}
	if a.Scattered {
		how += " scattered"
	}
	return how
}

// Choice is how a system gets a component that its group does not own, for the rows of one
// group. Costs of two machines have no mean, so Merge keeps Use, Frames, Order and Costs of the
// longer run. It does not add Frames, because then the order of merging would decide which run
// is longer.
type Choice struct {
	Group     string
	Component string // as in Shared
	Use       string // "direct", "gathered" or "cached"
	Frames    uint64 // frames of the run of Use and Costs in which the system had rows there
	Chunks    uint64 // that the system read through a cached view, summed over frames
	Stale     uint64 // of Chunks, those that had to be gathered
	Order     int    // percentage of rows right after the row before in the owner's chunks, at the last check
	Costs     Costs
}

// choiceOf is a choice with its system.
type choiceOf struct {
	system string
	Choice
}

func choiceParts(c *choiceOf) statement {
	parts := []part{
		name(systemName, &c.system),
		name(groupName, &c.Group),
		name(componentName, &c.Component),
		{text.Field{What: "strategy", Value: &c.Use, Of: strategies()}, longer, ""},
		figure("frames", &c.Frames, longer, unseen),
		figure("chunks", &c.Chunks, sum, "chunks/frame"),
		figure("stale", &c.Stale, sum, "stale chunks/frame"),
		{text.Field{Key: "order", Value: &c.Order, Optional: true}, longer, unseen},
	}
	for _, s := range strategies() {
		parts = append(parts, part{text.Field{Key: s, What: "cost", Value: c.Costs.of(s), Optional: true}, longer, s + " ns/row"})
	}
	return statement{
		word:  "choice",
		parts: parts,
		check: func() string {
			switch {
			case c.Order < 0 || c.Order > 100:
				return fmt.Sprintf("its order is %d: it has to be from 0 to 100", c.Order)
			case max(c.Costs.Direct, c.Costs.Gathered, c.Costs.Cached) > costMax:
				return fmt.Sprintf("its cost is too high: at most %v a row is allowed", RowCost(costMax))
			}
			return ""
		},
		into: func(p *Profile) {
			s := p.system(c.system)
			s.Choices = append(s.Choices, c.Choice)
		},
	}
}
