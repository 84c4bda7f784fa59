package ecs_test

import (
	"context"
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

// An observer counts members, whatever adds and removes them, and gives each a name by a command.
func ExampleObserve() {
	type member struct{ Since int }
	type name struct{ Number int }
	w := ecs.New(ecs.Options{})
	defer w.Close()
	members, names := ecs.Register[member](w, "member"), ecs.Register[name](w, "name")
	count := 0
	ecs.Observe(w, "count", func(c *struct {
		In   ecs.Arrived[member]
		Out  ecs.Left[member]
		Name ecs.Later[name]
	}) {
		count += c.In.Len() - c.Out.Len()
		for es := range c.In.All() {
			for _, e := range es {
				c.Name.Put(e, name{count})
			}
		}
	})
	e, err := w.Spawn()
	if err != nil {
		panic(err)
	}
	if err := members.Add(e, member{1999}); err != nil {
		panic(err)
	}
	fmt.Println(count, names.Get(e).Number)
	if err := w.Destroy(e); err != nil {
		panic(err)
	}
	fmt.Println(count)
	// Output:
	// 1 1
	// 0
}

// A system learns once a frame which entities have got a component and which have lost it.
func ExampleArrived() {
	type spot struct{ X int }
	w := ecs.New(ecs.Options{})
	defer w.Close()
	spots := ecs.Register[spot](w, "spot")
	ecs.System(w, "index", func(c *struct {
		In  ecs.Arrived[spot]
		Out ecs.Left[spot]
	}) {
		for es, old := range c.Out.All() {
			fmt.Println("left", es, old)
		}
		for es, now := range c.In.All() {
			fmt.Println("arrived", es, now)
		}
	})
	e, err := w.Spawn()
	if err != nil {
		panic(err)
	}
	for _, change := range []func() error{
		func() error { return spots.Add(e, spot{1}) },
		func() error { return w.Run(context.Background()) },
		func() error { return spots.Remove(e) },
		func() error { return w.Run(context.Background()) },
	} {
		if err := change(); err != nil {
			panic(err)
		}
	}
	// Output:
	// arrived [1v1] [{1}]
	// left [1v1] [{1}]
}
