package ecs

import (
	"github.com/ashlar-go/ashlar/ecs/internal/random"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// Random as the type of a field of a system's struct gives random numbers that depend on
// Options.Seed, the system's name, the tick, an entity or a number of the program's, and on how many
// were drawn for that before:
//
//	Rand ecs.Random
//
// So another system, an output or an unrelated birth changes no number, and the order in which rows
// are passed does not matter. The tick is the frame, or for systems in phase Fixed the number of
// the step. World.Random returns one for use outside systems.
type Random struct{ key *random.Key }

// Of returns the numbers of an entity. Two calls in one run of a system return the same ones, so
// draw all that belong together from one result.
func (r Random) Of(e Entity) Draws {
	if r.key == nil {
		panic(unmade{"Random", "Of"})
	}
	return Draws{r.key.Of(uint64(e))}
}

// At returns the numbers of a number of the program's: of a cell of a grid, or of a wave of enemies.
func (r Random) At(n uint64) Draws {
	if r.key == nil {
		panic(unmade{"Random", "At"})
	}
	return Draws{r.key.Of(^n)} // no handle has the upper bits set
}

// Draws are the random numbers of one entity, or of one number, one after the other. Each method takes
// one of them, and costs some nanoseconds. Values are the same on every machine.
// A *Draws is a source of math/rand/v2, whose rand.New has normal numbers, permutations and more.
type Draws struct{ d random.Draws }

// Uint64 is the next number: 64 random bits.
func (d *Draws) Uint64() uint64 { return d.d.Uint64() }

// Float64 is the next number as one from 0 to below 1.
func (d *Draws) Float64() float64 { return d.d.Float64() }

// IntN is the next number as one from 0 to below n. It panics if n is below 1.
func (d *Draws) IntN(n int) int { return d.d.IntN(n) }

// Random returns the random numbers of a name in this frame, for code outside systems: to set a world
// up, say. A system of that name has the same ones.
func (w *World) Random(name string) Random {
	w.made("Random")
	key := random.MakeName(w.options.Seed, name).Key(w.base.Frame)
	return Random{&key}
}

// fillRandom fills a field of type Random, and returns the function that begins the numbers of a tick.
func (w *World) fillRandom(system string, at raw.Ptr) (begin func(tick uint64)) {
	name := random.MakeName(w.options.Seed, system)
	key := new(random.Key) // workers of a Parallel system have copies of the struct
	*raw.As[Random](at) = Random{key}
	return func(tick uint64) { *key = name.Key(tick) }
}
