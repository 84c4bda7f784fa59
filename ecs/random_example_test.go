package ecs_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/ashlar-go/ashlar/ecs"
)

type exSpin struct{ Turns float64 }

// A system draws numbers of each entity. Another order of rows changes none.
func ExampleRandom() {
	w := ecs.New(ecs.Options{Seed: 42})
	defer w.Close()
	spin := ecs.Register[exSpin](w, "spin")
	s := ecs.SpawnerOf[struct{ exSpin }](w)
	e, err := s.Spawn(struct{ exSpin }{})
	if err != nil {
		panic(err)
	}
	ecs.System(w, "turn", func(c *struct {
		Ents []ecs.Entity
		Spin ecs.Write[exSpin]
		Rand ecs.Random
	}) {
		for i, e := range c.Ents {
			d := c.Rand.Of(e)
			c.Spin[i].Turns += d.Float64()
		}
	})
	first := w.Random("turn").Of(e) // in this frame
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
	fmt.Println(spin.Get(e).Turns == first.Float64())
	// Output: true
}

// The numbers of a cell of a grid, by its number.
func ExampleDraws() {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	d := w.Random("terrain").At(7)
	trees, height := d.IntN(10), rand.New(&d).NormFloat64()
	again := w.Random("terrain").At(7)
	fmt.Println(trees == again.IntN(10), height == rand.New(&again).NormFloat64(), d.Uint64() == again.Uint64())
	// Output: true true true
}

func ExampleQuery_Sum() {
	w, _, _, _ := warded()
	defer w.Close()
	type row struct{ Vigour []Vigour }
	q := ecs.QueryOf[row](w)
	points := func(c *row, i int) float64 { return float64(c.Vigour[i].Points) }
	fmt.Println(q.Sum(points))
	// Output: 150
}

// One system writes, and another reads. A reader of the program's sees the same.
func ExampleEvents() {
	type bang struct{ Loud int }
	w := ecs.New(ecs.Options{})
	defer w.Close()
	bangs := ecs.EventsOf[bang](w, 1000)
	outside := bangs.Reader()
	ecs.System(w, "shoot", func(c *struct{ Bangs ecs.WriteEvents[bang] }) { c.Bangs.Write(bang{7}) })
	ecs.System(w, "hear", func(c *struct{ Bangs ecs.Events[bang] }) {
		for list := range c.Bangs.All() {
			fmt.Println("heard", list, "and missed", c.Bangs.Missed())
		}
	})
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
	fmt.Println(outside.Len())
	// Output:
	// heard [{7}] and missed 0
	// 1
}
