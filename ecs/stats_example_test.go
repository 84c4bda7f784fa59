package ecs_test

import (
	"context"
	"encoding/json"
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
	fmt.Println(s.Entities, "entity in frame", s.Frame)
	for _, c := range s.Components {
		fmt.Println(c)
	}
	for _, d := range s.Drops {
		fmt.Println(d.What, "was dropped:", d.Err == ecs.ErrStale)
	}
	s.Memory.Arena.Live, s.Memory.Arena.Committed = 0, 0 // these differ from machine to machine
	fmt.Print(s)
	// Output:
	// 1 entity in frame 1
	// burns: ecs_test.exBurns, 8 bytes; optional, stated; 1 entity in 1 table
	// destroy was dropped: true
	// frame 1: 1 entity, 1 table, 0 systems
	// component burns: ecs_test.exBurns, 8 bytes; optional, stated; 1 entity in 1
	//     table
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

	d := w.Describe()
	fmt.Print(d)
	data, _ := json.Marshal(d.Systems[0])
	fmt.Println(string(data))
	// Output:
	// phase EachFrame
	//   burn (paused): writes health; reads burns; in game
	// phase Render
	//   draw: reads health
	// table of burns: 1 row in 1 chunk
	// resource time.Duration
	// {"name":"burn","phase":"EachFrame","sets":["game"],"paused":true,"uses":[{"how":"writes","name":"health"},{"how":"reads","name":"burns"}]}
}
