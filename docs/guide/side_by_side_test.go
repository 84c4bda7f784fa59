package guide

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

func Example_side_by_side() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()
	ecs.Register[Position](w, "position")
	ecs.Register[Velocity](w, "velocity")
	ecs.Register[Health](w, "health")
	move := func(*motion) {}
	heal := func(*struct{ HP ecs.Write[Health] }) {}
	bury := func(*struct {
		Pos []Position
		Do  *ecs.Commands
	}) {
	}
	draw := func(*struct{ Pos []Position }) {}

	ecs.System(w, "move", move, ecs.Parallel())
	ecs.System(w, "heal", heal, ecs.Parallel())
	ecs.System(w, "bury", bury, ecs.Parallel())
	ecs.System(w, "draw", draw)
	fmt.Print(w.Schedule())
	// Output:
	// EachFrame
	//   safe point: the first
	//     move
	//       beside heal
	//     heal
	//       beside move, bury
	//     bury
	//       waits for move, which writes position, and this reads it
	//       beside heal
	//   safe point: runs alone: no ecs.Parallel, or fields that need a system alone
	//     draw
	// critical path: move → bury → draw: 3 of 4 systems
}

func Example_shuffled() {
	newGame := func(o ecs.Options) *ecs.World {
		w := ecs.New(o)
		ecs.Register[Position](w, "position")
		ecs.Register[Velocity](w, "velocity")
		must(ecs.SpawnerOf[body](w).Spawn(body{Velocity: Velocity{1, 2}}))
		ecs.System(w, "move", func(c *motion) { c.Pos[0].X += c.Vel[0].X }, ecs.Parallel())
		return w
	}
	err := ecs.Shuffled(20, 100, func(shuffle uint64) *ecs.World {
		return newGame(ecs.Options{Shuffle: shuffle, Workers: 1})
	})
	fmt.Println(err)
	// Output: <nil>
}
