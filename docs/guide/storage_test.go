package guide

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

type Position struct{ X, Y float64 }
type Velocity struct{ X, Y float64 }
type Quest struct{ Goal Position }

type body struct {
	Position
	Velocity
}

type motion struct {
	Pos ecs.Write[Position]
	Vel []Velocity
}

func move(c *motion) {
	pos, vel := c.Pos, c.Vel
	for i := range pos {
		pos[i].X += vel[i].X
		pos[i].Y += vel[i].Y
	}
}

func Example_storage() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()
	ecs.Register[Position](w, "position")
	ecs.Register[Velocity](w, "velocity")
	poison := ecs.Register[Poison](w, "poison")
	bodies := ecs.SpawnerOf[body](w)

	enemies := make([]ecs.Entity, 2000)
	for i := range enemies {
		enemies[i] = must(bodies.Spawn(body{}))
	}
	ecs.System(w, "move", move)
	for frame := range 200 {
		for i := range 100 {
			e := enemies[(frame*31+i*17)%len(enemies)]
			if poison.Has(e) {
				check(poison.Remove(e))
			} else {
				check(poison.Add(e, Poison{1}))
			}
		}
		check(w.Run(ctx))
	}
	for _, c := range w.Stats().Components {
		fmt.Println(c.Name, "is", c.Storage, c.Reason)
	}
	// Output:
	// position is fixed by default
	// velocity is fixed by default
	// poison is optional removed often
}

func Example_storage_stated() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()

	velocity := ecs.Register[Velocity](w, "velocity", ecs.Stable) // fixed
	poison := ecs.Register[Poison](w, "poison", ecs.Volatile)     // optional
	quest := ecs.Register[Quest](w, "quest", ecs.Thin)            // thin

	fmt.Println(velocity.Len(), poison.Len(), quest.Len())
	// Output: 0 0 0
}
