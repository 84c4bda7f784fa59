package plan

import (
	"slices"

	"github.com/ashlar-go/ashlar/profile"
)

// wish is what intent asks for about one group.
type wish struct{ cold, pinned bool }

// wishes derives them by group. What nobody asks for is not guessed: a group that no
// recorded system used is not cold for that.
func wishes(in *profile.Intent, groups []Group) []wish {
	ws := make([]wish, len(groups))
	for g := range ws {
		ws[g].pinned = slices.Contains(in.Pinned, groups[g].Name)
		for _, h := range in.Heat {
			if h.Group == groups[g].Name {
				ws[g].cold = h.Cold
			}
		}
	}
	return ws
}

// Unknown counts the names in intent that are neither a group of the placement nor
// a system or component of the facts.
func Unknown(p *profile.Profile, groups []Group) (n int) {
	group := func(name string) bool {
		return slices.ContainsFunc(groups, func(g Group) bool { return g.Name == name })
	}
	system := func(name string) bool {
		return slices.ContainsFunc(p.Systems, func(s profile.System) bool { return s.Name == name })
	}
	inTable := func(g Group, name string) bool {
		t, table := profile.ParseTable(g.Name)
		return table && slices.Contains(t.Components(), name)
	}
	component := func(name string) bool {
		return slices.ContainsFunc(groups, func(g Group) bool { return inTable(g, name) }) ||
			slices.ContainsFunc(p.Components, func(c profile.Component) bool { return c.Name == name }) ||
			slices.ContainsFunc(p.Groups, func(g profile.Group) bool { return slices.Contains(g.Owns, name) })
	}
	miss := func(known bool) {
		if !known {
			n++
		}
	}
	for _, e := range p.Intent.Every {
		miss(system(e.System))
	}
	for _, set := range p.Intent.Together {
		for _, c := range set {
			miss(component(c))
		}
	}
	for _, h := range p.Intent.Heat {
		miss(group(h.Group))
	}
	for _, g := range p.Intent.Pinned {
		miss(group(g))
	}
	return n
}
