package profile

import (
	"cmp"
	"slices"
)

// Canonical returns a copy in the order in which it is written: components, storage, groups,
// views, choices and intent by name; systems and accesses stay as they are. A profile shares no
// memory with its copy.
func (p Profile) Canonical() Profile {
	p.Components = sorted(p.Components, func(c Component) string { return c.Name })
	p.Stored = sorted(p.Stored, func(s Stored) string { return s.Component })
	p.Groups = sorted(p.Groups, func(g Group) string { return g.Name })
	for i := range p.Groups {
		p.Groups[i].Owns = copied(p.Groups[i].Owns)
	}
	p.Shared = sorted(sorted(p.Shared, func(s Shared) string { return s.Component }), func(s Shared) string { return s.Group })
	p.Systems = copied(p.Systems)
	for i := range p.Systems {
		p.Systems[i].Access = copied(p.Systems[i].Access)
		p.Systems[i].Choices = sorted(sorted(p.Systems[i].Choices, func(c Choice) string { return c.Component }), func(c Choice) string { return c.Group })
	}
	p.Intent = p.Intent.canonical()
	return p
}

func (in Intent) canonical() Intent {
	in.Every = sorted(in.Every, func(e Every) string { return e.System })
	in.Heat = sorted(in.Heat, func(h Heat) string { return h.Group })
	in.Pinned = sorted(in.Pinned, func(s string) string { return s })
	in.Together = copied(in.Together)
	for i, t := range in.Together {
		in.Together[i] = sorted(t, func(s string) string { return s })
	}
	slices.SortFunc(in.Together, slices.Compare)
	in.Views = copied(in.Views)
	slices.SortStableFunc(in.Views, func(a, b View) int {
		return cmp.Or(cmp.Compare(a.System, b.System), cmp.Compare(a.Component, b.Component))
	})
	return in
}

// copied is nil for none, so that profiles compare.
func copied[T any](s []T) []T { return append([]T(nil), s...) }

func sorted[T any](s []T, name func(T) string) []T {
	s = copied(s)
	slices.SortStableFunc(s, func(a, b T) int { return cmp.Compare(name(a), name(b)) })
	return s
}
