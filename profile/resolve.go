package profile

import (
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/profile/internal/text"
)

// Shape lists the names that a program has. Tables need not be listed: they come and go, and a
// program can have any table of its components.
type Shape struct {
	Systems, Groups, Components []string
}

// index is a shape for lookups by name.
type index struct{ systems, groups, components map[string]bool }

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, n := range names {
		set[n] = true
	}
	return set
}

// group reports whether a name is that of a group, or of a table that the program can have.
func (x *index) group(name string) bool {
	if x.groups[name] {
		return true
	}
	t, table := ParseTable(name)
	return table && (t.Group == "" || x.groups[t.Group]) && !slices.ContainsFunc(t.components(), func(c string) bool { return !x.components[c] })
}

// field reports whether a path is that of a component, or of a field of one.
func (x *index) field(path string) bool {
	for i := len(path); i > 0; i = strings.LastIndexByte(path[:i], '.') {
		if x.components[path[:i]] {
			return true
		}
	}
	return false
}

// Resolve returns the hints of a profile about one world that a program of that shape can act on.
// Statements about a system, group or component that the program lacks are dropped. The error lists
// them, and is nil if there are none.
func Resolve(p Profile, s Shape) (kept Profile, dropped int, err error) {
	x := index{setOf(s.Systems), setOf(s.Groups), setOf(s.Components)}
	var ps problems
	// lacks reports whether the program lacks a name of a statement; "" is no name.
	lacks := func(word, system, group, component string) bool {
		what := ""
		switch {
		case system != "" && !x.systems[system]:
			what = "system"
		case group != "" && !x.group(group):
			what = "group"
		case component != "" && !x.field(component):
			what = "component"
		default:
			return false
		}
		for _, name := range []string{system, group, component} {
			if name != "" {
				word += " " + text.Quote(name)
			}
		}
		ps.add(problem{text: cut(InWorld(p.World, word)) + ": the program has no such " + what + ": take the statement out, record the profile anew, or leave strict mode, which drops it"})
		return true
	}
	h := p.Hints
	h.Cold = slices.DeleteFunc(slices.Clone(h.Cold), func(g string) bool { return lacks("cold", "", g, "") })
	h.Pinned = slices.DeleteFunc(slices.Clone(h.Pinned), func(g string) bool { return lacks("pin", "", g, "") })
	h.Views = slices.DeleteFunc(slices.Clone(h.Views), func(v View) bool { return lacks("view", v.System, "", v.Component) })
	return Profile{World: p.World, Hints: h}, ps.count(), ps.err()
}
