// Epidemic is people who walk about a city and infect each other. The state of a person decides
// which component he has: susceptible, infected or recovered.
//
//	go run ./docs/examples/epidemic -people 20000 -days 80
//
// It prints the curve, a line for each five days. Worth a look: states come and go all the time, so
// they are registered as ecs.Volatile. A change of state is then a bit, and moves no row. Systems promise
// ecs.Parallel and draw from ecs.Random, so that any number of -workers prints the same curve.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/ashlar-go/ashlar/ecs"
)

// blocks is how many blocks of houses the city has in each direction.
const blocks = 32

type (
	Place struct{ X, Y int32 } // a block

	Susceptible struct{}
	Infected    struct{ DaysLeft int32 }
	Recovered   struct{}
)

// City is a resource that all systems share: how many are infectious in each block.
type City struct {
	Infectious [blocks][blocks]int
}

type options struct {
	People, Days int
	ECS          ecs.Options
}

func main() {
	var o options
	flag.IntVar(&o.People, "people", 20_000, "how many people live in the city")
	flag.IntVar(&o.Days, "days", 80, "how many days to run; a day is a frame")
	flag.Uint64Var(&o.ECS.Seed, "seed", 1, "other dice")
	flag.IntVar(&o.ECS.Workers, "workers", 0, "how many goroutines run a system; 0: as many as there is processors' time for")
	flag.Parse()
	if err := run(os.Stdout, o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out io.Writer, o options) (err error) {
	w := ecs.New(o.ECS)
	defer func() { err = errors.Join(err, w.Close()) }()
	ecs.Register[Place](w, "place") // Run returns a mistake in it
	susceptible := ecs.Register[Susceptible](w, "susceptible", ecs.Volatile)
	infected := ecs.Register[Infected](w, "infected", ecs.Volatile)
	recovered := ecs.Register[Recovered](w, "recovered", ecs.Volatile)
	ecs.Provide(w, City{})

	ecs.System(w, "walk", walk, ecs.Parallel())
	ecs.System(w, "morning", func(c *struct {
		City ecs.WriteRes[City]
	}) {
		c.City.Mut().Infectious = [blocks][blocks]int{}
	})
	ecs.System(w, "cough", func(c *struct {
		Place []Place
		_     ecs.With[Infected]
		City  ecs.WriteRes[City]
	}) {
		city := c.City.Mut()
		for _, p := range c.Place {
			city.Infectious[p.Y][p.X]++
		}
	})
	ecs.System(w, "infect", func(c *struct {
		Ents  []ecs.Entity
		Place []Place
		_     ecs.With[Susceptible]
		City  ecs.Res[City]
		Rand  ecs.Random
		Well  ecs.Later[Susceptible] // rows can't change while a system goes over them
		Ill   ecs.Later[Infected]
	}) {
		const risk = 0.02 // of each infectious person in the block
		city := c.City.Get()
		for i, e := range c.Ents {
			p := c.Place[i]
			n := city.Infectious[p.Y][p.X]
			if n == 0 {
				continue
			}
			if dice := c.Rand.Of(e); dice.Float64() < risk*float64(n) {
				c.Well.Remove(e)
				c.Ill.Add(e, Infected{DaysLeft: 5 + int32(dice.IntN(10))})
			}
		}
	}, ecs.Parallel())
	ecs.System(w, "recover", func(c *struct {
		Ents     []ecs.Entity
		Infected ecs.Write[Infected]
		Ill      ecs.Later[Infected]
		Well     ecs.Later[Recovered]
	}) {
		for i, e := range c.Ents {
			if c.Infected[i].DaysLeft--; c.Infected[i].DaysLeft <= 0 {
				c.Ill.Remove(e)
				c.Well.Add(e, Recovered{})
			}
		}
	}, ecs.Parallel())

	if err := settle(w, o.People); err != nil {
		return err
	}
	fmt.Fprintln(out, " day susceptible infected recovered")
	for day := range o.Days {
		if err := w.Run(context.Background()); err != nil {
			return err
		}
		if day%5 == 0 {
			n := infected.Len()
			fmt.Fprintf(out, "%4d %11d %8d %9d %s\n", day, susceptible.Len(), n, recovered.Len(), strings.Repeat("*", n*60/o.People))
		}
	}
	return nil
}

// settle spawns the people. The first ten are infected.
func settle(w *ecs.World, people int) error {
	healthy := ecs.SpawnerOf[struct {
		Place
		Susceptible
	}](w)
	ill := ecs.SpawnerOf[struct {
		Place
		Infected
	}](w)
	homes := w.Random("homes")
	var err error
	for i := range people {
		at := anywhere(homes.At(uint64(i)))
		if i < 10 {
			_, err = ill.Spawn(struct {
				Place
				Infected
			}{at, Infected{DaysLeft: 10}})
		} else {
			_, err = healthy.Spawn(struct {
				Place
				Susceptible
			}{Place: at})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// walk moves everybody by a block at most, but for people who take the train.
func walk(c *struct {
	Ents  []ecs.Entity
	Place ecs.Write[Place]
	Rand  ecs.Random
}) {
	for i, e := range c.Ents {
		p, dice := &c.Place[i], c.Rand.Of(e)
		if dice.IntN(50) == 0 {
			*p = anywhere(dice)
			continue
		}
		p.X = min(max(p.X+step(&dice), 0), blocks-1)
		p.Y = min(max(p.Y+step(&dice), 0), blocks-1)
	}
}

func anywhere(dice ecs.Draws) Place {
	return Place{int32(dice.IntN(blocks)), int32(dice.IntN(blocks))}
}

// step is -1, 0 or 1.
func step(dice *ecs.Draws) int32 { return int32(dice.IntN(3)) - 1 }
