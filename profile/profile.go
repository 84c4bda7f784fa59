package profile

import (
	"slices"
	"time"
)

// version is the version of the text form that this package writes.
const version = 1

// Profile is the facts of a run. The zero value has none. No function changes its argument, since results
// share memory with it.
type Profile struct {
	World      string        // name of the world that they are about; "": every world
	Frames     uint64        // that the facts are sums over
	Sampled    uint64        // of them, the frames in which Lookups were counted
	Early      time.Duration // by how much the first 100 frames took longer than as many usual ones; 0: not, or not known
	Layout     string        // hash of the layout that the run went by; "": none
	Laid       []string      // of its statements, those for which the record does not speak
	Components []Component   // by name
	Handles    []Handle      // by field
	Stored     []Stored      // by component
	Groups     []Group       // by name
	Growth     []Growth      // by group, then by frame
	Shared     []Shared      // by group and component
	Lookups    []Lookup      // by component and system
	Systems    []System      // in the order in which they run
	Worlds     []Profile     // facts about further worlds, by name
}

// hasFacts reports whether the profile has facts of a run, about whatever world.
func (p Profile) hasFacts() bool {
	return slices.ContainsFunc(p.Worlds, Profile.hasFacts) || max(p.Frames, p.Sampled) > 0 || p.Early > 0 || p.Layout != "" || len(p.Laid)+len(p.Components)+len(p.Handles)+len(p.Stored)+len(p.Groups)+len(p.Growth)+len(p.Shared)+len(p.Lookups)+len(p.Systems) > 0
}
