package ecs_test

import (
	"fmt"
	"strings"

	"github.com/ashlar-go/ashlar/ecs"
)

// Two systems that write different components run side by side, and a third waits for one of them.
func ExampleWorld_Schedule() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	ecs.Register[Position](w, "position")
	ecs.Register[Velocity](w, "velocity")
	ecs.Register[Health](w, "health")
	ecs.System(w, "move", func(*struct {
		Pos ecs.Write[Position]
		Vel []Velocity
	}) {
	}, ecs.Parallel())
	ecs.System(w, "heal", func(*struct{ HP ecs.Write[Health] }) {}, ecs.Parallel())
	ecs.System(w, "bury", func(*struct {
		Pos []Position
		Do  *ecs.Commands
	}) {
	}, ecs.Parallel())
	ecs.System(w, "draw", func(*struct{ Pos []Position }) {})
	fmt.Print(w.Schedule())
	fmt.Println(strings.Contains(w.Schedule().DOT(), `[label="position", style=bold]`))
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
	// true
}
