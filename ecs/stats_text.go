package ecs

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs/internal/lines"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Stats is the state of a world, and sums over its frames. World.Stats fills a copy, which refers to
// nothing of the world. String shows it to people, and encoding/json to programs.
type Stats struct {
	// Unseen is how many entities have a handle that nobody has seen: see Spawner.SpawnAll.
	Unseen int `json:"unseen,omitempty"`
	// Components says how each is stored and why, in the order of registration.
	Components []ComponentStats `json:"components,omitempty"`
	// Waiting is how many commands wait for a safe point, and Dropped how many were not carried
	// out. Drops are the last of these, at most 256, the oldest first: who asked, in which frame, for what change of
	// which entity, and why it was dropped, which errors.Is tells.
	Waiting int     `json:"waiting"`
	Dropped uint64  `json:"dropped"`
	Drops   []error `json:"drops,omitempty"`
	// Abandoned is the error of the next Run after a panic of a system: which one, in which
	// frame, and how much had run. It is empty if none has.
	Abandoned string `json:"abandoned,omitempty"`
	// Memory is the manager's.
	Memory memmgr.Stats `json:"memory"`
}

// ComponentStats says how a component is stored, and why. World.Stats fills it.
type ComponentStats struct {
	Name string `json:"name"`
	// Bytes is the size of its Go type.
	Bytes int `json:"bytes"`
	// Group is the group that owns the component, which stores it as it was declared. It is
	// empty for a component of tables.
	Group string `json:"group,omitempty"`
	// Storage is Stable, Volatile or Thin; while the component changes over, the new way.
	Storage Storage `json:"storage"`
	// Reason says why, in words, such as "by default", "stated" or "removed often".
	Reason string `json:"reason"`
	// Entities is how many have the component, and Tables in how many tables they are.
	Entities int `json:"entities"`
	Tables   int `json:"tables"`
}

// dropsShown is how many of the drops a text shows.
const dropsShown = 5

// String is lines of at most 80 columns, without the parts that are empty.
func (s Stats) String() string {
	var t lines.Text
	if s.Unseen > 0 {
		t.Line(0, "%s without a handle that was seen", lines.Count(s.Unseen, "entity", "entities"))
	}
	for _, c := range s.Components {
		t.Line(0, "component %s", c)
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
	t.Line(0, "memory: %s of rows in %s, %s live, %s committed", lines.Size(s.Memory.Payload), lines.Count(s.Memory.Chunks, "chunk", "chunks"), lines.Size(s.Memory.Arena.Live), lines.Size(s.Memory.Arena.Committed))
	return t.String()
}

// String is a line about the component.
func (c ComponentStats) String() string {
	reason := c.Reason
	if c.Group != "" {
		reason += " " + c.Group
	}
	return fmt.Sprintf("%s: %s; %v, %s; %s in %s", c.Name, lines.Count(c.Bytes, "byte", "bytes"), c.Storage, reason, lines.Count(c.Entities, "entity", "entities"), lines.Count(c.Tables, "table", "tables"))
}
