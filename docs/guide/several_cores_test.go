package guide

import (
	"fmt"
	"hash/fnv"

	"github.com/ashlar-go/ashlar/ecs"
)

func Example_several_cores() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()
	position := ecs.Register[Position](w, "position")
	ecs.Register[Velocity](w, "velocity")
	e := must(ecs.SpawnerOf[body](w).Spawn(body{Velocity: Velocity{1, 2}}))

	ecs.System(w, "move", func(c *motion) {
		pos, vel := c.Pos, c.Vel
		for i := range pos {
			pos[i].X += vel[i].X
			pos[i].Y += vel[i].Y
		}
	}, ecs.Parallel())
	type near struct {
		Pos  []Position
		Hits ecs.Local[[]int]
	}
	ecs.System(w, "near", func(c *near) {
		hits := (*c.Hits.Get())[:0]
		for i, p := range c.Pos {
			if p.X < 10 {
				hits = append(hits, i)
			}
		}
		*c.Hits.Get() = hits
	}, ecs.Parallel())
	check(w.Run(ctx))
	fmt.Println(*position.Get(e))
	// Output: {1 2}
}

func Example_several_cores_same() {
	type splitting struct {
		Pos []Position
		E   []ecs.Entity
		Do  *ecs.Commands
	}
	play := func(workers int) (sum uint64) {
		w := ecs.New(ecs.Options{Workers: workers})
		defer func() { check(w.Close()) }()
		position := ecs.Register[Position](w, "position")
		ecs.Register[Velocity](w, "velocity")
		bodies := ecs.SpawnerOf[body](w)
		check(bodies.SpawnN(make([]ecs.Entity, 30_000), []body{{Velocity: Velocity{1, 2}}}))
		ecs.System(w, "split", func(c *splitting) {
			for i, e := range c.E {
				if e.Index()%1000 == 7 {
					bodies.Later(c.Do).Spawn(body{c.Pos[i], Velocity{3, 4}})
					c.Do.Destroy(e)
				}
			}
		}, ecs.Parallel())
		for range 5 {
			check(w.Run(ctx))
		}
		h := fnv.New64a()
		for e, p := range position.All() {
			fmt.Fprintln(h, e, p.X, p.Y)
		}
		return h.Sum64()
	}
	one := play(1)
	fmt.Println(one == play(2), one == play(8))
	// Output:
	// true true
}
