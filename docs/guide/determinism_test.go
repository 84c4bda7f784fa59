package guide

import (
	"fmt"
	"hash/fnv"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
)

func Example_determinism() {
	play := func(times []time.Duration, o ecs.Options) (sum uint64) {
		w := ecs.New(o)
		defer func() { check(w.Close()) }()
		position := ecs.Register[Position](w, "position")
		ecs.Register[Velocity](w, "velocity")
		bodies := ecs.SpawnerOf[body](w)
		ecs.System(w, "move", move, ecs.InPhase(ecs.Fixed))
		for i, t := range times {
			must(bodies.Spawn(body{Velocity: Velocity{1, float64(i)}}))
			check(w.RunFor(ctx, t))
		}
		h := fnv.New64a()
		for e, p := range position.All() {
			fmt.Fprintln(h, e, p.X, p.Y)
		}
		return h.Sum64()
	}
	times := []time.Duration{16e6, 17e6, 40e6, 3e6, 90e6}

	var stressed, heap ecs.Options
	stressed.Memory.Stress = true
	heap.Memory.Arena.Backend = arena.Heap
	first := play(times, ecs.Options{})
	fmt.Println(first == play(times, stressed), first == play(times, heap))
	// Output:
	// true true
}

func Example_determinism_sum() {
	type Mass struct{ Kg float64 }
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()
	ecs.Register[Mass](w, "mass")
	stones := ecs.SpawnerOf[struct{ Mass }](w)
	for range 10 {
		must(stones.Spawn(struct{ Mass }{Mass{0.1}}))
	}
	q := ecs.QueryOf[struct{ Mass []Mass }](w)

	total := 0.0
	for c := range q.All() {
		for i := range c.Mass {
			total += c.Mass[i].Kg // right: the order of rows is the same everywhere
		}
	}
	fmt.Println(total)
	// Output: 0.9999999999999999
}
