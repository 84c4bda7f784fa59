package ecs

import (
	"fmt"
	"github.com/ashlar-go/ashlar/ecs/internal/lines"
	"strings"
)

// Description lists the parts of a world: who reads and writes which component, and where it is stored.
// It is as good as any value. String shows it to people, and encoding/json to programs.
type Description struct {
	// Systems are in the order of phases, and in that of registration within a phase.
	Systems []SystemDescription `json:"systems,omitempty"`
	// Components and Groups are in the order of registration.
	Components []ComponentDescription `json:"components,omitempty"`
	Groups     []GroupDescription     `json:"groups,omitempty"`
	// Tables are listed in the order in which they were made.
	Tables []TableDescription `json:"tables,omitempty"`
	// Resources are types, sorted.
	Resources []string `json:"resources,omitempty"`
}

// SystemDescription has the position of a system in the frame, and the components that it touches.
type SystemDescription struct {
	Name   string   `json:"name"`
	Phase  string   `json:"phase"`
	Sets   []string `json:"sets,omitempty"`
	Before []string `json:"before,omitempty"`
	After  []string `json:"after,omitempty"`
	Paused bool     `json:"paused,omitempty"`
	// Reads and Writes are components, or fields of them. Rows that lack a component of With, or have
	// one of Without, are passed over.
	Reads   []string `json:"reads,omitempty"`
	Writes  []string `json:"writes,omitempty"`
	With    []string `json:"with,omitempty"`
	Without []string `json:"without,omitempty"`
	// Or are lists of components. Rows have at least one of each list: "poison or fire".
	Or []string `json:"or,omitempty"`
	// Changed and Added are components that must have been written, or added, since the last run.
	Changed []string `json:"changed,omitempty"`
	Added   []string `json:"added,omitempty"`
	// Present count even if they are disabled, and Disabled must be. "entity" is the entity as a
	// whole.
	Present  []string `json:"present,omitempty"`
	Disabled []string `json:"disabled,omitempty"`
	// Pools are components that it reaches by handle.
	Pools []string `json:"pools,omitempty"`
	// Later are components that its commands change, as far as fields of type Later say so.
	Later []string `json:"later,omitempty"`
	// ResourcesRead and ResourcesWritten are types.
	ResourcesRead    []string `json:"resourcesRead,omitempty"`
	ResourcesWritten []string `json:"resourcesWritten,omitempty"`
	// OnlyIn are the groups that it goes over; empty: whatever matches.
	OnlyIn []string `json:"onlyIn,omitempty"`
}

// ComponentDescription is a component, and how it is stored.
type ComponentDescription struct {
	Name    string  `json:"name"`
	Type    string  `json:"type"`
	Bytes   int     `json:"bytes"`
	Storage Storage `json:"storage"`
	Reason  string  `json:"reason"`
}

// GroupDescription is a group and the components that it owns.
type GroupDescription struct {
	Name string   `json:"name"`
	Owns []string `json:"owns"`
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
		t.Line(2, "%s", s)
	}
	for _, c := range d.Components {
		t.Line(0, "component %s: %s, %s; %v, %s", c.Name, c.Type, lines.Count(c.Bytes, "byte", "bytes"), c.Storage, c.Reason)
	}
	for _, g := range d.Groups {
		t.Line(0, "group %s: %s", g.Name, strings.Join(g.Owns, ", "))
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
	return t.String()
}

// String is a line about the system.
func (s SystemDescription) String() string {
	var b strings.Builder
	b.WriteString(s.Name)
	if s.Paused {
		b.WriteString(" (paused)")
	}
	by := ": "
	for _, part := range []struct {
		does string
		what []string
	}{
		{"writes", s.Writes}, {"reads", s.Reads}, {"with", s.With}, {"without", s.Without}, {"any of", s.Or},
		{"changed", s.Changed}, {"added", s.Added}, {"present", s.Present}, {"disabled", s.Disabled}, {"pools", s.Pools}, {"later", s.Later},
		{"writes resources", s.ResourcesWritten}, {"reads resources", s.ResourcesRead}, {"only in", s.OnlyIn},
		{"in", s.Sets}, {"before", s.Before}, {"after", s.After},
	} {
		if len(part.what) > 0 {
			fmt.Fprintf(&b, "%s%s %s", by, part.does, strings.Join(part.what, ", "))
			by = "; "
		}
	}
	return b.String()
}
