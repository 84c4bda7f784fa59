package guide

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

func Example_events() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()
	ecs.Register[Health](w, "health")
	army := ecs.SpawnerOf[struct{ Health }](w)
	must(army.Spawn(struct{ Health }{Health{100}}))
	type Hit struct {
		Target ecs.Entity
		By     string
	}
	hits := ecs.EventsOf[Hit](w)

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
