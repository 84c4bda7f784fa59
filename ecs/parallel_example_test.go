package ecs_test

import (
	"context"
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

// Bodies that leave the field are destroyed, by as many workers as there are. The scratch is each worker's own.
func ExampleParallel() {
	w := ecs.New(ecs.Options{Workers: 4})
	defer w.Close()
	ecs.Register[Position](w, "position")
	bodies := ecs.SpawnerOf[struct{ Position }](w)
	for i := range 50_000 {
		if _, err := bodies.Spawn(struct{ Position }{Position{X: float64(i)}}); err != nil {
			panic(err)
		}
	}
	type leaving struct {
		Pos ecs.Write[Position]
		E   []ecs.Entity
		Out ecs.Local[[]ecs.Entity]
		Do  *ecs.Commands
	}
	ecs.System(w, "leave", func(c *leaving) {
		out := (*c.Out.Get())[:0]
		for i := range c.Pos {
			if c.Pos[i].X++; c.Pos[i].X > 40_000 {
				out = append(out, c.E[i])
			}
		}
		for _, e := range out {
			c.Do.Destroy(e)
		}
		*c.Out.Get() = out
	}, ecs.Parallel())
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
	fmt.Println(w.Len(), "bodies")
	// Output: 40000 bodies
}

// Each room gets the mean of its heat and its neighbour's, as they were before any room was changed.
func ExamplePrior() {
	type Heat struct{ Degrees float64 }
	type Beside struct{ Room ecs.Entity }
	w := ecs.New(ecs.Options{})
	defer w.Close()
	heat := ecs.Register[Heat](w, "heat")
	ecs.Register[Beside](w, "beside")
	rooms := ecs.SpawnerOf[struct {
		Heat
		Beside
	}](w)
	var last ecs.Entity
	for i := range 3 {
		e, err := rooms.Spawn(struct {
			Heat
			Beside
		}{Heat{float64(16 * i)}, Beside{last}})
		if err != nil {
			panic(err)
		}
		last = e
	}
	ecs.System(w, "mix", func(c *struct {
		Heat   ecs.Write[Heat]
		Beside []Beside
		Was    ecs.Prior[Heat]
	}) {
		for i := range c.Heat {
			if v := c.Was.Get(c.Beside[i].Room); v != nil {
				c.Heat[i].Degrees = (c.Heat[i].Degrees + v.Degrees) / 2
			}
		}
	}, ecs.Parallel())
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
	for _, h := range heat.All() {
		fmt.Println(h.Degrees)
	}
	// Output:
	// 0
	// 8
	// 24
}

// A prior value by row stays as it was while the function writes its column.
func ExamplePrior_Rows() {
	type Heat struct{ Degrees float64 }
	w := ecs.New(ecs.Options{})
	defer w.Close()
	ecs.Register[Heat](w, "heat")
	rooms := ecs.SpawnerOf[struct{ Heat }](w)
	for i := range 3 {
		if _, err := rooms.Spawn(struct{ Heat }{Heat{float64(16 * i)}}); err != nil {
			panic(err)
		}
	}
	ecs.System(w, "spread", func(c *struct {
		Heat ecs.Write[Heat]
		Room []ecs.Entity
		Was  ecs.Prior[Heat]
	}) {
		was := c.Was.Rows(c.Room)
		for i := range c.Heat {
			c.Heat[i].Degrees = c.Heat[max(i-1, 0)].Degrees + 1
			fmt.Println(was[i].Degrees, "→", c.Heat[i].Degrees)
		}
	}, ecs.Parallel())
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
	// Output:
	// 0 → 1
	// 16 → 2
	// 32 → 3
}

// A system that counts in a variable has other results when its pieces run in another order.
func ExampleShuffled() {
	type Number struct{ N int }
	err := ecs.Shuffled(5, 2, func(shuffle uint64) *ecs.World {
		w := ecs.New(ecs.Options{Shuffle: shuffle, Workers: 1})
		ecs.Register[Number](w, "number")
		things := ecs.SpawnerOf[struct{ Number }](w)
		if err := things.SpawnN(make([]ecs.Entity, 50_000), make([]struct{ Number }, 1)); err != nil {
			panic(err)
		}
		next := 0
		ecs.System(w, "number", func(c *struct{ Number ecs.Write[Number] }) {
			for i := range c.Number {
				next++
				c.Number[i].N = next
			}
		}, ecs.Parallel())
		return w
	})
	fmt.Println(err)
	// Output: ecs: system "number" has another result in run 1, in component number, if systems and pieces of rows run in another legal order, by Options.Shuffle 1: it, or a Parallel system before it or beside it, touches something that its struct does not name; ashlarvet and -tags ashlarcheck find most of these
}
