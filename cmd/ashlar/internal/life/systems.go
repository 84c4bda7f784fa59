package life

import (
	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/pattern"
	"github.com/ashlar-go/ashlar/ecs"
)

type (
	// State is 1 for a live cell.
	State uint8
	// Count is the number of live neighbours.
	Count uint8
	// Neighbors are handles, in the order of directions; null where there is none.
	Neighbors [8]ecs.Entity
)

type cell struct {
	State
	Count
	Neighbors
}

func (b *Board) systems(rule pattern.Rule) {
	type count struct {
		State     ecs.Look[State]
		Neighbors []Neighbors
		Count     ecs.Write[Count]
	}
	ecs.System(b.World, "count", func(c *count) {
		state, counts := c.State, c.Count
		for i := range c.Neighbors {
			n := Count(0)
			for _, e := range &c.Neighbors[i] {
				if s := state.Get(e); s != nil {
					n += Count(*s)
				}
			}
			counts[i] = n
		}
	}, ecs.Parallel())
	type step struct {
		Count []Count
		State ecs.Write[State]
	}
	next := [2]uint16{rule.Born, rule.Survive}
	ecs.System(b.World, "step", func(c *step) {
		counts, states := c.Count, c.State
		for i, s := range states {
			states[i] = State(next[s&1] >> counts[i] & 1)
		}
	}, ecs.Parallel())
}
