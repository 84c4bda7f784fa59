package main

import (
	"context"
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

// recordedRow is frames of a world that records, against the same in one that does not: 30
// systems over 50 groups of 20 rows, where there is little to do for each line that is noted.
func recordedRow() row {
	const systems, groups, members, frames = 30, 50, 20, 20
	make := func(recorded bool) piece {
		o := options()
		o.Record.On = recorded
		w := must(ecs.New(o))
		var over []ecs.AnyGroup
		for i := range groups {
			p := must(ecs.Register[Position](w, fmt.Sprintf("position.%d", i)))
			v := must(ecs.Register[Velocity](w, fmt.Sprintf("velocity.%d", i)))
			g := must(ecs.GroupOf[body](w, fmt.Sprintf("group.%d", i), p, v))
			spawn(g, members)
			over = append(over, g)
		}
		for i := range systems {
			check(ecs.System(w, fmt.Sprintf("move.%d", i), func(c *struct {
				Pos []Position `ashlar:"position.0,write"`
				Vel []Velocity `ashlar:"velocity.0"`
			}) {
				pos, vel := c.Pos, c.Vel
				for i := range pos {
					pos[i].X += vel[i].X
					pos[i].Y += vel[i].Y
				}
			}, ecs.OnlyIn(over...)))
		}
		ctx := context.Background()
		return piece{work: func() {
			for range frames {
				check(w.Run(ctx))
			}
		}}
	}
	return row{name: "recording, 30 systems x 50 groups of 20 rows", ops: systems * groups * frames, unit: nanoseconds, bar: 1.03, ratio: true,
		make: func() (ours, rival, limit piece) { return make(true), make(false), limit }}
}
