package profile

import "time"

// Hints are requests of a developer. A program drops and counts the statements about names that
// it lacks.
type Hints struct {
	Off    bool // adapt nothing
	Budget Budget
	Goal   Goal
	Cold   []string // groups with chunks in the range for rarely used memory
	Pinned []string // groups with chunks that never move
	Views  []View
}

// Budget bounds the time and bytes of a manager at one safe point. Zero leaves the default.
type Budget struct {
	Time  time.Duration `key:"time" what:"time" if:"set" merge:"either"`
	Bytes uint64        `key:"bytes" as:"bytes" if:"set" merge:"either"`
}

// Goal is a program's target for memory and time. Zero states none. Goals change when memory is
// purged and how much is moved at a time, never a result.
type Goal struct {
	Resident uint64        // bytes that chunks may keep resident; above them idle memory is purged at any age
	Frame    time.Duration // intended time of a frame; moves and purging get a share of it
}

// View says how a system gets a component that its group does not own.
type View struct {
	System    string `what:"the system's name"`
	Component string `what:"the component's name"`                                  // with a dot and a field's path, if only a field is meant
	Choice    string `what:"choice" of:"direct gathered cached none" merge:"equal"` // "none" is no view
}

// Lines returns the hints as statements of the text form.
func (h Hints) Lines() (lines []string) {
	p := Profile{Hints: h}
	for _, s := range p.statements() {
		lines = append(lines, s.line())
	}
	return lines
}
