package advice

import "github.com/ashlar-go/ashlar/profile"

// in is the input of the rules, about one world.
type in struct {
	p      profile.Profile
	m      profile.Map
	cached uint64
	walks  []walk // of the systems
}

// inputs are the worlds of a profile, each with its systems. A map is of one of them.
func inputs(p profile.Profile, m profile.Map, cached uint64) (list []in) {
	runs := p.Runs()
	for _, run := range runs {
		x := in{p: run, cached: cached}
		if len(runs) == 1 || run.World == m.World {
			x.m = m
		}
		for i := range run.Systems {
			x.walks = append(x.walks, walkOf(&run.Systems[i], run.Frames))
		}
		list = append(list, x)
	}
	return list
}
