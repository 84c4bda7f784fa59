package profile

import (
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/internal/profile/text"
)

// View says how a component that a system's group does not own is given to the system.
type View struct {
	System    string
	Component string // with a field's path behind a dot, if only that is meant
	Choice    string // "direct", "gathered", "cached", or "none" for no view
}

func viewsOf(p *Profile) []statement { return collect(p.Hints.Views, itself[View]) }

// wishes are what a view can be.
func wishes() []string { return append(strategies(), "none") }

func readView(c *text.Cursor) statement {
	return View{System: c.Name("the system's name"), Component: c.Name("the component's name"), Choice: c.Choice("choice", wishes()...)}
}

func (v View) subject() string                        { return text.Subject("view", v.System, v.Component) }
func (v View) rest() string                           { return " " + v.Choice }
func (v View) merge(with statement) (statement, bool) { return equal(v, with) }
func (v View) compared(uint64) (string, []Figure)     { return v.rest(), nil }
func (v View) into(p *Profile)                        { p.Hints.Views = append(p.Hints.Views, v) }

func (v View) problem() string {
	if !slices.Contains(wishes(), v.Choice) {
		return fmt.Sprintf("%.40q is not a choice: direct, gathered, cached and none are", v.Choice)
	}
	return badNames(v.System, v.Component)
}

// badNames tells what is wrong with the first bad one of these names, or "".
func badNames(names ...string) (bad string) {
	for _, n := range names {
		if bad == "" {
			bad = text.BadName(n)
		}
	}
	return bad
}

func (v View) lacks(s *index) string {
	if !s.systems[v.System] || !s.field(v.Component) {
		return "the program has no such system or component"
	}
	return ""
}
