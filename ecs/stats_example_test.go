package ecs_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ashlar-go/ashlar/ecs"
)

// Stats tell how things are now, and sums so far.
func ExampleWorld_Stats() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	burns := ecs.Register[exBurns](w, "burns", ecs.Volatile)
	e, _ := w.Spawn()
	burns.Add(e, exBurns{3})
	w.Commands().Destroy(0)
	w.Run(context.Background())

	s := w.Stats()
	for _, c := range s.Components {
		fmt.Println(c)
	}
	for _, d := range s.Drops {
		fmt.Println("dropped, since the entity is not alive:", errors.Is(d, ecs.ErrStale))
	}
	s.Memory.Arena.Live, s.Memory.Arena.Committed = 0, 0 // these differ from machine to machine
	fmt.Print(s)
	// Output:
	// burns: 8 bytes; optional, stated; 1 entity in 1 table
	// dropped, since the entity is not alive: true
	// component burns: 8 bytes; optional, stated; 1 entity in 1 table
	// commands: 0 wait, 1 dropped
	//   a command in frame 1, destroy of null: ecs: the entity is not alive: the
	//       handle is null, stale or foreign
	// memory: 16 B of rows in 1 chunk, 0 B live, 0 B committed
}

// A description lists systems with the components that they use, and tables.
func ExampleWorld_Describe() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	ecs.Register[exHealth](w, "health")
	burns := ecs.Register[exBurns](w, "burns", ecs.Thin)
	ecs.Provide(w, time.Second)
	ecs.System(w, "draw", func(*struct{ H []exHealth }) {}, ecs.InPhase(ecs.Render))
	ecs.System(w, "burn", func(*struct {
		H ecs.Write[exHealth]
		B []exBurns
	}) {
	}, ecs.InSet("game"))
	w.Pause("game")
	e, _ := w.Spawn()
	burns.Add(e, exBurns{3})

	fmt.Print(w.Describe())
	// Output:
	// phase EachFrame
	//   burn (paused): writes health; reads burns; in game
	// phase Render
	//   draw: reads health
	// table of burns: 1 row in 1 chunk
	// resource time.Duration
}
