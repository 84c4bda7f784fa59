package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"github.com/ashlar-go/ashlar/profile"
)

// MapTop is how many groups the commands list unless told otherwise: with the regions
// folded, a map of any size then fits a screen of 50 lines and 100 columns.
const MapTop = 18

// MapOptions chooses the content of a picture of a map. The zero value shows everything, by group.
type MapOptions struct {
	By    By             // the content of a cell; "" is ByGroup
	Top   int            // how many groups are listed, with regions folded to fit; 0: all groups, and each region
	Group *regexp.Regexp // only the groups with a name that matches; nil: all
}

// scene is the part of a map that a picture shows. sceneOf fills it; drawing changes nothing.
type scene struct {
	MapOptions
	m       profile.Map // its chunks are the visible ones
	rs      []row       // the regions with such chunks
	without int         // regions that have none, and are left out
	scale   scale       // of all chunks, so that pictures of parts compare
	listed  []group     // in slots of their own, the largest first
	rest    group       // the sum of the unlisted ones
	more    int         // how many groups that is
	shared  group       // the sum of groups that share slots
	sharing []string    // their names
	number  map[string]int
}

// sceneOf selects regions and chunks. It fails if no group's name matches.
func sceneOf(m profile.Map, o MapOptions) (scene, error) {
	o.By = cmp.Or(o.By, ByGroup)
	s := scene{MapOptions: o, m: m, rs: rows(m), scale: scaleOf(m), number: map[string]int{}}
	if o.Group != nil {
		if err := s.keep(); err != nil {
			return scene{}, err
		}
	}
	s.listed, s.shared, s.sharing = groups(s.m)
	s.shared.name = plural(len(s.sharing), "group") + " of few rows"
	for i, g := range s.listed {
		s.number[g.name] = i
	}
	if o.Top > 0 && len(s.listed) > o.Top {
		rest := s.listed[o.Top:]
		s.listed, s.more = s.listed[:o.Top], len(rest)
		s.rest.name = plural(s.more, "other group")
		for _, g := range rest {
			s.rest.add(g)
		}
	}
	return s, nil
}

// namesShown is how many groups that share slots are named.
const namesShown = 3

// sharingList names groups that share slots: the first ones, and more of them where they were asked for.
func (s *scene) sharingList() string {
	shown := namesShown
	switch {
	case s.Group == nil:
	case s.Top == 0:
		shown = len(s.sharing)
	default:
		shown = max(shown, s.Top-len(s.listed))
	}
	return firstOf(s.sharing, shown)
}

// keep leaves out the chunks of groups that don't match, and regions that have no others. The slots of hidden
// groups are of others then.
func (s *scene) keep() error {
	all := s.m.Chunks
	s.m.Chunks = slices.DeleteFunc(slices.Clone(all), func(c profile.Placed) bool { return !s.Group.MatchString(c.Group) })
	if len(s.m.Chunks) == 0 {
		return noMatch(s.Group, all)
	}
	var kept []row
	for i, r := range rows(s.m) {
		for j := range r.cells {
			if c := &r.cells[j]; len(c.chunks) == 0 && len(s.rs[i].cells[j].chunks) > 0 {
				c.state = others
			}
		}
		if r.sum(func(c cell) bool { return len(c.chunks) > 0 }); r.inUse > 0 {
			kept = append(kept, r)
		}
	}
	s.without, s.rs = len(s.rs)-len(kept), kept
	return nil
}

func noMatch(expression *regexp.Regexp, chunks []profile.Placed) error {
	if len(chunks) == 0 {
		return fmt.Errorf("no group's name matches %q: the map has no groups", expression)
	}
	var names []string
	all, _, _ := groups(profile.Map{Chunks: chunks}) // no regions: chunks in blocks, too
	for _, g := range all {
		names = append(names, brief(g.name))
	}
	return fmt.Errorf("no group's name matches %q: the largest groups are %s", expression, firstOf(names, namesShown))
}

// standsFor says which slot a cell of several shows.
func (s *scene) standsFor() string {
	switch {
	case s.By == ByHeat:
		return "the hottest"
	case s.Group != nil:
		return "most of those shown"
	}
	return "most of them"
}
