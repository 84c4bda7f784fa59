package profile

import (
	"time"

	"github.com/ashlar-go/ashlar/internal/profile/text"
)

// Hints are requests of a developer. A program drops and counts the statements about names that
// it lacks.
type Hints struct {
	Off    bool // adapt nothing
	Budget Budget
	Goal   Goal
	Cold   []string // groups whose chunks go to the range for rarely used memory
	Pinned []string // groups whose chunks never move
	Views  []View
}

// Budget bounds what a manager spends at one safe point. Zero leaves the default.
type Budget struct {
	Time  time.Duration
	Bytes uint64
}

// Goal is a program's target for memory and time. Zero states none. Goals change when memory is
// purged and how much is moved at a time, never a result.
type Goal struct {
	Resident uint64        // bytes that chunks may keep resident; above them idle memory is purged at any age
	Frame    time.Duration // intended time of a frame; moves and purging get a share of it
}

// View says how a system gets a component that its group does not own.
type View struct {
	System    string
	Component string // with a dot and a field's path, if only a field is meant
	Choice    string // "direct", "gathered", "cached", or "none" for no view
}

// Lines returns the hints as statements of the text form.
func (h Hints) Lines() (lines []string) {
	p := Profile{Hints: h}
	for _, s := range p.statements() {
		lines = append(lines, s.subject+s.rest())
	}
	return lines
}

func offPart(*struct{}) statement {
	return statement{word: "off", into: func(p *Profile) { p.Hints.Off = true }}
}

func offOf(p *Profile) []statement {
	if !p.Hints.Off {
		return nil
	}
	return each([]struct{}{{}}, offPart)
}

func budgetParts(b *Budget) statement {
	return statement{
		word: "budget",
		parts: []part{
			duration("time", &b.Time, either, ""),
			{text.Field{Key: "bytes", Value: (*text.Bytes)(&b.Bytes), Optional: true}, either, ""},
		},
		check: func() string {
			if *b == (Budget{}) {
				return "it has neither time nor bytes: state one of them, above 0"
			}
			return ""
		},
		into: func(p *Profile) { p.Hints.Budget = *b },
	}
}

func budgetOf(p *Profile) []statement {
	if p.Hints.Budget == (Budget{}) {
		return nil
	}
	return each([]Budget{p.Hints.Budget}, budgetParts)
}

// goalParts is one of the goals: resident or frame.
func goalParts(word string, g *Goal) statement {
	value := part{text.Field{What: "bytes", Value: (*text.Bytes)(&g.Resident)}, equal, ""}
	into := func(p *Profile) { p.Hints.Goal.Resident = g.Resident }
	if word == "frame" {
		value = part{text.Field{What: "time", Value: &g.Frame}, equal, ""}
		into = func(p *Profile) { p.Hints.Goal.Frame = g.Frame }
	}
	check := func() string {
		if value.Zero() {
			return "the goal is 0: state one above 0, or leave it out"
		}
		return ""
	}
	return statement{word: "goal " + word, parts: []part{value}, check: check, into: into}
}

func readGoal(c *text.Cursor) statement {
	return goalParts(c.Choice("goal", "resident", "frame"), &Goal{}).readBy(c)
}

func goalsOf(p *Profile) (list []statement) {
	for _, word := range []string{"frame", "resident"} {
		s := each([]Goal{p.Hints.Goal}, func(g *Goal) statement { return goalParts(word, g) })
		if !s[0].parts[0].Zero() {
			list = append(list, s...)
		}
	}
	return list
}

func coldPart(group *string) statement {
	return statement{word: "cold", parts: []part{name(groupName, group)}, into: func(p *Profile) { p.Hints.Cold = append(p.Hints.Cold, *group) }}
}

func coldOf(p *Profile) []statement { return collect(p.Hints.Cold, coldPart) }

func pinPart(group *string) statement {
	return statement{word: "pin", parts: []part{name(groupName, group)}, into: func(p *Profile) { p.Hints.Pinned = append(p.Hints.Pinned, *group) }}
}

func pinnedOf(p *Profile) []statement { return collect(p.Hints.Pinned, pinPart) }

// wishes are the values of View.Choice.
func wishes() []string { return append(strategies(), "none") }

func viewParts(v *View) statement {
	return statement{
		word:  "view",
		parts: []part{name(systemName, &v.System), name(componentName, &v.Component), {text.Field{What: "choice", Value: &v.Choice, Of: wishes()}, equal, ""}},
		into:  func(p *Profile) { p.Hints.Views = append(p.Hints.Views, *v) },
	}
}

func viewsOf(p *Profile) []statement { return collect(p.Hints.Views, viewParts) }
