package guide

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

func Example_fields() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	transform := ecs.Register[Transform](w, "transform")
	e := must(ecs.SpawnerOf[struct{ Transform }](w).Spawn(struct{ Transform }{Transform{Position: Vec3{Z: 3}, Scale: Vec3{Z: 2}}}))
	high := float32(0)

	ecs.System(w, "count", func(c *struct {
		At []Vec3 `ashlar:"transform.Position"`
	}) {
		for i := range c.At {
			high += c.At[i].Z
		}
	})
	ecs.System(w, "rise", func(c *struct {
		At    ecs.WriteStrided[Vec3] `ashlar:"transform.Position"`
		Scale ecs.Strided[Vec3]      `ashlar:"transform.Scale"`
	}) {
		at, scale := c.At, c.Scale
		for i := range at.Len() {
			at.At(i).Z += scale.At(i).Z
		}
	})

	check(w.Run(ctx))
	fmt.Println(high, transform.Get(e).Position.Z)
	// Output:
	// 3 5
}

func Example_fields_look() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	type Place struct{ X float32 }
	type Target struct{ Entity ecs.Entity }
	place, target := ecs.Register[Place](w, "place"), ecs.Register[Target](w, "target")
	prey, hunter := must(w.Spawn()), must(w.Spawn())
	check(place.Add(prey, Place{8}))
	check(place.Add(hunter, Place{}))
	check(target.Add(hunter, Target{prey}))

	ecs.System(w, "follow", func(c *struct {
		At     ecs.WriteOne[Place]
		Of     *Target
		Places ecs.Look[Place]
	}) {
		if to := c.Places.Get(c.Of.Entity); to != nil { // nil: the target is gone
			c.At.X += (to.X - c.At.X) / 2
		}
	})
	check(w.Run(ctx))
	fmt.Println(place.Get(hunter).X)
	// Output:
	// 4
}
