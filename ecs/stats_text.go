package ecs

import (
	"fmt"
	"strings"

	"github.com/ashlar-go/ashlar/ecs/internal/lines"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Stats is the state of a world, and sums over its frames. World.Stats fills a copy, which refers to
// nothing of the world. String shows it to people, and encoding/json to programs.
type Stats struct {
	// Frame is how many frames have ended; Entities is how many live.
	Frame    uint64 `json:"frame"`
	Entities int    `json:"entities"`
	// Unseen is how many entities have a handle that nobody has seen: see Spawner.SpawnAll.
	Unseen int `json:"unseen,omitempty"`
	// Tables is how many there are, of groups and of thin components too; Systems is how many
	// are registered.
	Tables  int `json:"tables"`
	Systems int `json:"systems"`
	// Components says how each is stored and why, in the order of registration.
	Components []ComponentStats `json:"components,omitempty"`
	// Groups says what each owns, and how many members it has.
	Groups []GroupStats `json:"groups,omitempty"`
	// Views are the views of systems; Sorts counts the work of each SortAs.
	Views []ViewStats `json:"views,omitempty"`
	Sorts []SortStats `json:"sorts,omitempty"`
	// Events are sorted by type.
	Events []EventStats `json:"events,omitempty"`
	// Locked is how many entities some lock or contract holds.
	Locked int `json:"locked"`
	// Waiting is how many commands wait for a safe point, and Dropped how many were not carried
	// out. Drops are the last of these, at most 256, the oldest first.
	Waiting int              `json:"waiting"`
	Dropped uint64           `json:"dropped"`
	Drops   []DroppedCommand `json:"drops,omitempty"`
	// Abandoned is the error of the next Run after a panic of a system: which one, in which
	// frame, and how much had run. It is empty if none has.
	Abandoned string `json:"abandoned,omitempty"`
	// Tidied is how many bytes of words that named no row were given back as there came to be
	// fewer entities, apart from the bytes of Memory.
	Tidied uint64 `json:"tidied"`
	// Memory is the manager's.
	Memory memmgr.Stats `json:"memory"`
}

// ComponentStats says how a component is stored, and why. World.Stats fills it.
type ComponentStats struct {
	Name string `json:"name"`
	// Type is the Go type, and Bytes is its size.
	Type  string `json:"type"`
	Bytes int    `json:"bytes"`
	// Group is the group that owns the component, which stores it as it was declared. It is
	// empty for a component of tables.
	Group string `json:"group,omitempty"`
	// Storage is Stable, Volatile or Thin; while the component changes over, the new way.
	Storage Storage `json:"storage"`
	// Reason says why, in words, such as "by default", "stated" or "removed often".
	Reason string `json:"reason"`
	// Since is the number of the frame in which that was decided; 0: from the start.
	Since uint64 `json:"since,omitempty"`
	// Changing says that some values are still stored in another way.
	Changing bool `json:"changing,omitempty"`
	// Entities is how many have the component, and Tables in how many tables they are.
	Entities int `json:"entities"`
	Tables   int `json:"tables"`
	// Removed is removes a frame; 0 if nothing was counted of late.
	Removed float64 `json:"removed,omitempty"`
}

// GroupStats has the components that a group owns, and how many members it has.
type GroupStats struct {
	Name    string   `json:"name"`
	Owns    []string `json:"owns"`
	Members int      `json:"members"`
}

// ViewStats counts the work of a view of a shared component. World.Stats fills it.
type ViewStats struct {
	Group     string `json:"group"` // the group or table
	Component string `json:"component"`
	Field     string `json:"field,omitempty"`
	Readers   int    `json:"readers"`   // systems that asked for it in the last frame
	Built     uint64 `json:"built"`     // chunks gathered as a whole
	Refreshed uint64 `json:"refreshed"` // chunks in which rows that may have changed were gathered
	Reused    uint64 `json:"reused"`    // chunks that were good as they were
	Bytes     uint64 `json:"bytes"`     // gathered
	Kept      bool   `json:"kept"`      // some system used it lately
	Dropped   uint64 `json:"dropped"`   // bytes given back; views side by side that are dropped together are counted with the first
}

// SortStats counts the work of a SortAs.
type SortStats struct {
	Rows    string `json:"rows"`    // the group that is sorted
	As      string `json:"as"`      // and its readers
	Swapped uint64 `json:"swapped"` // rows that were put where they belong
	Rounds  uint64 `json:"rounds"`  // how often the last of the readers was reached
}

// dropsShown is how many of the drops a text shows.
const dropsShown = 5

// EventStats counts the events of a type.
type EventStats struct {
	Type string `json:"type"`
	// Written is how many there were, Kept how many there are, and Dropped how many have gone before
	// some reader came to them.
	Written uint64 `json:"written"`
	Kept    int    `json:"kept"`
	Dropped uint64 `json:"dropped,omitempty"`
}

// String is lines of at most 80 columns, without the parts that are empty.
func (s Stats) String() string {
	var t lines.Text
	unseen := ""
	if s.Unseen > 0 {
		unseen = fmt.Sprintf(" (%d unseen)", s.Unseen)
	}
	t.Line(0, "frame %d: %s%s, %s, %s", s.Frame, lines.Count(s.Entities, "entity", "entities"), unseen, lines.Count(s.Tables, "table", "tables"), lines.Count(s.Systems, "system", "systems"))
	for _, c := range s.Components {
		t.Line(0, "component %s", c)
	}
	for _, g := range s.Groups {
		t.Line(0, "group %s of %s: %s", g.Name, strings.Join(g.Owns, ", "), lines.Count(g.Members, "member", "members"))
	}
	for _, v := range s.Views {
		name := v.Component
		if v.Field != "" {
			name += "." + v.Field
		}
		kept := "not kept"
		if v.Kept {
			kept = "kept"
		}
		t.Line(0, "view of %s in %s: %s, %s; %s gathered, %s refreshed, %s used again", name, v.Group, lines.Count(v.Readers, "reader", "readers"), kept, lines.Count(v.Built, "chunk", "chunks"), lines.Count(v.Refreshed, "chunk", "chunks"), lines.Count(v.Reused, "chunk", "chunks"))
	}
	for _, x := range s.Sorts {
		t.Line(0, "%s sorted as %s: %s swapped, %s", x.Rows, x.As, lines.Count(x.Swapped, "row", "rows"), lines.Count(x.Rounds, "round", "rounds"))
	}
	for _, x := range s.Events {
		t.Line(0, "events of %s: %d written, %d kept, %d dropped unread", x.Type, x.Written, x.Kept, x.Dropped)
	}
	if s.Locked > 0 {
		t.Line(0, "locks hold %s", lines.Count(s.Locked, "entity", "entities"))
	}
	if s.Waiting > 0 || s.Dropped > 0 {
		t.Line(0, "commands: %d wait, %d dropped", s.Waiting, s.Dropped)
	}
	for _, d := range s.Drops[max(0, len(s.Drops)-dropsShown):] {
		t.Line(2, "%v", d)
	}
	if s.Abandoned != "" {
		t.Line(0, "%s", s.Abandoned)
	}
	if s.Tidied > 0 {
		t.Line(0, "words: %s given back", lines.Size(s.Tidied))
	}
	t.Line(0, "memory: %s of rows in %s, %s live, %s committed", lines.Size(s.Memory.Payload), lines.Count(s.Memory.Chunks, "chunk", "chunks"), lines.Size(s.Memory.Arena.Live), lines.Size(s.Memory.Arena.Committed))
	return t.String()
}

// String is a line about the component.
func (c ComponentStats) String() string {
	reason := c.Reason
	if c.Group != "" {
		reason += " " + c.Group
	}
	line := fmt.Sprintf("%s: %s, %s; %v, %s; %s in %s", c.Name, c.Type, lines.Count(c.Bytes, "byte", "bytes"), c.Storage, reason, lines.Count(c.Entities, "entity", "entities"), lines.Count(c.Tables, "table", "tables"))
	if c.Changing {
		line += ", changing over"
	}
	return line
}
