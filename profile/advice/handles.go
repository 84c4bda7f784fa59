package advice

import (
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/internal/text"
)

// A system that reads a component by handle this often for each 100 rows that it walks may read
// that of the rows' own entities. One that reads more reads other entities.
const handlesLeast, handlesMost = 50, 150

// handle finds components that a system reads by handle, about once for each row that it walks.
// As a field of its struct they are passed in place or gathered in one pass. A system that has
// such a field already reads other entities by handle.
func handle(x in) (lines []Line) {
	for _, w := range x.walks {
		read := x.readByHandle(w)
		for _, l := range read {
			most, left := uint64(lookupPs), uint64(gatheredPs)
			if x.inPlace(w, l.Component) {
				most, left = orderedPs, x.placed(l.Component)
			}
			cost := min(above(w.ps, ownPs)/uint64(len(read)+len(w.gathered)), most)
			reads := min(l.Reads/w.Frames, w.rows)
			lines = append(lines, Line{
				Rule: "handle", System: w.Name, Group: l.Component, Time: w.inFrame(times(above(cost, left), reads)),
				Why: fmt.Sprintf("System %s reads %s by handle %d times a run, and walks %d rows.", text.Quote(w.Name), text.Quote(l.Component), l.Reads/w.Frames, w.rows),
				Code: fmt.Sprintf("If these are the entities that it walks, in the struct of %s: a field []%s, or []F `ashlar:\"%s.Field\"`",
					text.Quote(w.Name), title(l.Component), l.Component),
			})
		}
	}
	return lines
}

// placed is the picoseconds of a row for a component that lies beside the others.
func (x in) placed(component string) uint64 {
	if bytes := x.p.Size(component); times(x.rowsOf(component), bytes) > x.cached {
		return max(placePs, nextPs*min(bytes, lineBytes)/lineBytes)
	}
	return placePs
}

// readByHandle lists the components that a system reads by handle about once for each row.
func (x in) readByHandle(w walk) (list []profile.Lookup) {
	if w.rows == 0 || w.ps == 0 {
		return nil
	}
	for _, l := range x.p.Lookups {
		per := share(100, l.Reads/w.Frames, w.rows)
		field := slices.ContainsFunc(w.Access, func(a profile.Access) bool { return a.Component == l.Component })
		if l.System == w.Name && per >= handlesLeast && per <= handlesMost && !field {
			list = append(list, l)
		}
	}
	return list
}

// inPlace reports whether all groups that a system walks have a component.
func (x in) inPlace(w walk, component string) bool {
	return !slices.ContainsFunc(x.p.Groups, func(g profile.Group) bool {
		return slices.Contains(w.groups, g.Name) && !slices.Contains(g.Owns, component)
	})
}
