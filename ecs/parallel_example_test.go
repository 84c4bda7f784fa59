package ecs_test

import (
	"context"
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

// Bodies that leave the field are destroyed, by as many workers as there are. The scratch is each worker's own.
func ExampleParallel() {
	w := ecs.New(ecs.Options{Workers: 4})
	defer w.Close()
	ecs.Register[Position](w, "position")
	bodies := ecs.SpawnerOf[struct{ Position }](w)
	for i := range 50_000 {
		if _, err := bodies.Spawn(struct{ Position }{Position{X: float64(i)}}); err != nil {
			panic(err)
		}
	}
	type leaving struct {
		Pos ecs.Write[Position]
		E   []ecs.Entity
		Out ecs.Local[[]ecs.Entity]
		Do  *ecs.Commands
	}
	ecs.System(w, "leave", func(c *leaving) {
		out := (*c.Out.Get())[:0]
		for i := range c.Pos {
			if c.Pos[i].X++; c.Pos[i].X > 40_000 {
				out = append(out, c.E[i])
			}
		}
		for _, e := range out {
			c.Do.Destroy(e)
		}
		*c.Out.Get() = out
	}, ecs.Parallel())
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
	fmt.Println(w.Len(), "bodies")
	// Output: 40000 bodies
}
