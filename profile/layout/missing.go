package layout

import (
	"fmt"
	"strings"

	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/internal/text"
)

// Shape lists the names that a program has. Tables need not be listed: they come and go, and a
// program can have any table of its components.
type Shape struct {
	Systems, Groups, Components []string
}

// Missing returns the statements that name a system, group or component that a program of that shape
// lacks. The error says so of each, with its line; it is nil if there are none.
func (l Layout) Missing(s Shape) (list []Statement, err error) {
	x := index{setOf(s.Systems), setOf(s.Groups), setOf(s.Components)}
	var ps text.Problems
	for _, st := range l.Statements {
		if what := x.lacks(st); what != "" {
			list = append(list, st)
			ps.Add(text.Problem{File: l.Name, Line: st.Line, Text: fmt.Sprintf("%s: the program has no such %s: take the statement out, or leave Strict, which makes this an error", st, what)})
		}
	}
	return list, ps.Err()
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

// lacks returns the kind of thing that a statement names in vain, or "".
func (x *index) lacks(s Statement) string {
	switch s.Word {
	case Stored:
		if !x.components[s.Name] {
			return "component"
		}
	case Apart:
		if !x.groups[s.Name] {
			return "group"
		}
	case Sort:
		if !x.components[s.Name] && !x.groups[s.Name] {
			return "component or group"
		}
		if !x.field(s.With) {
			return "component"
		}
	case View:
		if !x.systems[s.Name] {
			return "system"
		}
		if !x.field(s.With) {
			return "component"
		}
	default:
		if !x.group(s.Name) || s.Word == Near && !x.group(s.With) {
			return "group"
		}
	}
	return ""
}

// group reports whether a name is that of a group, or of a table that the program can have.
func (x *index) group(name string) bool {
	if x.groups[name] {
		return true
	}
	t, table := profile.ParseTable(name)
	if !table || t.Group != "" && !x.groups[t.Group] {
		return false
	}
	for _, list := range [...][]string{t.Fixed, t.Optional} {
		for _, c := range list {
			if !x.components[c] {
				return false
			}
		}
	}
	return true
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
