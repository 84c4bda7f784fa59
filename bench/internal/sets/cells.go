package sets

import (
	"fmt"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// Cell is a scene. All components come and go at a rate, or by turns.
type Cell struct {
	Components, Sets, Entities int
	PerMille                   int // of entities that gain or lose a component in a frame
	Busy, Quiet                int // frames by turns; 0: always busy
}

// Cells are the listed ones, and scenes that are busy and quiet by turns.
func Cells() (list []Cell) {
	worlds := []Cell{{3, 8, small, 0, 0, 0}, {3, 8, medium, 0, 0, 0}}
	for _, n := range []int{small, medium, large} {
		for _, sets := range []int{8, 32, 256} {
			worlds = append(worlds, Cell{12, sets, n, 0, 0, 0})
		}
	}
	for _, c := range worlds {
		for _, c.PerMille = range []int{0, 1, 10, 50, 200} {
			list = append(list, c)
		}
	}
	for _, turns := range [][2]int{{40, 80}, {150, 300}} {
		for _, c := range worlds[:8] {
			if c.Sets != 32 {
				c.PerMille, c.Busy, c.Quiet = 50, turns[0], turns[1]
				list = append(list, c)
			}
		}
	}
	return list
}

func (c Cell) String() string {
	s := fmt.Sprintf("%s, %d of %d sets, %.3g %%", sizeName(c.Entities), c.Components, c.Sets, float64(c.PerMille)/10)
	if c.Busy > 0 {
		s += fmt.Sprintf(", %d/%d", c.Busy, c.Quiet)
	}
	return s
}

// few are systems over three components.
var few = []combination{two[c0, c1](), two[c1, c2](), two[c2, c0](), three[c0, c1, c2]()}

// Rivals are the names that Open knows, Ashlar's own choice first.
func Rivals() []string { return []string{"auto", "stable", "volatile", twin.Tables, twin.Sparse} }

// Open makes a rival.
func (c Cell) Open(name string) twin.Stage {
	change := toggling(c.PerMille, c.Components)
	s := scene{systems: random, first: combinations(c.Sets, c.Components), each: func(s *script, entities, frame int) {
		if c.Busy == 0 || frame%(c.Busy+c.Quiet) < c.Busy {
			change(s, entities, frame)
		}
	}}
	if c.Components == 3 {
		s.systems = few
	}
	switch name {
	case twin.Tables:
		return s.open(c.Entities, newTables(s.systems), nil, nil, nil)
	case twin.Sparse:
		return s.open(c.Entities, &pools{systems: s.systems}, nil, nil, nil)
	}
	s.how = map[string]ecs.Storage{"stable": ecs.Stable, "volatile": ecs.Volatile}[name]
	return s.openAshlar(c.Entities, ecs.Options{})
}
