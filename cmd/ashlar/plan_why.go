package main

import (
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr/plan"
	"github.com/ashlar-go/ashlar/profile"
)

// movesShown is how many moves of an action are listed.
const movesShown = 32

// why is what is planned about one group, component, system or region, and what is
// known of it.
func (in *planInput) why(name string) (string, error) {
	p := profileAbout(in.profile.Profile, name)
	region := slices.IndexFunc(in.chunks.Regions, func(r plan.Region) bool { return isRegion(plan.RegionID{Range: r.Range, Number: r.Number}, name) })
	var groups []string
	for _, g := range in.chunks.Groups {
		if g.Name == name || slices.ContainsFunc(p.Groups, func(o profile.Group) bool { return o.Name == g.Name }) {
			groups = append(groups, g.Name)
		}
	}
	known := len(p.Groups)+len(p.Systems)+len(p.Components) > 0
	if region < 0 && len(groups) == 0 && !known && !asks(p.Intent) {
		return "", fmt.Errorf("neither %s nor a placement has a group, component, system or region %q: `ashlar profile show` lists names, and regions are called like %q", in.profile.Name, name, "huge 0")
	}
	var b strings.Builder
	in.head(&b)
	planned := 0
	for _, a := range in.actions() {
		var moves []string
		for _, m := range a.Moves {
			group := in.chunks.Groups[m.Group].Name
			if slices.Contains(groups, group) || isRegion(plan.RegionID{Range: m.From.Range, Number: m.From.Region()}, name) || isRegion(plan.RegionID{Range: m.To.Range, Number: m.To.Region()}, name) {
				moves = append(moves, fmt.Sprintf("  %s %d  %v → %v", group, m.Order, m.From, m.To))
			}
		}
		if len(moves) == 0 {
			continue
		}
		planned++
		b.WriteString(plan.Explain([]plan.Action{a}, nil))
		b.WriteString(strings.Join(moves[:min(len(moves), movesShown)], "\n") + "\n")
		if n := len(moves) - movesShown; n > 0 {
			fmt.Fprintf(&b, "  and %d more\n", n)
		}
	}
	if lines := in.adviceAbout(name); len(lines) > 0 {
		planned++
		b.WriteString(plan.Explain(nil, lines))
	}
	if planned == 0 {
		fmt.Fprintf(&b, "nothing is planned about %s\n", name)
	}
	if region >= 0 {
		in.showRegion(&b, region)
	}
	if known || asks(p.Intent) {
		b.WriteString("\n")
		if err := p.Report(&b); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// isRegion tells whether a region is called so: "huge 3" or "huge region 3".
func isRegion(r plan.RegionID, name string) bool {
	return name == r.String() || name == fmt.Sprintf("%v %d", r.Range, r.Number)
}

// adviceAbout is the advice about a group, component or system.
func (in *planInput) adviceAbout(name string) (lines []string) {
	p := in.profile.Profile
	for _, s := range p.Systems {
		all := s.Access
		for i, a := range all {
			if !a.Scattered {
				continue
			}
			s.Access = slices.DeleteFunc(slices.Clone(all), func(o profile.Access) bool { return o.Scattered })
			walks := len(s.Access) > 0 && s.Access[0].Group == name
			s.Access = append(s.Access, all[i])
			if walks || s.Name == name || a.Group == name || a.Component == name {
				lines = append(lines, plan.Advice(profile.Profile{Frames: p.Frames, Systems: []profile.System{s}, Intent: p.Intent}, in.machine)...)
			}
		}
	}
	return slices.Compact(lines)
}

// profileAbout is what a profile says of a group, component or system.
func profileAbout(p profile.Profile, name string) profile.Profile {
	p = p.Canonical()
	touched := map[string]bool{name: true} // groups and components
	p.Systems = slices.DeleteFunc(p.Systems, func(s profile.System) bool {
		if s.Name != name {
			return !slices.ContainsFunc(s.Access, func(a profile.Access) bool { return a.Group == name || a.Component == name })
		}
		for _, a := range s.Access {
			touched[a.Group], touched[a.Component] = true, true
		}
		return false
	})
	for i := range p.Systems {
		if s := &p.Systems[i]; s.Name != name {
			s.Access = slices.DeleteFunc(s.Access, func(a profile.Access) bool { return a.Group != name && a.Component != name })
		}
	}
	owned := map[string]bool{}
	p.Groups = slices.DeleteFunc(p.Groups, func(g profile.Group) bool {
		if g.Name == name {
			for _, c := range g.Owns {
				owned[c] = true
			}
		}
		return !touched[g.Name] && !slices.Contains(g.Owns, name)
	})
	p.Components = slices.DeleteFunc(p.Components, func(c profile.Component) bool { return !touched[c.Name] && !owned[c.Name] })
	p.Stored = slices.DeleteFunc(p.Stored, func(s profile.Stored) bool { return !touched[s.Component] && !owned[s.Component] })
	in := &p.Intent
	in.Every = slices.DeleteFunc(in.Every, func(e profile.Every) bool { return e.System != name })
	in.Together = slices.DeleteFunc(in.Together, func(t []string) bool {
		return !slices.ContainsFunc(t, func(c string) bool { return c == name || owned[c] })
	})
	in.Heat = slices.DeleteFunc(in.Heat, func(h profile.Heat) bool { return h.Group != name })
	in.Pinned = slices.DeleteFunc(in.Pinned, func(g string) bool { return g != name })
	in.Views = slices.DeleteFunc(in.Views, func(v profile.View) bool { return v.System != name && v.Component != name })
	in.Budget = profile.Budget{}
	return p
}

// asks tells whether intent has a statement about a name.
func asks(in profile.Intent) bool {
	return len(in.Every)+len(in.Together)+len(in.Heat)+len(in.Pinned)+len(in.Views) > 0
}

// showRegion writes what lies in a region.
func (in *planInput) showRegion(w io.Writer, region int) {
	r := in.chunks.Regions[region]
	fmt.Fprintf(w, "\n%v: %d of %d slots in use", plan.RegionID{Range: r.Range, Number: r.Number}, bits.OnesCount32(r.Used), arena.SlotsPerRegion)
	if n := bits.OnesCount32(r.Dirty &^ r.Used); n > 0 {
		fmt.Fprintf(w, ", %d free and not given back", n)
	}
	fmt.Fprintln(w)
	for i, g := range in.chunks.Groups {
		var orders []string
		for _, c := range in.chunks.Chunks {
			if c.Group == i && c.At.Range == r.Range && c.At.Region() == r.Number {
				orders = append(orders, strconv.Itoa(c.Order))
			}
		}
		if len(orders) > 0 {
			fmt.Fprintf(w, "  %s %s\n", g.Name, strings.Join(orders, " "))
		}
	}
}
