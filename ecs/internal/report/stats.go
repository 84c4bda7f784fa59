package report

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs/internal/order"
	"github.com/ashlar-go/ashlar/ecs/internal/shared"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Stats is the state of a world, and what it has done so far. It is as good as any value: it
// refers to nothing of the world. String shows it to people, and encoding/json to programs.
type Stats struct {
	// Frame is how many frames have ended; Entities is how many live.
	Frame    uint64 `json:"frame"`
	Entities int    `json:"entities"`
	// Tables is how many there are, of groups and of thin components too; Systems is how many
	// are registered.
	Tables  int `json:"tables"`
	Systems int `json:"systems"`
	// Components says how each is stored and why, in the order of registration.
	Components []Component `json:"components,omitempty"`
	// Groups says how many members each has.
	Groups []Group `json:"groups,omitempty"`
	// Views are those that systems have asked for; Sorts is what each SortAs has done.
	Views []shared.Stats `json:"views,omitempty"`
	Sorts []order.Stats  `json:"sorts,omitempty"`
	// Contracts are of schemas of structs, sorted by name.
	Contracts []Contracts `json:"contracts,omitempty"`
	// Locked is how many entities some lock or contract holds.
	Locked int `json:"locked"`
	// Waiting is how many commands wait for a safe point, and Dropped how many were not carried
	// out. Drops are the last of these, at most 256, the oldest first.
	Waiting int    `json:"waiting"`
	Dropped uint64 `json:"dropped"`
	Drops   []Drop `json:"drops,omitempty"`
	// Abandoned is what the next Run returns because a system has panicked: which one, in which
	// frame, and how much had run. It is empty if none has.
	Abandoned string `json:"abandoned,omitempty"`
	// Tidied is how many bytes of words that named no row were given back as there came to be
	// fewer entities, apart from what Memory counts.
	Tidied uint64 `json:"tidied"`
	// Memory is the manager's.
	Memory memmgr.Stats `json:"memory"`
}

// Component says how a component is stored, and why.
type Component struct {
	Name string `json:"name"`
	// Group is the group that owns the component, which stores it as it was declared. It is
	// empty for a component of tables.
	Group string `json:"group,omitempty"`
	// Storage is Stable, Volatile or Thin; while the component changes over, what it will be.
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
	// Removed is removes a frame. Limit is the number of them above which the component is not
	// worth a column of its own tables. Both are 0 if nothing was counted of late.
	Removed float64 `json:"removed,omitempty"`
	Limit   float64 `json:"limit,omitempty"`
}

// Group is how many members a group has.
type Group struct {
	Name    string `json:"name"`
	Members int    `json:"members"`
}

// Contracts count what the contracts of a schema had to do.
type Contracts struct {
	Schema string `json:"schema"`
	// Rechecks is how often one found, as it was used, that something in the world had moved
	// or gone since it was used last. Refreshes is how often its own entity had.
	Rechecks  uint64 `json:"rechecks"`
	Refreshes uint64 `json:"refreshes"`
}

// dropsShown is how many of the drops a text shows.
const dropsShown = 5

// String is lines of at most 80 columns, with what there is something to say about.
func (s Stats) String() string {
	var t text
	t.line(0, "frame %d: %s, %s, %s", s.Frame, count(s.Entities, "entity", "entities"), count(s.Tables, "table", "tables"), count(s.Systems, "system", "systems"))
	for _, c := range s.Components {
		t.line(0, "component %s", c)
	}
	for _, g := range s.Groups {
		t.line(0, "group %s: %s", g.Name, count(g.Members, "member", "members"))
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
		t.line(0, "view of %s in %s: %s, %s; %s gathered, %s refreshed, %s used again", name, v.Group, count(v.Readers, "reader", "readers"), kept, count(v.Built, "chunk", "chunks"), count(v.Refreshed, "chunk", "chunks"), count(v.Reused, "chunk", "chunks"))
	}
	for _, x := range s.Sorts {
		t.line(0, "%s sorted as %s: %s looked up, %s swapped, %s", x.Rows, x.As, count(x.Looked, "row", "rows"), count(x.Swapped, "row", "rows"), count(x.Rounds, "round", "rounds"))
	}
	for _, c := range s.Contracts {
		t.line(0, "contracts of %s: %s, %s", c.Schema, count(c.Rechecks, "recheck", "rechecks"), count(c.Refreshes, "refresh", "refreshes"))
	}
	if s.Locked > 0 {
		t.line(0, "locks hold %s", count(s.Locked, "entity", "entities"))
	}
	if s.Waiting > 0 || s.Dropped > 0 {
		t.line(0, "commands: %d wait, %d dropped", s.Waiting, s.Dropped)
	}
	for _, d := range s.Drops[max(0, len(s.Drops)-dropsShown):] {
		t.line(2, "%v", d)
	}
	if s.Abandoned != "" {
		t.line(0, "%s", s.Abandoned)
	}
	if s.Tidied > 0 {
		t.line(0, "words: %s given back", bytes(s.Tidied))
	}
	t.line(0, "memory: %s of rows in %s, %s live, %s committed", bytes(s.Memory.Payload), count(s.Memory.Chunks, "chunk", "chunks"), bytes(s.Memory.Arena.Live), bytes(s.Memory.Arena.Committed))
	return t.String()
}

// String is a line about the component.
func (c Component) String() string {
	reason := c.Reason
	if c.Group != "" {
		reason += " " + c.Group
	}
	line := fmt.Sprintf("%s, %v: %s, %s in %s", c.Name, c.Storage, reason, count(c.Entities, "entity", "entities"), count(c.Tables, "table", "tables"))
	if c.Changing {
		line += ", changing over"
	}
	return line
}
