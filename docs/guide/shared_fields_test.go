package guide

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

type Vec3 struct{ X, Y, Z float32 }
type Transform struct {
	Position Vec3
	Scale    Vec3
	Rotation [4]float32
}
type Sprite struct{ Visible bool }

func Example_shared_fields() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()
	transform := ecs.Register[Transform](w, "transform")
	sprite := ecs.Register[Sprite](w, "sprite")
	places := ecs.GroupOf[struct{ Transform }](w, "places")
	sprites := ecs.GroupOf[struct{ Sprite }](w, "sprites")
	sprites.SortAs(nil, 0) // in no order but the present one
	fmt.Println(sprites.Len(), "sprites")
	var es []ecs.Entity
	for _, z := range []float32{3, 7, 1} {
		e := must(places.Spawn(struct{ Transform }{Transform{Position: Vec3{Z: z}}}))
		if z != 7 { // this one has no sprite
			check(sprite.Add(e, Sprite{}))
			es = append(es, e)
		}
	}
	a, b := es[0], es[1] // sprites at 3 and 1

	ecs.System(w, "cull", func(c *struct {
		Sprite ecs.Write[Sprite]
		At     []Vec3 `ashlar:"transform.Position"` // stored with group places
	}) {
		sprite, at := c.Sprite, c.At
		for i := range sprite {
			sprite[i].Visible = at[i].Z > 0
		}
	})

	ecs.System(w, "sink", func(c *struct {
		Sprite []Sprite
		At     ecs.Write[Vec3] `ashlar:"transform.Position"`
	}) {
		sprite, at := c.Sprite, c.At
		for i := range at {
			if sprite[i].Visible {
				at[i].Z -= 2
			}
		}
	})

	for range 3 {
		check(w.Run(ctx))
		fmt.Println(transform.Get(a).Position.Z, sprite.Get(a).Visible, sprite.Get(b).Visible)
	}
	// Output:
	// 0 sprites
	// 1 true true
	// -1 true false
	// -1 false false
}
