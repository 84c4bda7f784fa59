package ecs_test

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/ashlar-go/ashlar/ecs"
)

type (
	Vigour  struct{ Points int }
	Burning struct{}
	Ward    struct{ Strength int }
)

// warded is a world with six entities: all have vigour, some burn, some are poisoned.
func warded() (w *ecs.World, vigour *ecs.Pool[Vigour], burning *ecs.Pool[Burning], ward *ecs.Pool[Ward]) {
	w = ecs.New(ecs.Options{})
	vigour = ecs.Register[Vigour](w, "vigour")
	burning = ecs.Register[Burning](w, "burning", ecs.Volatile)
	ward = ecs.Register[Ward](w, "ward")
	poison := ecs.Register[Poison](w, "poison", ecs.Volatile)
	s := ecs.SpawnerOf[struct{ Vigour }](w)
	for i := range 6 {
		e, err := s.Spawn(struct{ Vigour }{Vigour{10 * i}})
		if err == nil && i < 2 {
			err = burning.Add(e, Burning{})
		}
		if err == nil && i%2 == 1 {
			err = poison.Add(e, Poison{1})
		}
		if err != nil {
			panic(err)
		}
	}
	return w, vigour, burning, ward
}

type suffering struct {
	Vigour ecs.Write[Vigour]
	_      ecs.Or[Burning, Poison]
}

// An entity that burns or is poisoned, or both, loses vigour once.
func ExampleOr() {
	w, _, _, _ := warded()
	defer w.Close()
	q := ecs.QueryOf[suffering](w)
	for c := range q.All() {
		for i := range c.Vigour {
			c.Vigour[i].Points--
			fmt.Println(c.Vigour[i].Points)
		}
	}
	// Output:
	// -1
	// 9
	// 29
	// 49
}

// All that suffer get a ward, which is set and taken away again.
func ExamplePool_AddAll() {
	w, _, _, ward := warded()
	defer w.Close()
	q := ecs.QueryOf[suffering](w)
	added, err := ward.AddAll(q, Ward{1})
	if err != nil {
		panic(err)
	}
	set, _ := ward.SetAll(q, Ward{2})
	removed, err := ward.RemoveAll(q)
	if err != nil {
		panic(err)
	}
	fmt.Println(added, set, removed, ward.Len())
	// Output: 4 4 4 0
}

func ExampleWorld_DestroyAll() {
	w, _, _, _ := warded()
	defer w.Close()
	q := ecs.QueryOf[suffering](w)
	n, err := w.DestroyAll(q)
	fmt.Println(n, err, w.Len())
	// Output: 4 <nil> 2
}

// A system without rows changes all that match at once.
func ExampleWorld_DestroyAll_system() {
	w, _, _, _ := warded()
	defer w.Close()
	q := ecs.QueryOf[suffering](w)
	ecs.System(w, "end", func(*struct{}) {
		if _, err := w.DestroyAll(q); err != nil {
			panic(err)
		}
	})
	ecs.System(w, "count", func(*struct{}) { fmt.Println(w.Len(), "are left") })
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
	// Output: 2 are left
}

// A tool that was given the names of components prints their values.
func ExampleAnySchema_Entities() {
	w, _, _, _ := warded()
	defer w.Close()
	s := ecs.SchemaOfPools(w, w.Pool("vigour"))
	for e := range s.Entities() {
		switch v := s.Value(e, "vigour").(type) {
		case *Vigour:
			fmt.Println(e.Index(), v.Points)
		default:
			fmt.Printf("a value of type %T\n", v)
		}
	}
	// Output:
	// 1 0
	// 2 10
	// 3 20
	// 4 30
	// 5 40
	// 6 50
}

// Rows go by a predicate. The ones that stay keep their order.
func ExampleQuery_DestroyWhere() {
	w, _, _, _ := warded()
	defer w.Close()
	type row struct{ Vigour []Vigour }
	q := ecs.QueryOf[row](w)
	n, err := q.DestroyWhere(func(c *row, i int) bool { return c.Vigour[i].Points%20 == 0 })
	fmt.Println(n, err, q.Len())
	// Output:
	// 3 <nil> 3
}

// Each hunter is as far from the prey as the nearest one is.
func ExampleQuery_field() {
	type Hunter struct{ X, Nearest float64 }
	type Prey struct{ X float64 }
	w := ecs.New(ecs.Options{})
	defer w.Close()
	hunters := ecs.Register[Hunter](w, "hunter")
	prey := ecs.Register[Prey](w, "prey")
	for x := range 3 {
		h, _ := w.Spawn()
		p, _ := w.Spawn()
		if err := errors.Join(hunters.Add(h, Hunter{X: float64(10 * x)}), prey.Add(p, Prey{X: float64(12 * x)})); err != nil {
			panic(err)
		}
	}
	ecs.System(w, "look", func(c *struct {
		Hunters ecs.Write[Hunter]
		Prey    *ecs.Query[struct{ Prey []Prey }]
	}) {
		for i := range c.Hunters {
			h := &c.Hunters[i]
			h.Nearest = math.Inf(1)
			for q := range c.Prey.All() {
				for _, p := range q.Prey {
					h.Nearest = min(h.Nearest, math.Abs(p.X-h.X))
				}
			}
		}
	}, ecs.Parallel())
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
	for _, h := range hunters.All() {
		fmt.Println(h.Nearest)
	}
	// Output:
	// 0
	// 2
	// 4
}
