package ecs

import (
	"fmt"
	"strings"

	"github.com/ashlar-go/ashlar/ecs/internal/lines"
)

// Description lists systems with the components that they use, tables and resources. Stats has components and
// groups. A Description is a copy: it refers to nothing of the world. String shows it to people, and encoding/json to programs.
type Description struct {
	// Systems are in the order of phases, and in that of registration within a phase.
	Systems []SystemDescription `json:"systems,omitempty"`
	// Tables are listed in the order in which they were made.
	Tables []TableDescription `json:"tables,omitempty"`
	// Resources are types, sorted.
	Resources []string `json:"resources,omitempty"`
	// Layout is what the world goes by; nil: no layout.
	Layout *LayoutDescription `json:"layout,omitempty"`
}

// LayoutDescription is the layout that a world goes by. Hash tells layouts apart. Statements that name what
// the world lacks are in Missing. Others that can't be followed are in Refused, with the cause.
type LayoutDescription struct {
	File       string   `json:"file"`
	Hash       string   `json:"hash"`
	Statements int      `json:"statements"`
	Missing    []string `json:"missing,omitempty"`
	Refused    []string `json:"refused,omitempty"`
}

// SystemDescription has the position of a system in the frame, and the components that it touches.
type SystemDescription struct {
	Name   string   `json:"name"`
	Phase  string   `json:"phase"`
	Sets   []string `json:"sets,omitempty"`
	Before []string `json:"before,omitempty"`
	After  []string `json:"after,omitempty"`
	Paused bool     `json:"paused,omitempty"`
	// Uses are the components and resources that it touches or asks for, those of one kind together.
	Uses []Use `json:"uses,omitempty"`
	// OnlyIn are the groups that it goes over; empty: whatever matches.
	OnlyIn []string `json:"onlyIn,omitempty"`
}

// Use is one thing that a system touches or asks for.
type Use struct {
	// How is the kind of use:
	//   - "writes" and "reads": a component, or a field of one;
	//   - "with", "without": a component that rows have, or lack. "any of": "poison or fire";
	//   - "changed", "added": a component that was written, or added, since the last run;
	//   - "present": a component that counts even if it is disabled. "disabled": it has to be.
	//     "entity" is the entity as a whole;
	//   - "pools": a component that is reached by handle;
	//   - "later": a component that its fields of type Later and LaterSpawner change;
	//   - "writes resources", "reads resources": a type.
	How  string `json:"how"`
	Name string `json:"name"`
}

// TableDescription is the rows of entities that have the same components.
type TableDescription struct {
	// Group is the name of the group that the rows belong to; "" if there is none.
	Group      string   `json:"group,omitempty"`
	Components []string `json:"components"`
	Rows       int      `json:"rows"`
	Chunks     int      `json:"chunks"`
}

// String is lines of at most 80 columns.
func (d Description) String() string {
	var t lines.Text
	phase := ""
	for _, s := range d.Systems {
		if s.Phase != phase {
			phase = s.Phase
			t.Line(0, "phase %s", phase)
		}
		t.Line(2, "%s", s.line())
	}
	for _, x := range d.Tables {
		of := ""
		if x.Group != "" {
			of = " of " + x.Group
		}
		t.Line(0, "table%s of %s: %s in %s", of, strings.Join(x.Components, "+"), lines.Count(x.Rows, "row", "rows"), lines.Count(x.Chunks, "chunk", "chunks"))
	}
	for _, r := range d.Resources {
		t.Line(0, "resource %s", r)
	}
	if l := d.Layout; l != nil {
		t.Line(0, "layout %s %s: %s", l.File, l.Hash, lines.Count(l.Statements, "statement", "statements"))
		for _, s := range l.Missing {
			t.Line(2, "%s: the program has no such name", s)
		}
		for _, s := range l.Refused {
			t.Line(2, "%s", s)
		}
	}
	return t.String()
}

// line is one about the system.
func (s SystemDescription) line() string {
	var b strings.Builder
	b.WriteString(s.Name)
	if s.Paused {
		b.WriteString(" (paused)")
	}
	by := ": "
	for i, u := range s.Uses {
		if i > 0 && u.How == s.Uses[i-1].How {
			b.WriteString(", " + u.Name)
			continue
		}
		b.WriteString(by + u.How + " " + u.Name)
		by = "; "
	}
	for _, part := range []struct {
		how   string
		names []string
	}{{"only in", s.OnlyIn}, {"in", s.Sets}, {"before", s.Before}, {"after", s.After}} {
		if len(part.names) > 0 {
			fmt.Fprintf(&b, "%s%s %s", by, part.how, strings.Join(part.names, ", "))
			by = "; "
		}
	}
	return b.String()
}
