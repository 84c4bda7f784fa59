package profile

import (
	"slices"
	"strings"
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
	return table && (t.Group == "" || x.groups[t.Group]) && !slices.ContainsFunc(t.Components(), func(c string) bool { return !x.components[c] })
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

// Resolve returns what a program of that shape can act on: hints, and the choices of its systems.
// The problems list the statements about a system, group or component that the program lacks.
// They are nil if it has all of them.
func Resolve(p Profile, s Shape) (Profile, *Problems) {
	x := index{setOf(s.Systems), setOf(s.Groups), setOf(s.Components)}
	var ps *Problems
	var kept []statement
	acts := make(map[string]bool)
	for _, k := range kinds() {
		acts[k.word] = k.acts && k.word != "frames"
	}
	for _, s := range p.statements() {
		word, _, _ := strings.Cut(s.word, " ")
		why := s.lacks(&x)
		switch {
		case !acts[word]:
		case why == "" || word == "system":
			kept = append(kept, s)
		default:
			if ps == nil {
				ps = &Problems{}
			}
			ps.Add(Problem{Text: cut(s.about()) + ": " + why + ": take the statement out, record the profile anew, or leave strict mode, which drops it"})
		}
	}
	return assemble(kept), ps
}
