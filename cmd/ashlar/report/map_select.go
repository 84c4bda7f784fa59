package report

import (
	"cmp"
	"fmt"
	"regexp"

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
	s.listed = sorted(groups(s.m))
	for i, g := range s.listed {
		s.number[g.name] = i
	}
	if o.Top > 0 && len(s.listed) > o.Top {
		rest := s.listed[o.Top:]
		s.listed, s.more = s.listed[:o.Top], len(rest)
		s.rest = sum(rest)
		s.rest.name = plural(s.more, "other group")
	}
	return s, nil
}

// keep leaves out the chunks of groups that don't match, and regions that have no others.
func (s *scene) keep() error {
	all := groups(profile.Map{Chunks: s.m.Chunks}) // no regions: chunks in blocks, too
	shown := map[string]bool{}
	for _, g := range all {
		if s.Group.MatchString(g.name) {
			shown[g.name] = true
		}
	}
	if len(shown) == 0 {
		return noMatch(s.Group, all)
	}
	var chunks []profile.Placed
	for _, c := range s.m.Chunks {
		if shown[c.Group] {
			chunks = append(chunks, c)
		}
	}
	var rs []row
	for _, r := range s.rs {
		if r.keep(shown); r.inUse > 0 {
			rs = append(rs, r)
		}
	}
	s.without = len(s.rs) - len(rs)
	s.m.Chunks, s.rs = chunks, rs
	return nil
}

// keep gives the slots of hidden groups to another group, and counts the others.
func (r *row) keep(shown map[string]bool) {
	r.inUse, r.bytes = 0, 0
	for i := range r.cells {
		c := &r.cells[i]
		var bytes uint64
		switch c.state {
		default:
			continue
		case used, spare:
			if !shown[c.chunk.Group] {
				*c = cell{state: others}
				continue
			}
			bytes = c.chunk.Bytes
		case blocks:
			var shared []*profile.Placed
			for _, p := range c.shared {
				if shown[p.Group] {
					shared = append(shared, p)
					bytes += p.Bytes
				}
			}
			if c.shared = shared; len(shared) == 0 {
				*c = cell{state: others}
				continue
			}
		}
		r.inUse++
		r.bytes += bytes
	}
}

func noMatch(expression *regexp.Regexp, all []group) error {
	if len(all) == 0 {
		return fmt.Errorf("no group's name matches %q: the map has no groups", expression)
	}
	var names []string
	for _, g := range sorted(all) {
		names = append(names, brief(g.name))
	}
	return fmt.Errorf("no group's name matches %q: the largest groups are %s", expression, firstOf(names, namesShown))
}
