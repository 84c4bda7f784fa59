package ecs_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

type (
	exHealth struct{ HP int64 }
	exBurns  struct{ Left int64 }
	exPlace  struct{ X float64 }
)

// A system asks for changes of structure, which are made before the next one runs.
func ExampleCommands() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	health := ecs.Register[exHealth](w, "health")
	burns := ecs.Register[exBurns](w, "burns")
	ecs.Register[exPlace](w, "place")
	type body struct {
		Health exHealth
		Place  exPlace
	}
	bodies := ecs.GroupOf[body](w, "bodies")
	type torch struct {
		Body  body // members of the group are spawned from it
		Burns exBurns
	}
	torches := ecs.SpawnerOf[torch](w)

	ecs.System(w, "spawn", func(c *struct{ Cmd *ecs.Commands }) {
		var es [3]ecs.Entity
		bodies.Later(c.Cmd).SpawnN(es[:2], []body{{Health: exHealth{9}}})
		bodies.Later(c.Cmd).SpawnN(es[2:], []body{{Health: exHealth{1}}})
		torches.Later(c.Cmd).Spawn(torch{body{exHealth{5}, exPlace{1}}, exBurns{3}})
		fmt.Println(bodies.Len(), "members yet, alive:", w.Alive(es[0]))
	}, ecs.InPhase(ecs.Startup))
	ecs.System(w, "burn", func(c *struct {
		Health []exHealth
		Ents   []ecs.Entity
		Cmd    *ecs.Commands
	}) {
		for i, e := range c.Ents {
			if c.Health[i].HP == 1 {
				c.Cmd.Destroy(e)
				continue
			}
			health.Later(c.Cmd).Set(e, exHealth{c.Health[i].HP - 1})
			burns.Later(c.Cmd).Put(e, exBurns{8}) // added, or set
		}
	})
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
	for e, b := range burns.All() {
		fmt.Println(health.Get(e).HP, "left, burns for", b.Left)
	}
	// Output:
	// 0 members yet, alive: true
	// 4 left, burns for 8
	// 8 left, burns for 8
	// 8 left, burns for 8
}

// Commands that others have overtaken are listed: who asked, for which change, and why not.
func ExampleWorld_Stats_drops() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	burns := ecs.Register[exBurns](w, "burns")
	e, _ := w.Spawn()
	ecs.System(w, "ignite", func(c *struct{ Cmd *ecs.Commands }) {
		c.Cmd.Destroy(e)
		burns.Later(c.Cmd).Add(e, exBurns{3})
	})
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
	for _, err := range w.Stats().Drops {
		fmt.Println(errors.Is(err, ecs.ErrStale), err)
	}
	// Output: true a command of system "ignite" in frame 1, add "burns" of 1v1: ecs: the entity is not alive: the handle is null, stale or foreign
}

// Put adds a component or sets it. A spawner puts all that are in its struct.
func ExamplePool_Put() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	health := ecs.Register[exHealth](w, "health")
	burns := ecs.Register[exBurns](w, "burns")
	type hit struct {
		Health exHealth
		Burns  exBurns
	}
	hits := ecs.SpawnerOf[hit](w)
	e, _ := w.Spawn()
	health.Put(e, exHealth{9})
	hits.Put(e, hit{exHealth{8}, exBurns{2}})
	fmt.Println(*health.Get(e), *burns.Get(e))
	// Output: {8} {2}
}

// A system has panicked. The program that has recovered may go on with the frame behind it.
func ExampleWorld_Continue() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	ecs.System(w, "plugin", func(*struct{}) { panic("not mine") })
	ecs.System(w, "draw", func(*struct{}) { fmt.Println("drawn") })
	frame := func() (err error) {
		defer func() {
			if recover() != nil {
				fmt.Println(w.Stats().Abandoned)
				err = errors.Join(w.RemoveSystem("plugin"), w.Continue(context.Background()))
			}
		}()
		return w.Run(context.Background())
	}
	fmt.Println(frame(), w.Frame())
	// Output:
	// ecs: the last frame was abandoned: system "plugin" panicked in frame 1, after 0 calls; 0 of 2 systems had run before it. What ran stays, and the next Run begins a new frame
	// drawn
	// <nil> 1
}

// A rule ends the round wherever it stands: later systems of the frame still see what it destroys.
func ExampleAtEnd() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	ecs.Register[Position](w, "position")
	if _, err := ecs.SpawnerOf[struct{ Position }](w).Spawn(struct{ Position }{}); err != nil {
		panic(err)
	}
	ecs.System(w, "rule", func(c *struct {
		Ents []ecs.Entity
		_    ecs.With[Position]
		End  ecs.AtEnd
	}) {
		for _, e := range c.Ents {
			c.End.Do().Destroy(e)
		}
	})
	ecs.System(w, "draw", func(c *struct{ Pos []Position }) { fmt.Println(len(c.Pos), "drawn") })
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
	fmt.Println(w.Len(), "left")
	// Output:
	// 1 drawn
	// 0 left
}
