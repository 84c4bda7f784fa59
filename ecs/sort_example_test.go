package ecs_test

import (
	"context"
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

// Positions are owned by one group and read by another, which is sorted by layer. Its
// readers' order becomes theirs.
func ExampleGroup_SortAs() {
	type place struct{ Position }
	type layer int
	type picture struct{ Layer layer }

	w, _ := ecs.New(ecs.Options{})
	defer w.Close()
	position, _ := ecs.Register[Position](w, "position")
	layers, _ := ecs.Register[layer](w, "layer")
	places, _ := ecs.GroupOf[place](w, "places")
	pictures, _ := ecs.GroupOf[picture](w, "pictures")
	for i := range 6 {
		e, _ := places.Spawn(place{Position{float64(i), 0}})
		if i != 2 {
			layers.Add(e, layer(10-i))
		}
	}

	pictures.Sort(func(a, b ecs.Entity) int { return int(*layers.Get(a) - *layers.Get(b)) })
	places.SortAs(pictures, 1024) // rows a frame
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
	for e, at := range position.All() {
		if l := layers.Get(e); l != nil {
			fmt.Println(at.X, "on layer", *l)
		} else {
			fmt.Println(at.X, "on none")
		}
	}
	// Output:
	// 5 on layer 5
	// 4 on layer 6
	// 3 on layer 7
	// 1 on layer 9
	// 0 on layer 10
	// 2 on none
}
