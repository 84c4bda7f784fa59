package guide

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

func Example_events_random() {
	w := ecs.New(ecs.Options{Seed: 7})
	defer w.Close()
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
	fmt.Println(all.Sum(points), all.Min(points), all.Max(points))
	fmt.Println(all.Histogram([]float64{50, 100}, points))

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
	// 300 20 180
	// [1 0 2]
}

func Example_events() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	ecs.Register[Health](w, "health")
	army := ecs.SpawnerOf[struct{ Health }](w)
	must(army.Spawn(struct{ Health }{Health{100}}))
	type Hit struct {
		Target ecs.Entity
		By     string
	}
	hits := ecs.EventsOf[Hit](w, ecs.EventOptions{})

	ecs.System(w, "fight", func(c *struct {
		Ents []ecs.Entity
		_    ecs.With[Health]
		Hits ecs.WriteEvents[Hit]
	}) {
		for _, e := range c.Ents {
			c.Hits.Write(Hit{e, "sword"})
		}
	})
	ecs.System(w, "tell", func(c *struct{ Hits ecs.Events[Hit] }) {
		for list := range c.Hits.All() {
			for _, h := range list {
				fmt.Println(h.Target, "is hit by a", h.By)
			}
		}
	})
	check(w.Run(ctx))

	last := hits.Reader()
	hits.Write(Hit{By: "fall"})
	fmt.Println(last.Len())
	// Output:
	// 1v1 is hit by a sword
	// 1
}
