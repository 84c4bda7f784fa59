package guide

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

type Pose struct {
	At   Vec3
	Turn [4]float32
}

func Example_fields_split() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()

	pose := ecs.RegisterSplit[Pose](w, "pose")
	turn := ecs.SplitField[[4]float32](pose, "Turn")
	e := must(w.Spawn())
	check(pose.Add(e, Pose{At: Vec3{Z: 3}}))

	ecs.System(w, "lift", func(c *struct {
		At ecs.Write[Vec3] `ashlar:"pose.At"`
	}) {
		for i := range c.At {
			c.At[i].Z++
		}
	})
	check(w.Run(ctx))
	turn.Mut(e)[3] = 1
	fmt.Println(pose.Load(e))
	// Output:
	// {{0 0 4} [0 0 0 1]} true
}

func Example_fields_whole() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()
	pose := ecs.RegisterSplit[Pose](w, "pose")
	e := must(w.Spawn())
	check(pose.Add(e, Pose{At: Vec3{Z: 3}, Turn: [4]float32{1}}))

	ecs.System(w, "reset", func(c *struct {
		Pose ecs.Write[Pose]
	}) {
		for i := range c.Pose {
			c.Pose[i] = Pose{At: Vec3{Y: c.Pose[i].At.Z}}
		}
	})
	check(w.Run(ctx))
	fmt.Println(pose.Load(e))
	// Output:
	// {{0 3 0} [0 0 0 0]} true
}

func Example_fields() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()
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
	defer func() { check(w.Close()) }()
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
