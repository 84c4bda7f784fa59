package ecs

import (
	"fmt"
	"strings"

	"github.com/ashlar-go/ashlar/ecs/internal/lines"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// description has systems with the components that they use, tables, resources and the layout.
type description struct {
	systems   []systemText  // in the order of phases, and in that of registration within a phase
	tables    []tableText   // in the order in which they were made
	resources []string      // types, sorted
	layout    layout.Layout // without statements: there is none
	refused   []string      // statements that can't be followed
}

// systemText has the position of a system in the frame, and the components and resources that it touches or asks for.
type systemText struct {
	name, phase         string
	sets, before, after []string
	paused              bool
	onlyIn              []string // groups that it goes over; empty: whatever matches
	uses                []use
}

// use is names that a system touches or asks for in one way:
//   - "writes" and "reads": a component, or a field of one;
//   - "with", "without": a component that rows have, or lack. "any of": "poison or fire";
//   - "changed", "added": a component that was written, or added, since the last run;
//   - "present": a component that counts even if it is disabled. "disabled": it has to be.
//     "entity" is the entity as a whole;
//   - "pools": a component that is reached by handle;
//   - "later": a component that its fields of type Later and LaterSpawner change;
//   - "writes resources", "reads resources": a type.
type use struct {
	how   string
	names []string
}

// tableText is the rows of entities that have the same components.
type tableText struct {
	group        string // that the rows belong to; "" if there is none
	components   []string
	rows, chunks int
}

// String is lines of at most 80 columns.
func (d description) String() string {
	var t lines.Text
	phase := ""
	for _, s := range d.systems {
		if s.phase != phase {
			phase = s.phase
			t.Line(0, "phase %s", phase)
		}
		t.Line(2, "%s", s.line())
	}
	for _, x := range d.tables {
		of := ""
		if x.group != "" {
			of = " of " + x.group
		}
		t.Line(0, "table%s of %s: %s in %s", of, strings.Join(x.components, "+"), lines.Count(x.rows, "row", "rows"), lines.Count(x.chunks, "chunk", "chunks"))
	}
	for _, r := range d.resources {
		t.Line(0, "resource %s", r)
	}
	if l := d.layout; len(l.Statements) > 0 {
		t.Line(0, "layout %s %s: %s", l.Name, l.Hash(), lines.Count(len(l.Statements), "statement", "statements"))
	}
	for _, s := range d.refused {
		t.Line(2, "%s", s)
	}
	return t.String()
}

// line is one about the system.
func (s systemText) line() string {
	var b strings.Builder
	b.WriteString(s.name)
	if s.paused {
		b.WriteString(" (paused)")
	}
	by := ": "
	for _, u := range append(s.uses, use{"only in", s.onlyIn}, use{"in", s.sets}, use{"before", s.before}, use{"after", s.after}) {
		if len(u.names) > 0 {
			fmt.Fprintf(&b, "%s%s %s", by, u.how, strings.Join(u.names, ", "))
			by = "; "
		}
	}
	return b.String()
}
