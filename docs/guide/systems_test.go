package guide

import (
	"context"
	"fmt"
	"time"

	"github.com/ashlar-go/ashlar/ecs"
)

var ctx = context.Background()

func Example_systems() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()

	say := func(what string) func(*struct{}) {
		return func(*struct{}) { fmt.Print("/", what) }
	}
	night := false
	ecs.System(w, "hit", say("hit"), ecs.InSet("combat"), ecs.After("move"))
	ecs.System(w, "move", say("move"))
	ecs.System(w, "aim", say("aim"), ecs.Before("combat"))
	ecs.System(w, "glow", say("glow"), ecs.When(func() bool { return night }))
	ecs.System(w, "load", say("load"), ecs.InPhase(ecs.Startup))
	ecs.System(w, "draw", say("draw"), ecs.InPhase(ecs.Render))

	frame := func() {
		check(w.Run(ctx))
		fmt.Println()
	}
	frame()
	night = true
	check(w.Pause("combat"))
	frame()
	// Output:
	// /load/move/aim/hit/draw
	// /move/aim/glow/draw
}

func Example_systems_fixed() {
	w := ecs.New(ecs.Options{FixedStep: 10 * time.Millisecond})
	defer func() { check(w.Close()) }()
	ecs.System(w, "physics", func(*struct{}) { fmt.Print("physics ") }, ecs.InPhase(ecs.Fixed))

	for _, elapsed := range []time.Duration{20, 25, 5} {
		check(w.RunFor(ctx, elapsed*time.Millisecond))
		fmt.Printf("%.1f\n", w.Alpha()) // how much of the next step has passed
	}
	// Output:
	// physics physics 0.0
	// physics physics 0.5
	// physics 0.0
}

func Example_systems_resource() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()

	type Clock struct{ Frame int }
	ecs.Provide(w, Clock{})

	ecs.System(w, "tick", func(s *struct {
		Clock ecs.WriteRes[Clock]
	}) {
		s.Clock.Mut().Frame++
	})
	ecs.System(w, "show", func(s *struct{ Clock ecs.Res[Clock] }) {
		fmt.Println("frame", s.Clock.Get().Frame)
	})
	check(w.Run(ctx))
	fmt.Println(ecs.Resource[Clock](w).Frame)
	// Output:
	// frame 1
	// 1
}

func Example_systems_commands() {
	w := ecs.New(ecs.Options{})
	defer func() { check(w.Close()) }()
	ecs.Register[Health](w, "health")
	fire := ecs.Register[Fire](w, "fire")
	type burning struct {
		Health
		Fire
	}
	torches := ecs.SpawnerOf[burning](w)
	for _, points := range []int32{1, 4, 20} {
		must(torches.Spawn(burning{Health: Health{points}}))
	}

	ecs.System(w, "burn", func(c *struct {
		Health ecs.Write[Health]
		Ents   []ecs.Entity
		Fire   ecs.Later[Fire]
		_      ecs.With[Fire]
		Do     *ecs.Commands
	}) {
		for i, e := range c.Ents {
			if c.Health[i].Points--; c.Health[i].Points == 0 {
				c.Do.Destroy(e)
			} else if c.Health[i].Points < 3 {
				c.Fire.Remove(e)
			}
		}
	})
	for range 5 {
		check(w.Run(ctx))
	}
	fmt.Println(w.Len(), "left,", fire.Len(), "burn")
	// Output:
	// 2 left, 1 burn
}
