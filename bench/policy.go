package main

import (
	"context"
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

// policyRow is a frame in which the policy has nothing to do: a million entities with 256
// sets of components, and a system over one more. The bar is 0.2 % of a frame of a
// millisecond, and holds what the policy takes together with the rest of such a frame. The
// rival is the same without a policy.
func policyRow() row {
	const frames = 1000
	return row{name: "frame of 1M entities, the policy at rest", ops: frames, unit: nanoseconds, bar: 2000, allocs: true,
		make: func() (ours, rival, limit piece) { return atRest(false, frames), atRest(true, frames), limit }}
}

func atRest(off bool, frames int) (p piece) {
	const bits = 8
	o := options()
	o.Storage.Off = off
	w := must(ecs.New(o))
	pos, vel := must(ecs.Register[Position](w, "position")), must(ecs.Register[Velocity](w, "velocity"))
	var pools [bits]*ecs.Pool[dummy]
	for i := range pools {
		pools[i] = must(ecs.Register[dummy](w, fmt.Sprintf("dummy%d", i)))
	}
	check(ecs.System(w, "move", moveSystem))
	es := make([]ecs.Entity, m1>>bits)
	for set := range 1 << bits {
		for i := range es {
			es[i] = must(w.Spawn())
		}
		for i, pool := range pools {
			if set>>i&1 != 0 {
				must(pool.AddAll(ecs.Handles(es), dummy{}))
			}
		}
	}
	check(pos.Add(es[0], Position{1, 2}))
	check(vel.Add(es[0], Velocity{3, 4}))
	ctx := context.Background()
	p.work = func() {
		for range frames {
			check(w.Run(ctx))
		}
	}
	return p
}
