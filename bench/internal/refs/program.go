// Package refs is programs that need a layout: people who live in houses of other rows, and read them by handle; and a table
// that grows.
package refs

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

type (
	house struct {
		Rent int64
		Rest [7]int64
	}
	lives  struct{ In ecs.Entity }
	purse  struct{ Paid int64 }
	person struct {
		lives
		purse
	}
	renting struct {
		Lives  []lives
		Purse  ecs.Write[purse]
		Houses ecs.Look[house]
	}
)

// Programs are people who pay a rent in each frame, three of them for each house, and a table of 24 bytes a row and a handle, of
// whose rows a ninetieth is born in each of the first frames.
func Programs() []twin.Program {
	return []twin.Program{{
		Name: Growing, Entities: 300_000, Frames: 100, Variants: []twin.Variant{twin.OnAshlar(grow)},
	}, {
		Name: "references: 1M people, 16 B of a house by handle", Entities: 1_000_000, Frames: 60, Warm: 10,
		Variants: []twin.Variant{twin.OnAshlar(open)},
		Layout:   "sort lives by lives.In every 600\n",
	}}
}

// Growing is the name of the table that grows.
const Growing = "a table that grows"

func grow(n int, o ecs.Options) twin.Stage {
	type at struct{ X, Y, Z float32 }
	type speed struct{ X, Y, Z float32 }
	type thing struct {
		at
		speed
	}
	w := ecs.New(o)
	ecs.Register[at](w, "at")
	ecs.Register[speed](w, "speed")
	things := ecs.SpawnerOf[thing](w)
	return twin.Stage{
		Frame: func() {
			for range min(n-w.Len(), n/90) {
				twin.Must(things.Spawn(thing{at{1, 2, 3}, speed{4, 5, 6}}))
			}
			twin.Check(w.Run(context.Background()))
		},
		Digest: func() uint64 { return uint64(w.Len()) },
		Check:  w.Check, Close: w.Close, World: w,
	}
}

func open(people int, o ecs.Options) twin.Stage {
	w := ecs.New(o)
	ecs.Register[house](w, "house")
	ecs.Register[lives](w, "lives")
	purses := ecs.Register[purse](w, "purse")
	houses, persons := ecs.SpawnerOf[struct{ house }](w), ecs.SpawnerOf[person](w)
	r := rand.New(rand.NewPCG(2, 3))
	built := make([]struct{ house }, people/3+1)
	for i := range built {
		built[i].Rent = r.Int64N(1000)
	}
	streets := make([]ecs.Entity, len(built))
	twin.Check(houses.SpawnN(streets, built))
	born := make([]person, people)
	for i := range born {
		born[i].In = streets[r.IntN(len(streets))]
	}
	es := make([]ecs.Entity, people)
	twin.Check(persons.SpawnN(es, born))
	ecs.System(w, "pay", func(c *renting) {
		in, paid := c.Lives, c.Purse
		for i := range in {
			if h := c.Houses.Get(in[i].In); h != nil {
				paid[i].Paid += h.Rent
			}
		}
	})
	return twin.Stage{
		Frame: func() { twin.Check(w.Run(context.Background())) },
		Digest: func() uint64 {
			h := fnv.New64a()
			for _, e := range es {
				fmt.Fprint(h, purses.Get(e).Paid)
			}
			return h.Sum64()
		},
		Check: w.Check, Close: w.Close, World: w,
	}
}
