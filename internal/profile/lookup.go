package profile

import (
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/internal/profile/text"
)

// span is what facts are sums over. A profile with facts states it.
type span struct {
	frames  uint64
	sampled uint64 // of them, those in which reads by handle were counted
}

func framesPart(n *span) statement {
	return statement{
		word: "frames",
		parts: []part{
			{text.Field{What: "number of frames", Value: &n.frames}, sum, unseen},
			optional(figure("sampled", &n.sampled, sum, unseen)),
		},
		check: func() string {
			if n.sampled > n.frames {
				return fmt.Sprintf("%d of its %d frames are sampled: there can't be more than all", n.sampled, n.frames)
			}
			return ""
		},
		into: func(p *Profile) { p.Frames, p.Sampled = n.frames, n.sampled },
	}
}

func framesOf(p *Profile) []statement {
	if !p.hasFacts() {
		return nil
	}
	return each([]span{{p.Frames, p.Sampled}}, framesPart)
}

// Lookup says how often a component was read by handle, by systems or by code between them. A read
// by handle is what Pool.Get does: it finds the value of one entity. The reads were counted in
// Profile.Sampled frames.
type Lookup struct {
	Component string
	System    string // that read it; "": the program, between frames and systems
	Reads     uint64 // summed over frames, estimated from the sampled ones
}

func lookupParts(l *Lookup) statement {
	return statement{
		word: "lookup",
		parts: []part{
			name(componentName, &l.Component),
			optional(part{Field: text.Field{Key: "by", What: systemName, Value: &l.System}}),
			figure("reads", &l.Reads, sum, "reads/frame"),
		},
		into: func(p *Profile) { p.Lookups = append(p.Lookups, *l) },
	}
}

func lookupsOf(p *Profile) []statement { return collect(p.Lookups, lookupParts) }

// Has reports whether a group has a column of a component.
func (g Group) Has(component string) bool { return slices.Contains(g.Owns, component) }

// LookedUp reports whether a component of the group was read by handle. A group in which no
// system walks is not rarely used if it was.
func (p Profile) LookedUp(g Group) bool {
	return slices.ContainsFunc(p.Lookups, func(l Lookup) bool { return l.Reads > 0 && g.Has(l.Component) })
}
