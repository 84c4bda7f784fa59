package profile

import "slices"

// version is the version of the text form that this package writes.
const version = 1

// Profile is facts and hints. The zero value has none. A run fills the facts and a person the hints;
// no function changes its argument, since results share memory with it.
type Profile struct {
	World      string // name of the world that they are about; "": every world
	Frames     uint64 // that the facts are sums over
	Sampled    uint64 // of them, the frames in which Lookups were counted
	Hints      Hints
	Components []Component // by name
	Stored     []Stored    // by component
	Groups     []Group     // by name
	Shared     []Shared    // by group and component
	Lookups    []Lookup    // by component and system
	Systems    []System    // in the order in which they run
	Worlds     []Profile   // facts and hints about further worlds, by name
}

// Empty reports whether a profile has no facts and no hints.
func (p Profile) Empty() bool {
	return !p.hasFacts() && !slices.ContainsFunc(p.flat(), func(w Profile) bool { return w.count() > 0 })
}

// hasFacts reports whether the profile has facts of a run, about whatever world.
func (p *Profile) hasFacts() bool {
	return slices.ContainsFunc(p.Worlds, func(w Profile) bool { return w.hasFacts() }) || max(p.Frames, p.Sampled) > 0 || len(p.Components)+len(p.Stored)+len(p.Groups)+len(p.Shared)+len(p.Lookups)+len(p.Systems) > 0
}

// count is the number of statements that a program acts on, in a profile about one world.
func (p *Profile) count() int {
	h := &p.Hints
	n := len(h.Cold) + len(h.Pinned) + len(h.Views)
	for _, one := range []bool{h.Off, h.Budget != Budget{}, h.Goal.Frame != 0, h.Goal.Resident != 0} {
		if one {
			n++
		}
	}
	return n
}
