package ecs_test

import (
	"context"
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

type (
	Position struct{ X, Y float64 }
	Velocity struct{ X, Y float64 }
)

// The README's example.
func Example() {
	type body struct {
		Position
		Velocity
	}
	type move struct {
		Pos []Position `ashlar:"write"`
		Vel []Velocity
	}

	w, err := ecs.New(ecs.Options{})
	if err != nil {
		panic(err)
	}
	defer w.Close()
	position, _ := ecs.Register[Position](w, "position")
	ecs.Register[Velocity](w, "velocity")
	bodies, err := ecs.GroupOf[body](w, "body")
	if err != nil {
		panic(err)
	}
	e, err := bodies.Spawn(body{Position{1, 2}, Velocity{3, 4}})
	if err != nil {
		panic(err)
	}
	ecs.System(w, "move", func(c *move) {
		pos, vel := c.Pos, c.Vel
		for i := range pos {
			pos[i].X += vel[i].X
			pos[i].Y += vel[i].Y
		}
	})
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
	fmt.Println(e, *position.Get(e))
	// Output: 1v1 {4 6}
}
