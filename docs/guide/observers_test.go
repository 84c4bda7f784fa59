package guide

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

func Example_observers() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()
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

func Example_observers_set() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()
	positions := ecs.Register[Position](w, "position")
	type pawn struct{ Position }
	pawns := ecs.GroupOf[pawn](w, "pawns")
	ecs.Observe(w, "join", func(c *struct{ In ecs.Arrived[pawn] }) {
		for es, all := range c.In.All() {
			fmt.Println(len(es), "pawns, the first at", all[0].X)
		}
	})

	ecs.System(w, "squares", func(c *struct {
		Old ecs.Left[ecs.Set[Position]]
		New ecs.Arrived[ecs.Set[Position]]
	}) {
		for es, old := range c.Old.All() {
			for i, e := range es {
				fmt.Println(e, "was at", old[i].Value.X)
			}
		}
		for es, now := range c.New.All() {
			for i, e := range es {
				fmt.Println(e, "is at", now[i].Value.X)
			}
		}
	})
	e := must(pawns.Spawn(pawn{Position{X: 2}}))
	check(positions.Set(e, Position{X: 3}))
	check(positions.Set(e, Position{X: 4}))
	check(w.Run(ctx))
	// Output:
	// 1 pawns, the first at 2
	// 1v1 was at 2
	// 1v1 is at 4
}
