package guide

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

func Example_events_observers() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	ecs.Register[Position](w, "position")
	rockets := ecs.SpawnerOf[struct{ Position }](w)
	places := make(map[ecs.Entity]Position)

	ecs.System(w, "index", func(c *struct {
		In  ecs.Arrived[Position]
		Out ecs.Left[Position]
	}) {
		for es := range c.Out.All() {
			for _, e := range es {
				delete(places, e)
			}
		}
		for es, positions := range c.In.All() {
			for i, e := range es {
				places[e] = positions[i]
			}
		}
	})

	ecs.Observe(w, "boom", func(c *struct {
		Dead ecs.Left[ecs.Entity]
		Pos  ecs.Look[Position]
	}) {
		for es := range c.Dead.All() {
			for _, e := range es {
				fmt.Println("boom at", c.Pos.Get(e).X)
			}
		}
	})
	rocket := must(rockets.Spawn(struct{ Position }{Position{X: 3}}))
	check(w.Run(ctx))
	fmt.Println(len(places))
	check(w.Destroy(rocket))
	check(w.Run(ctx))
	fmt.Println(len(places))
	// Output:
	// 1
	// boom at 3
	// 0
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
