package ecs_test

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

// Only changes are sent: all rows of chunks in which a position was written or added.
// A row that moves to another table is no change.
func ExampleChanged() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	positions := ecs.Register[Position](w, "position")
	velocities := ecs.Register[Velocity](w, "velocity")
	spawner := ecs.SpawnerOf[struct{ Position }](w)
	things := make([]ecs.Entity, 10_000)
	if err := spawner.SpawnN(things, []struct{ Position }{{}}); err != nil {
		panic(err)
	}
	changes := ecs.QueryOf[struct {
		At []Position
		_  ecs.Changed[Position]
	}](w)
	send := func() (rows int) {
		for c := range changes.All() {
			rows += len(c.At)
		}
		return rows
	}
	fmt.Println("all:", send())
	fmt.Println("nothing has changed:", send())
	positions.Mut(things[5000]).X++
	n := send()
	fmt.Println("one has, and some lie beside it:", n > 0 && n < 5000)
	if err := velocities.Add(things[0], Velocity{}); err != nil {
		panic(err)
	}
	fmt.Println("one has moved to another table:", send())
	// Output:
	// all: 10000
	// nothing has changed: 0
	// one has, and some lie beside it: true
	// one has moved to another table: 0
}

// With the word rows only changed rows are passed, and not their neighbours.
func ExampleChanged_rows() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	positions := ecs.Register[Position](w, "position")
	spawner := ecs.SpawnerOf[struct{ Position }](w)
	things := make([]ecs.Entity, 10_000)
	if err := spawner.SpawnN(things, []struct{ Position }{{}}); err != nil {
		panic(err)
	}
	changes := ecs.QueryOf[struct {
		E  ecs.Entity
		At *Position
		_  ecs.ChangedRows[Position]
	}](w)
	for range changes.All() { // in its first walk a query sees all
	}
	for _, e := range []ecs.Entity{things[17], things[5000]} {
		positions.Mut(e).X++
	}
	for c := range changes.All() {
		fmt.Println(c.E == things[17] || c.E == things[5000], c.At.X)
	}
	// Output:
	// true 1
	// true 1
}

// A system greets entities that got a component since it last ran.
func ExampleAdded() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	names := ecs.Register[[8]byte](w, "name")
	added := ecs.QueryOf[struct {
		Name *[8]byte
		_    ecs.Added[[8]byte]
	}](w)
	for _, name := range []string{"ada", "bea"} {
		e, err := w.Spawn()
		if err != nil {
			panic(err)
		}
		var v [8]byte
		copy(v[:], name)
		if err := names.Add(e, v); err != nil {
			panic(err)
		}
	}
	for range 2 {
		n := 0
		for c := range added.All() {
			fmt.Printf("hello %s\n", c.Name[:3])
			n++
		}
		fmt.Println(n, "came")
	}
	// Output:
	// hello ada
	// hello bea
	// 2 came
	// 0 came
}
