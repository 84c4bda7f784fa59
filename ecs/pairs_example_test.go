package ecs_test

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

// Code that is written for one row is called for each.
func ExamplePairs() {
	type place struct{ X float64 }
	type speed struct{ X float64 }
	w := ecs.New(ecs.Options{})
	defer w.Close()
	places, speeds := ecs.Register[place](w, "place"), ecs.Register[speed](w, "speed")
	e := ok(w.Spawn())
	ok(0, places.Add(e, place{1}))
	ok(0, speeds.Add(e, speed{2}))
	q := ecs.QueryOf[struct {
		At ecs.Write[place]
		By []speed
	}](w)
	ecs.Pairs(q, func(at *place, by *speed) { at.X += by.X })
	fmt.Println(places.Get(e).X)
	// Output: 3
}

// Three values of each row.
func ExampleTriples() {
	type place struct{ X float64 }
	type speed struct{ X float64 }
	type push struct{ X float64 }
	w := ecs.New(ecs.Options{})
	defer w.Close()
	places, speeds, pushes := ecs.Register[place](w, "place"), ecs.Register[speed](w, "speed"), ecs.Register[push](w, "push")
	e := ok(w.Spawn())
	ok(0, places.Add(e, place{1}))
	ok(0, speeds.Add(e, speed{2}))
	ok(0, pushes.Add(e, push{4}))
	q := ecs.QueryOf[struct {
		At   ecs.Write[place]
		By   ecs.Write[speed]
		Push []push
	}](w)
	ecs.Triples(q, func(at *place, by *speed, p *push) {
		by.X += p.X
		at.X += by.X
	})
	fmt.Println(places.Get(e).X)
	// Output: 7
}
