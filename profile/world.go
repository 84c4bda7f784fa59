package profile

import (
	"cmp"
	"slices"

	"github.com/ashlar-go/ashlar/profile/internal/text"
)

// byWorld splits a profile by world: first the statements about every world, then statements about
// named ones, by name. The parts have no Worlds. A world without statements has no part.
func (p Profile) byWorld() []Profile { return worlds(p.statements()) }

// ofWorld returns only the statements about the world of that name, or statements about every world if the
// name is "".
func (p Profile) ofWorld(world string) Profile {
	for _, q := range p.byWorld() {
		if q.World == world {
			return q
		}
	}
	return Profile{World: world}
}

// Runs returns the facts about each world, or a profile without facts if there are none.
func (p Profile) Runs() (runs []Profile) {
	if runs = p.byWorld(); len(runs) == 0 {
		runs = []Profile{{}}
	}
	return runs
}

// WithFacts replaces facts by a new run's. The facts of worlds that the run has no facts of stay.
func (p Profile) WithFacts(run Profile) Profile {
	list := run.statements()
	again := make(map[string]bool)
	for _, s := range list {
		again[s.world] = true
	}
	for _, s := range p.statements() {
		if !again[s.world] {
			list = append(list, s)
		}
	}
	return assemble(list).canonical()
}

// flat returns the parts of a profile, by the name of their world.
func (p Profile) flat() (list []Profile) {
	for _, w := range p.Worlds {
		list = append(list, w.flat()...)
	}
	p.Worlds = nil
	list = append(list, p)
	slices.SortStableFunc(list, func(a, b Profile) int { return cmp.Compare(a.World, b.World) })
	return list
}

// worlds makes a profile of the statements about each world.
func worlds(list []statement) (parts []Profile) {
	places := make(map[string]int)
	for _, s := range list {
		i, seen := places[s.world]
		if !seen {
			i = len(parts)
			places[s.world] = i
			parts = append(parts, Profile{World: s.world})
		}
		s.into(&parts[i], s.value.Addr().Interface())
	}
	slices.SortFunc(parts, func(a, b Profile) int { return cmp.Compare(a.World, b.World) })
	return parts
}

// assemble is the inverse of statements. The profile shares no memory with others.
func assemble(list []statement) (p Profile) {
	parts := worlds(list)
	if len(parts) == 1 || len(parts) > 0 && parts[0].World == "" {
		p, parts = parts[0], parts[1:]
	}
	if len(parts) > 0 {
		p.Worlds = parts
	}
	return p
}

// about identifies the statement in a file: the world, if it has a name, and the subject.
func (s statement) about() string { return InWorld(s.world, s.subject) }

// InWorld puts the name of a world before a text, if it has one.
func InWorld(world, text string) string {
	if world == "" {
		return text
	}
	return worldTitle(world) + ": " + text
}

// worldTitle is the line below which statements are about a world.
func worldTitle(name string) string { return "world " + text.Quote(name) }
