package ecs_test

import (
	"context"
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

// Ships with disabled engines drift on as they are: no row moves, and the engine keeps its
// power. Ships far away are disabled as a whole.
func ExamplePool_SetEnabled() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	engines := ecs.Register[engine](w, "engine")
	ships := ecs.SpawnerOf[struct{ engine }](w)
	fleet := make([]ecs.Entity, 4)
	if err := ships.SpawnN(fleet, []struct{ engine }{{engine{9}}}); err != nil {
		panic(err)
	}
	ecs.System(w, "thrust", func(c *struct{ Engines []engine }) {
		fmt.Println(len(c.Engines), "engines run")
	})

	for _, e := range fleet[:2] {
		if err := engines.SetEnabled(e, false); err != nil {
			panic(err)
		}
	}
	if err := w.SetEnabled(fleet[3], false); err != nil {
		panic(err)
	}
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
	fmt.Println(engines.Enabled(fleet[0]), engines.Get(fleet[0]).Power)
	err := w.SetEnabled(fleet[3], true)
	fmt.Println("the ship is back", err)
	// Output:
	// 1 engines run
	// false 9
	// the ship is back <nil>
}

// A system that repairs engines asks for the disabled ones, and switches them on by commands:
// while it iterates it can't.
func ExampleDisabled() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	engines := ecs.Register[engine](w, "engine")
	ship, err := w.Spawn()
	if err != nil {
		panic(err)
	}
	engines.Add(ship, engine{9})
	engines.SetEnabled(ship, false)
	ecs.System(w, "repair", func(c *struct {
		Ships []ecs.Entity
		_     ecs.Disabled[engine]
		Do    *ecs.Commands
	}) {
		for _, e := range c.Ships {
			engines.Later(c.Do).SetEnabled(e, true)
		}
	})
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
	fmt.Println(engines.Enabled(ship))
	// Output: true
}

// An inspector counts all engines, of ships that are disabled as well.
func ExamplePresent() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	engines := ecs.Register[engine](w, "engine")
	ship, err := w.Spawn()
	if err != nil {
		panic(err)
	}
	engines.Add(ship, engine{9})
	w.Commands().SetEnabled(ship, false)
	if err := w.SafePoint(); err != nil {
		panic(err)
	}
	running := ecs.QueryOf[struct{ E []engine }](w)
	all := ecs.QueryOf[struct {
		E []engine
		_ ecs.Present[engine]
		_ ecs.Present[ecs.Entity]
	}](w)
	fmt.Println(running.Len(), "of", all.Len(), "run;", "enabled:", w.Enabled(ship))
	// Output: 0 of 1 run; enabled: false
}

// Clear takes a component from all that have it, whatever else they have.
func ExamplePool_Clear() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	marks := ecs.Register[exPlace](w, "mark")
	for range 3 {
		e, err := w.Spawn()
		if err != nil {
			panic(err)
		}
		if err := marks.Add(e, exPlace{}); err != nil {
			panic(err)
		}
	}
	err := marks.Clear()
	fmt.Println(w.Len(), marks.Len(), err)
	// Output:
	// 3 0 <nil>
}
