package profile

import "time"

// Profile is facts and intent. The zero value knows nothing and asks for nothing.
type Profile struct {
	Frames     uint64      // that the facts stand for
	Components []Component // by name
	Stored     []Stored    // by component
	Groups     []Group     // by name
	Shared     []Shared    // by group and component
	Systems    []System    // in the order in which they run
	Intent     Intent
}

// Component is the shape of a component, by which a profile tells that it is
// still about the same one.
type Component struct {
	Name        string
	Size, Align int // bytes
}

// Group is a sequence of chunks as it was seen at the end of frames. A table is a group
// that nobody declared; its name says what it owns, see [TableName].
type Group struct {
	Name   string
	Owns   []string // components, in the order of their columns
	Rows   uint64   // summed over frames: Rows/Frames is the mean
	Chunks uint64   // summed over frames
	Peak   uint64   // most rows at the end of any frame
	Last   uint64   // rows at the end of the last frame
}

// System is what one system did.
type System struct {
	Name    string
	Frames  uint64 // in which it ran
	Timed   uint64 // runs that Times are of
	Times   Times
	Misses  Misses
	Access  []Access // in the order of the walk: by group as visited, then by column
	Choices []Choice // by group and component
}

// Misses are counted where the machine has counters; Runs is 0 where it has not.
type Misses struct {
	Runs  uint64 // runs that were counted
	Cache uint64 // misses of the last level
	TLB   uint64 // misses of the data TLB
}

// Access is what one system did to one component's column in one group, summed
// over frames.
type Access struct {
	Group     string
	Component string
	Write     bool // read otherwise; writing includes reading
	Scattered bool // rows reached through the sparse index, not in sequence
	Rows      uint64
	Chunks    uint64
	Bytes     uint64
	// Unchanged is in how many runs that were looked at a system that declares to write
	// changed no value; 0 if it ever changed one.
	Unchanged uint64
}

// Intent is what a developer asks for. A name that is not known is dropped with a
// count when the profile is used.
type Intent struct {
	Off      bool // nothing is to be adapted
	Every    []Every
	Together [][]string // components that are used together
	Heat     []Heat
	Pinned   []string // groups whose chunks stay where they are
	Views    []View
	Budget   Budget
}

// Every says that a system is expected to run in one of so many frames.
type Every struct {
	System string
	Frames int
}

// Heat says how often a group is expected to be used.
type Heat struct {
	Group string
	Cold  bool // hot otherwise
}

// View says how a component that a system's group does not own is to be given to
// the system.
type View struct {
	System    string
	Component string // with a field's path behind a dot, if only that is meant
	Choice    string // "alias", "stream", "keep", or "none" for no view
}

// Budget bounds what a manager spends at one safe point. Zero leaves the default.
type Budget struct {
	Time  time.Duration
	Bytes uint64
}

// Map is where the chunks of a run lay at one moment, for people to look at.
type Map struct {
	Frame   uint64
	Whole   bool     // memory goes back by whole regions alone
	Regions []Region // in the order of their addresses
	Chunks  []Placed // by group, then by order
}

// Region is 2 MiB of address space, 32 slots: a bit a slot in each mask.
type Region struct {
	Range                    string // "normal", "huge", "cold"
	Number                   uint32 // counted within its range
	Free, Dirty, Quarantined uint32
	Blocks                   uint32 // slots that are cut into blocks, which chunks share
	Striped                  bool   // the columns of its chunks lie side by side
}

// Placed is where one chunk lies and how often it is used.
type Placed struct {
	Group  string
	Order  int // in the group; -1 for a spare
	Region int // index into Map.Regions
	Slot   int // in the region, 0 to 31
	Rows   uint64
	Bytes  uint64 // of rows
	Pins   int
	Moves  uint64 // how often it has moved
	Copied uint64 // bytes that its moves copied
	Heat   uint64 // bytes that systems asked for per 1,000 frames
}
