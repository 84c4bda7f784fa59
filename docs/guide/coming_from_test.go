package guide

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

type Frozen struct{}

func Example_coming_from_query() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()
	ecs.Register[Position](w, "position")
	ecs.Register[Velocity](w, "velocity")
	frozen := ecs.Register[Frozen](w, "frozen")

	type body struct {
		Position
		Velocity
	}
	bodies := ecs.SpawnerOf[body](w)
	q := ecs.QueryOf[struct {
		Pos ecs.Write[Position]
		Vel []Velocity
		_   ecs.Without[Frozen]
	}](w)

	e := must(bodies.Spawn(body{Velocity: Velocity{1, 2}}))
	for c := range q.All() {
		pos, vel := c.Pos, c.Vel
		for i := range pos {
			pos[i].X += vel[i].X
			pos[i].Y += vel[i].Y
		}
	}
	check(frozen.Add(e, Frozen{}))
	check(w.Destroy(e))

	fmt.Println(q.Len(), w.Len())
	// Output: 0 0
}

func Example_coming_from_system() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()
	position := ecs.Register[Position](w, "position")
	ecs.Register[Velocity](w, "velocity")
	frozen := ecs.Register[Frozen](w, "frozen")
	defer func() { fmt.Println(position.Len()) }()

	type body struct {
		Position
		Velocity
	}
	bodies := ecs.SpawnerOf[body](w)
	e := must(bodies.Spawn(body{Velocity: Velocity{1, 2}}))

	ecs.System(w, "move", func(c *struct {
		Pos ecs.Write[Position]
		Vel []Velocity
		_   ecs.Without[Frozen]
	}) {
		pos, vel := c.Pos, c.Vel
		for i := range pos {
			pos[i].X += vel[i].X
			pos[i].Y += vel[i].Y
		}
	})
	check(w.Run(ctx))
	check(frozen.Add(e, Frozen{}))
	check(w.Destroy(e))
	// Output: 0
}
