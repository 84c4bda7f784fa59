package plan

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/profile"
)

// Any placement and profile: moves are possible and allowed, memory shrinks by what
// actions say but where cold is asked for, and the plan is followed by the empty plan.
func TestAnyPlacement(t *testing.T) {
	var did [Kinds]int
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 5))
		in, p := anything(r)
		actions := Plan(p, in)
		gives := uint64(0)
		for _, a := range actions {
			did[a.Kind]++
			gives += a.Gives
		}
		ws := wishes(&p.Intent, in.Groups)
		before := newState(&in, ws).bytes
		after := apply(t, in, p, actions)
		if again := Plan(p, after); len(again) != 0 {
			t.Fatalf("seed %d: after\n%sthere is\n%s", seed, Explain(actions, nil), Explain(again, nil))
		}
		if is := newState(&after, ws).bytes; is+gives > before && len(p.Intent.Heat) == 0 {
			t.Fatalf("seed %d: %d bytes became %d, and %d were to come free:\n%s", seed, before, is, gives, Explain(actions, nil))
		}
	}
	for k, n := range did {
		if n == 0 {
			t.Errorf("no plan had an action of kind %v: the test is too tame", Kind(k))
		}
	}
	t.Logf("actions by kind: %v", did)
}

// anything makes up a placement and a profile for it.
func anything(r *rand.Rand) (Placement, profile.Profile) {
	in := Placement{Frame: 5000, Whole: r.IntN(2) == 0}
	if r.IntN(3) == 0 {
		in.Cooling = 100
	}
	p := profile.Profile{Frames: uint64([]int{1, 3000}[r.IntN(2)])}
	regions := 1 + r.IntN(6)
	var places []Place
	for i := range 3 {
		for n := range regions {
			for s := range uint32(arena.SlotsPerRegion) {
				places = append(places, Place{arena.Range(i), uint32(n)*arena.SlotsPerRegion + s})
			}
			in.Regions = append(in.Regions, Region{Range: arena.Range(i), Number: uint32(n), Dirty: r.Uint32() & r.Uint32()})
		}
	}
	r.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
	left := places[:r.IntN(len(places))]
	for g := range 1 + r.IntN(12) {
		x := group(string(rune('a' + g)))
		in.Groups = append(in.Groups, x)
		pg := profile.Group{Name: x.Name, Owns: []string{x.Name + "1"}, Rows: r.Uint64N(1 << 30), Last: r.Uint64N(1 << 20)}
		if r.IntN(4) > 0 {
			p.Groups = append(p.Groups, pg)
		}
		n := min(len(left), []int{0, 1, 1, 1, 2, 5, 40, 100}[r.IntN(8)])
		for i := range n {
			c := Chunk{Group: g, Order: i, At: left[i], Rows: full}
			if i == n-1 {
				c.Rows = 1 + r.Uint32N(full)
			}
			if r.IntN(60) == 0 {
				c.Pins = 1
			}
			if r.IntN(3) == 0 {
				c.Since = in.Frame - r.Uint64N(200)
			}
			in.Chunks = append(in.Chunks, c)
		}
		left = left[n:]
	}
	used := func(at Place) *Region {
		i := slices.IndexFunc(in.Regions, func(r Region) bool { return r.Range == at.Range && r.Number == at.Region() })
		return &in.Regions[i]
	}
	for _, c := range in.Chunks {
		used(c.At).Used |= c.At.bit()
		used(c.At).Dirty |= c.At.bit()
	}
	for _, at := range left[:min(len(left), r.IntN(3))] {
		used(at).Used |= at.bit()
		used(at).Dirty |= at.bit()
	}
	for range r.IntN(4) {
		s := profile.System{Name: string(rune('s' + len(p.Systems))), Frames: 1 + uint64(r.IntN(3000)), Timed: uint64(r.IntN(2) * 10), Time: time.Duration(r.IntN(1e9))}
		for range r.IntN(6) {
			s.Access = append(s.Access, profile.Access{Group: string(rune('a' + r.IntN(13))), Scattered: r.IntN(5) == 0, Bytes: r.Uint64N(1 << 40)})
		}
		p.Systems = append(p.Systems, s)
	}
	name := func() string { return string(rune('a' + r.IntN(13))) }
	if r.IntN(3) == 0 {
		p.Intent.Heat = []profile.Heat{{Group: name(), Cold: true}, {Group: name()}}
	}
	if r.IntN(3) == 0 {
		p.Intent.Pinned = []string{name()}
	}
	if r.IntN(3) == 0 {
		p.Intent.Together = [][]string{{name() + "1", name() + "1", name() + "1"}}
		p.Intent.Every = []profile.Every{{System: "s", Frames: r.IntN(10)}}
	}
	return in, p
}

// A bounded plan is the beginning of the whole one.
func TestMost(t *testing.T) {
	for seed := range uint64(100) {
		in, p := anything(rand.New(rand.NewPCG(seed, 5)))
		all := Plan(p, in)
		in.Most = 2
		if some := Plan(p, in); !reflect.DeepEqual(some, all[:min(len(all), 2)]) {
			t.Fatalf("seed %d: of\n%sthe first two are\n%s", seed, Explain(all, nil), Explain(some, nil))
		}
	}
}

// What is avoided is not planned.
func TestAvoid(t *testing.T) {
	for seed := range uint64(100) {
		in, p := anything(rand.New(rand.NewPCG(seed, 5)))
		for _, a := range Plan(p, in) {
			in.Avoid = append(in.Avoid, a.Key())
		}
		for _, a := range Plan(p, in) {
			if slices.Contains(in.Avoid, a.Key()) {
				t.Fatalf("seed %d: %v is planned", seed, a)
			}
		}
	}
}
