package sets

import (
	"fmt"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// scene has a program's components and changes.
type scene struct {
	systems []combination
	first   func(s *script, entities int)            // makes the entities
	each    func(s *script, entities int, frame int) // the changes of a frame; may be nil
	how     ecs.Storage                              // of components
}

// The sizes of scenes.
const (
	small  = 16 << 10
	medium = 256 << 10
	large  = 1 << 20
)

func sizeName(n int) string { return map[int]string{small: "16k", medium: "256k", large: "1M"}[n] }

// combinations are n random sets of some of the components; each entity has one.
func combinations(n, components int) func(*script, int) {
	return func(s *script, entities int) {
		list := make([]set, n)
		for i := range list {
			list[i] = set(1 + s.random.IntN(1<<components-1))
		}
		for range entities {
			s.create(list[s.random.IntN(n)])
		}
	}
}

// toggling has a share of the entities gain or lose one of some components in each frame.
func toggling(perMille, components int) func(*script, int, int) {
	return func(s *script, entities, frame int) {
		for range entities * perMille / 1000 {
			s.toggle(s.any(), s.random.IntN(components))
		}
	}
}

// effects are two components that come and go.
var effects = [2]int{3, 7}

func (s *script) afflict(entities, percent int) {
	for range entities * percent / 100 {
		s.toggle(s.any(), effects[s.random.IntN(len(effects))])
	}
}

// phases are busy for 40 frames and quiet for 80.
func phases(s *script, entities, frame int) {
	if frame/40%3 == 0 {
		s.afflict(entities, 5)
	}
}

// mingled has component 0 and any of the next five.
func mingled(s *script) set { return set(1 | s.random.IntN(32)<<1) }

func mingle(s *script, entities int) {
	for range entities {
		s.create(mingled(s))
	}
}

// births replaces a share of the entities in each frame. The new ones come with all that
// they have, or bare and get it one by one.
func births(percent int, bare bool) func(*script, int, int) {
	return func(s *script, entities, frame int) {
		n := entities * percent / 100
		for range n {
			s.destroy()
		}
		for range n {
			of := mingled(s)
			if !bare {
				s.create(of)
				continue
			}
			e := s.create(0)
			for c := range count {
				if of>>c&1 != 0 {
					s.toggle(e, c)
				}
			}
		}
	}
}

// fall is frames in which all but one in a hundred die, and rest are those in which memory is returned: of 60 to a second, ten
// seconds and a little.
const (
	fall = 99
	rest = 620
)

func dying(s *script, entities, frame int) {
	if frame >= fall {
		return
	}
	for range entities / (fall + 1) {
		s.destroy()
	}
}

// peak is a program that ends behind a peak. Frames of Ashlar's world stand for a sixtieth of a second each.
func peak() twin.Program {
	c := scene{overlapping, mingle, dying, 0}
	p := c.program("peak: 1M in 32 sets, of which one in 100 lives", large, 60, []twin.Bar{{Figure: twin.Resident, Of: []string{twin.Tables, twin.Sparse}, Most: 0.5}})
	p.Warm = fall + rest
	p.Variants[0] = twin.OnAshlar(func(entities int, o ecs.Options) twin.Stage {
		now := time.Unix(0, 0)
		o.Adapt.Clock = func() time.Time { return now }
		s := c.openAshlar(entities, o)
		frame := s.Frame
		s.Frame = func() { now = now.Add(time.Second / 60); frame() }
		return s
	})
	return p
}

// Programs are the random combinations, components that come and go by turns, births and
// deaths, and overlap.
func Programs() []twin.Program {
	best, tables := []string{twin.Tables, twin.Sparse}, []string{twin.Tables}
	p50 := func(of []string, most float64) []twin.Bar { return []twin.Bar{{Figure: twin.P50, Of: of, Most: most}} }
	var all []twin.Program
	for _, sets := range []int{32, 256} {
		for _, n := range []int{small, medium} {
			for i, percent := range []int{0, 1, 5, 20} {
				most := map[int][]float64{small: {1.05, 0.9, 0.75, 0.8}, medium: {1, 0.75, 0.5, 0.4}}[n][i]
				all = append(all, scene{random, combinations(sets, count), toggling(10*percent, count), 0}.program(
					fmt.Sprintf("combinations: %d sets, %s, %d %%", sets, sizeName(n), percent), n, 120, p50(best, most)))
			}
		}
	}
	for _, percent := range []int{1, 5} {
		two := func(s *script, entities, frame int) { s.afflict(entities, percent) }
		all = append(all, scene{random, combinations(256, count), two, 0}.program(
			fmt.Sprintf("combinations: 256 sets, 256k, %d %% in two components", percent), medium, 120, nil))
	}
	all = append(all, scene{random, combinations(256, count), phases, 0}.program("phases: 256 sets, 256k, 5 % for 40 frames of 120", medium, 360,
		[]twin.Bar{{Figure: twin.P50, Of: tables, Most: 1.15}, {Figure: twin.P99, Of: tables, Most: 1.4}}))
	for _, n := range []int{small, medium} {
		all = append(all,
			scene{overlapping, mingle, births(2, false), 0}.program("births: 32 sets, "+sizeName(n)+", 2 %", n, 120, p50(tables, 1.05)),
			scene{overlapping, mingle, births(2, true), 0}.program("births, bare: 32 sets, "+sizeName(n)+", 2 %", n, 120, p50(best, 1.1)))
	}
	for _, n := range []int{small, medium, large} {
		for i, name := range []string{"(P,V)", "(P,A)", "(P,V,A)", "(B,C)", "all four"} {
			systems, bars := overlapping, p50(tables, 1.05)
			if i < len(overlapping) {
				systems = overlapping[i : i+1]
			}
			all = append(all, scene{systems, mingle, nil, 0}.program("overlap: "+name+", "+sizeName(n), n, 60, bars))
		}
	}
	return append(all, peak())
}

// Beginnings are scenes of 64k entities whose first frames cost more than the others, because the store has to
// find out how components behave.
func Beginnings() []twin.Program {
	const entities = 64 << 10
	two := func(s *script, entities, frame int) { s.afflict(entities, 5) }
	rare := func(s *script, entities, frame int) { s.afflict(entities, 2) }
	list := []twin.Program{
		scene{random, combinations(256, count), two, 0}.program("beginning: 64k, 256 sets, 5 % in two components", entities, 100, nil),
		scene{random, combinations(256, count), toggling(200, 8), 0}.program("beginning: 64k, 256 sets, 20 % in eight components", entities, 100, nil),
		scene{random, combinations(32, count), rare, 0}.program("beginning: 64k, 32 sets, 2 % in two components", entities, 100, nil),
	}
	for i := range list {
		list[i].Warm = 0
	}
	list[0].Layout = "stored c3 volatile\nstored c7 volatile\n"
	list[1].Layout = "stored c0 volatile\nstored c1 volatile\nstored c2 volatile\nstored c3 volatile\nstored c4 volatile\nstored c5 volatile\nstored c6 volatile\nstored c7 volatile\n"
	list[2].Layout = list[0].Layout
	return list
}

// program is a scene in all variants.
func (c scene) program(name string, entities, frames int, bars []twin.Bar) twin.Program {
	return twin.Program{Name: name, Entities: entities, Frames: frames, Warm: min(frames, 60), Bars: bars, Variants: []twin.Variant{
		twin.OnAshlar(c.openAshlar),
		{Name: twin.Tables, Open: func(n int) twin.Stage { return c.open(n, newTables(c.systems), nil, nil, nil) }},
		{Name: twin.Sparse, Open: func(n int) twin.Stage { return c.open(n, &pools{systems: c.systems}, nil, nil, nil) }},
	}}
}
