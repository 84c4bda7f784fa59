package profile

import (
	"fmt"
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/internal/profile/text"
)

// framesPart is how many frames the facts are sums of. A profile that has facts states it.
func framesPart(n *uint64) statement {
	return statement{word: "frames", parts: []part{{text.Field{What: "number of frames", Value: n}, sum, unseen}}, into: func(p *Profile) { p.Frames = *n }}
}

func framesOf(p *Profile) []statement {
	if !p.hasFacts() {
		return nil
	}
	return each([]uint64{p.Frames}, framesPart)
}

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

// Stored is how a component that no group owns was stored at the end of a run, and why. It is for
// people and advice: how a program stores a component follows from what the program does. Of two
// runs that counts in which more entities had it.
type Stored struct {
	Component string
	Way       string // "fixed", "optional" or "thin"
	Reason    string // in words, such as "removed often"
	Entities  uint64 // that have it
	Tables    uint64 // that these are in
}

// ways are what Stored.Way can be.
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

// Group is a sequence of chunks as it was at the end of frames. A table is a group that nobody
// declared; its name says what it owns, see [TableName].
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

// Shared is a view as a run used it: a component, or a field of one, that systems ask for
// in a group that does not own it. Its figures are summed over frames.
type Shared struct {
	Group     string
	Component string // with a field's path behind a dot, if only that is asked for
	Readers   int    // systems that ask for it
	Built     uint64 // chunks that were gathered as a whole
	Refreshed uint64 // chunks of which the rows that may have changed were gathered
	Reused    uint64 // chunks that were good as they were
	Bytes     uint64 // gathered
	Dropped   uint64 // bytes of annexes given back
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
	Timed   uint64 // runs that Times are of
	Times   Times
	Access  []Access // in the order of the walk: by group as visited, then by column
	Choices []Choice // by group and component
}

// Times are how long a system's runs took: so many of 100 took no longer. A few runs
// during which the machine did something else move P99 alone. Percentiles of two runs have no
// mean, so the run counts that timed more.
type Times struct {
	P10, P50, P90, P99 time.Duration
}

// systemParts is a system without accesses and choices.
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
				return fmt.Sprintf("its times are p10 %v p50 %v p90 %v p99 %v: each is at least the one before", t.P10, t.P50, t.P90, t.P99)
			}
			return ""
		},
		into: func(p *Profile) { p.Systems = append(p.Systems, *s) },
	}
}

// systemsOf lists systems, each with its accesses and choices.
func systemsOf(p *Profile) (list []statement) {
	for _, s := range p.Systems {
		access := each(s.Access, func(a *Access) statement { return accessParts(&accessOf{s.Name, *a}) })
		choices := collect(s.Choices, func(c *Choice) statement { return choiceParts(&choiceOf{s.Name, *c}) })
		list = slices.Concat(list, each([]System{s}, systemParts), access, choices)
	}
	return list
}

// system is the one of a name, which a statement above has added: the last one as a rule.
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
	Write     bool // read otherwise; writing includes reading
	Scattered bool // rows were reached by entity, not in sequence
	Rows      uint64
	Chunks    uint64
	Bytes     uint64
	// Unchanged is in how many runs that were looked at a system that declares to write
	// changed no value; 0 if it ever changed one.
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

// How is read or write, and scattered behind it.
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
// group. Costs of two machines have no mean, so Use, Frames, Order and Costs are those of the
// longer run. Its frames are not added: otherwise the order of merging would decide which run
// is the longer one.
type Choice struct {
	Group     string
	Component string // as in Shared
	Use       string // "direct", "gathered" or "cached"
	Frames    uint64 // of the run that Use and Costs are of, in which the system had rows there
	Chunks    uint64 // that the system went over through a cached view, summed over frames
	Stale     uint64 // of these, had to be gathered
	Order     int    // of 100 rows, how many lie right behind the one before in the owner's chunks, as last looked at
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
				return fmt.Sprintf("order %d: it is a number of rows out of 100", c.Order)
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
