package layout

import (
	"fmt"
	"slices"
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
	var ps text.Problems
	for _, st := range l.Statements {
		if what := s.lacks(st); what != "" {
			list = append(list, st)
			ps.Add(text.Problem{File: l.Name, Line: st.Line, Text: fmt.Sprintf("%s: the program has no such %s: take the statement out, or leave Strict, which makes this an error", st, what)})
		}
	}
	return list, ps.Err()
}

// lacks returns the kind of thing that a statement names in vain, or "".
func (x *Shape) lacks(s Statement) string {
	component, group := slices.Contains(x.Components, s.Name), slices.Contains(x.Groups, s.Name)
	switch {
	case s.Word == Stored && !component, s.Word == View && !x.field(s.With), s.Word == Sort && !x.field(s.With):
		return "component"
	case s.Word == Sort && !component && !group:
		return "component or group"
	case s.Word == View && !slices.Contains(x.Systems, s.Name):
		return "system"
	case s.Word == Apart && !group, s.Word == Near && !x.group(s.With):
		return "group"
	case (s.Word == Near || s.Word == Rows || s.Word == Cold) && !x.group(s.Name):
		return "group"
	}
	return ""
}

// group reports whether a name is that of a group, or of a table that the program can have.
func (x *Shape) group(name string) bool {
	if slices.Contains(x.Groups, name) {
		return true
	}
	t, table := profile.ParseTable(name)
	if !table || t.Group != "" && !slices.Contains(x.Groups, t.Group) {
		return false
	}
	return !slices.ContainsFunc(slices.Concat(t.Fixed, t.Optional), func(c string) bool { return !slices.Contains(x.Components, c) })
}

// field reports whether a path is that of a component, or of a field of one.
func (x *Shape) field(path string) bool {
	return slices.ContainsFunc(x.Components, func(c string) bool { return path == c || strings.HasPrefix(path, c+".") })
}
