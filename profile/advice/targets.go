package advice

import (
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/internal/text"
	"github.com/ashlar-go/ashlar/profile/layout"
)

const (
	farPs  = 40000 // to read a value by handle that lies anywhere in more memory than the caches have
	nearPs = 3000  // to read one that lies beside the one before
	sortPs = 60000 // to sort a row by a key, its columns included

	sortShare = 20 // sorting may cost one part in so many of its gain (TestLayoutTargets)
	sortEvery = 60 // frames between two sorts at least: a second of a game
)

// targets finds systems that walk rows with a handle, and read by it values that lie far apart, in more
// memory than the caches have. Sorted by where the targets lie, the rows read them one after the other.
func targets(x in) (list []layout.Statement) {
	seen := make(map[string]bool)
	for _, l := range x.p.Lookups {
		i := slices.IndexFunc(x.walks, func(w walk) bool { return w.Name == l.System })
		if i < 0 || 2*l.Far < l.Reads {
			continue
		}
		w := x.walks[i]
		handle, component := x.handleOf(w)
		reads := share(1, l.Reads, w.Frames)
		if handle == "" || seen[component] || x.own(w.groups, l.Component) || w.rows == 0 || reads < w.rows/2 || times(x.rowsOf(l.Component), max(x.p.Size(l.Component), lineBytes)) < x.cached {
			continue
		}
		seen[component] = true
		gain := times(reads, farPs-nearPs)
		every := max(share(sortShare, times(w.rows, sortPs), max(gain, 1)), sortEvery)
		list = append(list, layout.Statement{
			Word: layout.Sort, Name: component, With: handle, N: int(min(rounded2(every), 1<<31-1)),
			Why: fmt.Sprintf("%s reads %s by handle %d times a run, %d %% far from the one before; about %v a frame less",
				text.Quote(w.Name), text.Quote(l.Component), reads, share(100, l.Far, l.Reads), rounded(w.inFrame(gain))),
		})
	}
	return list
}

// own reports whether one of some groups has a component. Rows that are sorted by others of their own kind move
// these, too.
func (x in) own(groups []string, component string) bool {
	return slices.ContainsFunc(x.p.Groups, func(g profile.Group) bool {
		return slices.Contains(groups, g.Name) && slices.Contains(g.Owns, component)
	})
}

// handleOf is the one field that refers to entities of all components that a system walks in place, and its
// component; "" if there are none or several.
func (x in) handleOf(w walk) (field, component string) {
	for _, a := range w.Access {
		if a.Scattered || a.Component == component {
			continue
		}
		for _, h := range x.p.Handles {
			if isPart(h.Field, a.Component) {
				if field != "" {
					return "", ""
				}
				field, component = h.Field, a.Component
			}
		}
	}
	return field, component
}

// rowsOf is how many rows have a component, on average.
func (x in) rowsOf(component string) (n uint64) {
	for _, g := range x.p.Groups {
		if slices.Contains(g.Owns, component) {
			n += share(1, g.Rows, x.p.Frames)
		}
	}
	return n
}
