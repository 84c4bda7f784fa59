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
