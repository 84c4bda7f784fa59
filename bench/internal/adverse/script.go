package adverse

import (
	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// script describes the births and deaths of a program. It is set once.
type script struct {
	name   string
	groups int
	frames int
	// want is how many movers a group is to have in a frame, out of the entities that there may be.
	want func(entities, group, frame int) int
	// rests, if set, tells whether a group's movers are not moved in a frame.
	rests  func(group, frame int) bool
	looks  int  // movers that are looked up in a frame
	oldest bool // the oldest die
	peak   bool // its end is behind a peak

	turnover uint64 // in a frame, one mover in so many dies and is replaced; 0 is none
}

// even shares out entities among groups.
func even(entities, groups int) int { return max(entities/groups, 1) }

// between tells whether a frame is in a part of each period.
func between(frame, from, to, period int) bool { return frame%period >= from && frame%period < to }

var scripts = []script{
	{name: "oscillating phases", groups: 8, frames: 960, want: func(n, g, f int) int {
		if f/60%2 == g%2 { // a second each
			return even(n, 8)
		}
		return even(n, 32)
	}},
	{name: "periodic peaks", groups: 24, frames: 2100, peak: true, want: func(n, g, f int) int {
		if between(f, 0, 30, 600) { // half a second in ten
			return even(n, 24)
		}
		return even(n, 240)
	}},
	{name: "one peak, one in ten survives", groups: 24, frames: 1200, peak: true, want: func(n, g, f int) int {
		if f < 120 {
			return even(n, 24)
		}
		return even(n, 240)
	}},
	{name: "three levels", groups: 24, frames: 1800, peak: true, want: func(n, g, f int) int {
		switch {
		case f < 400:
			return even(n, 240)
		case f < 800:
			return even(n, 24)
		}
		return even(n, 240)
	}},
	{name: "thousands of tiny groups", groups: 2000, frames: 480, want: func(n, g, f int) int {
		return int(twin.Mix(uint64(g), uint64((f+g)/30)) % 12) // each changes twice a second
	}},
	{name: "groups used by turns", groups: 16, frames: 960,
		want:  func(n, g, f int) int { return even(n, 16) },
		rests: func(g, f int) bool { return f/60%16 != g }},
	{name: "random access", groups: 16, frames: 960, looks: 1 << 13, want: func(n, g, f int) int {
		return even(n, 16) - int(twin.Mix(uint64(g), uint64(f/20))%uint64(even(n, 320)))
	}},
	{name: "growth", groups: 12, frames: 960, want: func(n, g, f int) int { return max(even(n, 12)*f/960, 1) }},
	{name: "nothing comes or goes", groups: 12, frames: 960, want: func(n, g, f int) int { return even(n, 12) }},
	{name: "bursts that live for a frame", groups: 4, frames: 960, want: func(n, g, f int) int { return 1 + f%2*even(n, 32) }},
	{name: "lengths about nine chunks", groups: 24, frames: 960, want: func(n, g, f int) int {
		if g >= max(n/13_000, 1) {
			return 1
		}
		return 13_500 + 2500*((f/12+g)%2) // nine and ten chunks, five times a second
	}},
	{name: "the oldest die", groups: 4, frames: 960, oldest: true, want: func(n, g, f int) int {
		return even(n, 4) - f%2*even(n, 400)
	}},
}

// Off is the variant that does not adapt.
const Off = "off"

// Programs are the programs of this package, with adapting on and off.
func Programs() (list []twin.Program) {
	for _, s := range scripts {
		made := func(o ecs.Options) func(int) twin.Stage { return func(n int) twin.Stage { return paced(s, n, o) } }
		memory := 1.0
		if s.peak {
			memory = 0.5
		}
		off := []string{Off}
		list = append(list, twin.Program{Name: "adapting: " + s.name, Entities: 300_000, Frames: s.frames,
			Variants: []twin.Variant{{Name: twin.Ashlar, Open: made(ecs.Options{})}, {Name: Off, Open: made(ecs.Options{Adapt: memmgr.AdaptOptions{Off: true}})}},
			Bars:     []twin.Bar{{Figure: twin.Mean, Of: off, Most: 1.01}, {Figure: twin.Resident, Of: off, Most: memory}},
		})
	}
	return list
}

// Hour is births and deaths for as long as one likes: a mover in 200 is replaced in each frame,
// and each group swells to four times its size and shrinks again, in half a minute and more.
// Frames and the time of Adapt.Clock go by as the caller likes.
func Hour(entities int, o ecs.Options) twin.Stage {
	const groups = 24
	h := herd{scale: entities, script: script{groups: groups, turnover: 200, want: func(n, g, f int) int {
		period := 1800 + 120*g
		wave := 2 * min(f%period, period-f%period) // from 0 to the period and back
		return even(n, 4*groups) + even(n, groups)*3/4*wave/period
	}}}
	return h.open(o)
}
