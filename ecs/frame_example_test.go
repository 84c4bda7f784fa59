package ecs_test

import (
	"context"
	"fmt"
	"time"

	"github.com/ashlar-go/ashlar/ecs"
)

// A wave of enemies comes every third frame. The system that makes it asks for no rows, so it
// runs once a frame, and may spawn at once.
func ExampleProvide() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	ecs.Register[Position](w, "position")
	enemies := ecs.SpawnerOf[struct{ Position }](w)
	type Clock struct{ Frame int }
	clock := ecs.Provide(w, Clock{})
	ecs.System(w, "waves", func(s *struct {
		Clock ecs.WriteRes[Clock]
	}) {
		c := s.Clock.Mut()
		if c.Frame++; c.Frame%3 == 0 {
			if _, err := enemies.Spawn(struct{ Position }{Position{X: float64(c.Frame)}}); err != nil {
				panic(err)
			}
		}
	})
	for range 7 {
		if err := w.Run(context.Background()); err != nil {
			panic(err)
		}
	}
	fmt.Println(clock.Frame, "frames,", w.Len(), "enemies")
	// Output: 7 frames, 2 enemies
}

// A program that draws 50 times a second and computes in steps of 10 ms: how much of a step is
// left over says how far to draw between the last two states.
func ExampleWorld_RunFor() {
	w := ecs.New(ecs.Options{FixedStep: 10 * time.Millisecond})
	defer w.Close()
	say := func(what string) func(*struct{}) {
		return func(*struct{}) { fmt.Print(what, " ") }
	}
	ecs.System(w, "load", say("load"), ecs.InPhase(ecs.Startup))
	ecs.System(w, "physics", say("physics"), ecs.InPhase(ecs.Fixed))
	ecs.System(w, "draw", say("draw"), ecs.InPhase(ecs.Render))
	for _, elapsed := range []time.Duration{20, 25, 5} {
		if err := w.RunFor(context.Background(), elapsed*time.Millisecond); err != nil {
			panic(err)
		}
		fmt.Printf("%.1f\n", w.Alpha())
	}
	// Output:
	// load physics physics draw 0.0
	// physics physics draw 0.5
	// physics draw 0.0
}

// Columns as they lie, and the numbers of the rows that match.
func ExampleRows() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	positions := ecs.Register[Position](w, "position")
	ecs.Register[Velocity](w, "velocity")
	type Far struct{}
	far := ecs.Register[Far](w, "far", ecs.Volatile)
	bodies := ecs.SpawnerOf[body](w)
	ecs.System(w, "move", func(c *struct {
		Pos  ecs.Write[Position]
		Vel  []Velocity
		Rows ecs.Rows
		_    ecs.Without[Far]
	}) {
		for _, i := range c.Rows {
			c.Pos[i].X += c.Vel[i].X
			c.Pos[i].Y += c.Vel[i].Y
		}
	})
	es := make([]ecs.Entity, 4)
	err := bodies.SpawnN(es, []body{{Velocity: Velocity{1, 2}}})
	for _, err := range []error{err, far.Add(es[2], Far{}), w.Run(context.Background())} {
		if err != nil {
			panic(err)
		}
	}
	for _, e := range es {
		fmt.Println(*positions.Get(e))
	}
	// Output:
	// {1 2}
	// {1 2}
	// {0 0}
	// {1 2}
}

// Systems run in the order of their registration, but for options; sets are paused
// together.
func ExampleInSet() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	night := false
	say := func(what string) func(*struct{}) {
		return func(*struct{}) { fmt.Print("/", what) }
	}
	for _, err := range []error{
		systemRefusal(w, "hit", say("hit"), ecs.InSet("combat"), ecs.After("move")),
		systemRefusal(w, "move", say("move")),
		systemRefusal(w, "aim", say("aim"), ecs.Before("combat")),
		systemRefusal(w, "glow", say("glow"), ecs.When(func() bool { return night })),
	} {
		if err != nil {
			panic(err)
		}
	}
	frame := func() {
		if err := w.Run(context.Background()); err != nil {
			panic(err)
		}
		fmt.Println()
	}
	frame()
	night = true
	if err := w.Pause("combat"); err != nil {
		panic(err)
	}
	frame()
	if err := w.Resume("combat"); err != nil {
		panic(err)
	}
	frame()
	// Output:
	// /move/aim/hit
	// /move/aim/glow
	// /move/aim/hit/glow
}
