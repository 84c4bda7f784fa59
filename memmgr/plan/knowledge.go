package plan

import (
	"slices"

	"github.com/ashlar-go/ashlar/profile"
)

// knowledge is what a profile says of one group of a placement. Rates are per
// 1,000 frames, so that they can be whole numbers.
type knowledge struct {
	known   bool   // the profile has facts of it
	ns      uint64 // spent on sweeps in sequence
	walk    int    // when it is first used in a frame; never is behind all others
	cold    bool   // asked for, or seen
	asked   bool   // cold or hot was asked for
	hot     bool
	pinned  bool
	durable uint64 // rows that are there for good, as far as the facts tell
}

// pair is two groups used one after the other, so many times in 1,000 frames.
type pair struct {
	a, b int
	rate uint64
}

const never = int(^uint(0) >> 1)

// know derives knowledge by group, and the pairs in the order of the walk.
func know(p *profile.Profile, groups []Group) ([]knowledge, []pair) {
	ks := make([]knowledge, len(groups))
	for i := range ks {
		ks[i].walk = never
	}
	index := func(name string) int { return slices.IndexFunc(groups, func(g Group) bool { return g.Name == name }) }
	for i := range p.Groups {
		if g := &p.Groups[i]; p.Frames > 0 {
			for j := range groups {
				if groups[j].Name == g.Name {
					ks[j].known, ks[j].durable = true, durable(g, p.Frames)
				}
			}
		}
	}
	var pairs []pair
	steps, last := 0, -1
	visit := func(g int, rate uint64) {
		if ks[g].walk == never {
			ks[g].walk = steps
			steps++
		}
		if last >= 0 && last != g {
			pairs = append(pairs, pair{last, g, rate})
		}
		last = g
	}
	for i := range p.Systems {
		s := &p.Systems[i]
		rate := rateOf(p, s)
		var total uint64
		for _, a := range s.Access {
			total += a.Bytes
		}
		for _, a := range s.Access {
			g := index(a.Group)
			if g < 0 || rate == 0 {
				continue
			}
			if last != g {
				visit(g, rate)
			}
			if a.Scattered || s.Frames == 0 {
				continue
			}
			bytes := a.Bytes / s.Frames // a run
			if s.Timed > 0 && total > 0 {
				perRun := uint64(max(s.Time, 0)) / s.Timed
				ks[g].ns += share(times(perRun, rate), a.Bytes, total)
			} else {
				ks[g].ns += times(bytes, rate) / streamBytesPerNs
			}
		}
	}
	last = -1
	for _, set := range p.Intent.Together {
		for g := range groups {
			if slices.ContainsFunc(owns(p, &groups[g]), func(c string) bool { return slices.Contains(set, c) }) {
				visit(g, 1000)
			}
		}
		last = -1
	}
	for g := range ks {
		k := &ks[g]
		k.cold = p.Frames >= coldFrames && k.known && k.walk == never
		k.pinned = slices.Contains(p.Intent.Pinned, groups[g].Name)
		for _, h := range p.Intent.Heat {
			if h.Group == groups[g].Name {
				k.cold, k.hot, k.asked = h.Cold, !h.Cold, true
			}
		}
	}
	return ks, pairs
}

// rateOf is how often a system runs in 1,000 frames: as intent says, else as seen.
func rateOf(p *profile.Profile, s *profile.System) uint64 {
	for _, e := range p.Intent.Every {
		if e.System == s.Name && e.Frames > 0 {
			return max(1, 1000/uint64(e.Frames))
		}
	}
	if p.Frames == 0 {
		return 0
	}
	return min(share(1000, s.Frames, p.Frames), rateMax)
}

// durable is how many rows of a group will stay: it was that large in the mean and
// at the end, whichever is less. A run that cleans up before it ends leaves none, and
// then the mean has to do.
func durable(g *profile.Group, frames uint64) uint64 {
	mean := g.Rows / frames
	if g.Last == 0 {
		return mean
	}
	return min(mean, g.Last)
}

// owns is what a group owns, by the placement or else by the facts.
func owns(p *profile.Profile, g *Group) []string {
	if len(g.Owns) > 0 {
		return g.Owns
	}
	for i := range p.Groups {
		if p.Groups[i].Name == g.Name {
			return p.Groups[i].Owns
		}
	}
	return nil
}

// Unknown counts the names in intent that are neither a group of the placement nor
// a system or component of the facts.
func Unknown(p *profile.Profile, groups []Group) (n int) {
	group := func(name string) bool {
		return slices.ContainsFunc(groups, func(g Group) bool { return g.Name == name })
	}
	system := func(name string) bool {
		return slices.ContainsFunc(p.Systems, func(s profile.System) bool { return s.Name == name })
	}
	component := func(name string) bool {
		return slices.ContainsFunc(groups, func(g Group) bool { return slices.Contains(owns(p, &g), name) })
	}
	miss := func(known bool) {
		if !known {
			n++
		}
	}
	for _, e := range p.Intent.Every {
		miss(system(e.System))
	}
	for _, set := range p.Intent.Together {
		for _, c := range set {
			miss(component(c))
		}
	}
	for _, h := range p.Intent.Heat {
		miss(group(h.Group))
	}
	for _, g := range p.Intent.Pinned {
		miss(group(g))
	}
	return n
}
