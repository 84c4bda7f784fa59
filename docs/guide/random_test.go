package guide

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

func Example_random() {
	w := ecs.New(ecs.Options{Seed: 7})
	defer func() { check(w.Close()) }()
	ecs.Register[Health](w, "health")
	soldiers := ecs.SpawnerOf[struct{ Health }](w)
	for _, points := range []int32{100, 20, 180} {
		must(soldiers.Spawn(struct{ Health }{Health{points}}))
	}
	terrain := w.Random("terrain")
	tree := terrain.At(3)
	again := terrain.At(3)
	fmt.Println(tree.IntN(100) == again.IntN(100))

	type row struct{ Health []Health }
	all := ecs.QueryOf[row](w)
	points := func(c *row, i int) float64 { return float64(c.Health[i].Points) }
	fmt.Println(all.Sum(points))

	ecs.System(w, "roll", func(c *struct {
		Ents   []ecs.Entity
		Health ecs.Write[Health]
		Rand   ecs.Random
	}) {
		for i, e := range c.Ents {
			d := c.Rand.Of(e)
			if d.Float64() < 0.5 {
				c.Health[i].Points -= int32(d.IntN(6) + 1)
			}
		}
	})
	check(w.Run(ctx))
	// Output:
	// true
	// 300
}
