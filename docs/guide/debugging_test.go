package guide

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

func Example_debugging() {
	var o ecs.Options
	o.Memory.Stress = true
	o.StrictCommands = true
	w := ecs.New(o)
	defer func() { check(w.Close()) }()
	health := ecs.Register[Health](w, "health")
	e := must(w.Spawn())
	check(health.Add(e, Health{-1}))

	ecs.System(w, "reap", func(c *struct {
		Health []Health
		Ents   []ecs.Entity
	}) {
		for i, e := range c.Ents {
			if c.Health[i].Points <= 0 {
				w.Destroy(e) // wrong: rows would move under the loop
			}
		}
	})

	func() {
		defer func() { fmt.Println(recover()) }()
		check(w.Run(ctx))
	}()
	fmt.Println(w.Run(ctx))

	all := ecs.SchemaOfPools(w)
	for _, name := range all.Components() {
		fmt.Println(name, all.Value(e, name))
	}
	check(w.Check())
	// Output:
	// ecs: Destroy while reap iterates, whose rows would move under it: call do.Destroy, where do is the field of type *ecs.Commands of a system's struct, or World.Commands: it is made at the next safe point. If another goroutine iterates: a World is used by one goroutine at a time; guard it with a mutex
	// ecs: the last frame was abandoned: system "reap" panicked in frame 1, after 0 batches; 0 of 1 systems had run before it. What ran stays, and the next Run begins a new frame
	// health &{-1}
}
