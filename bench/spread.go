package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/ashlar-go/ashlar/ecs"
)

// What few of many have: components of which 100 entities of a million have one, at random.

// spreadFigures are what the process has more, in KiB, once they have them.
func spreadFigures() map[string]func() float64 {
	return map[string]func() float64{
		"100 thin components":     func() float64 { return spreadOut(100, ecs.Thin) / 100 },
		"1000 thin components":    func() float64 { return spreadOut(1000, ecs.Thin) },
		"1000 counted components": func() float64 { return spreadOut(1000, ecs.Counted) },
		"common to rare":          commonToRare,
	}
}

func spreadRows() []row {
	return []row{
		apartRow("resident: 100 rows of a thin component among 1M", kibibytes, 16, false, "100 thin components", ""),
		apartRow("resident: 100 rows of each of 1,000 thin ones", kibibytes, 16<<10, false, "1000 thin components", ""),
		apartRow("resident: the same, of 1,000 that are counted", kibibytes, 16<<10, false, "1000 counted components", ""),
		apartRow("resident: 100 rows of one that 1M had before", kibibytes, 16, false, "common to rare", ""),
	}
}

// plain is a million entities with a position and a velocity, and a system over them.
func plain() (w *ecs.World, es []ecs.Entity) {
	w = must(ecs.New(ecs.Options{}))
	pos, vel := must(ecs.Register[Position](w, "position")), must(ecs.Register[Velocity](w, "velocity"))
	check(ecs.System(w, "move", moveSystem))
	es = make([]ecs.Entity, m1)
	for i := range es {
		es[i] = must(w.Spawn())
	}
	must(pos.AddAll(ecs.Handles(es), Position{}))
	must(vel.AddAll(ecs.Handles(es), Velocity{1, 2}))
	pass(w, 300) // rows and memory come to where they stay
	must(w.Purge())
	return w, es
}

func pass(w *ecs.World, frames int) {
	for range frames {
		check(w.Run(context.Background()))
	}
}

func spreadOut(components int, how ecs.Storage) float64 {
	w, es := plain()
	r := rand.New(rand.NewPCG(3, 4))
	return residentKiB(func() any {
		for i := range components {
			pool := must(ecs.Register[uint64](w, fmt.Sprintf("rare%d", i), how))
			for _, k := range r.Perm(len(es) >> 10)[:100] {
				check(pool.Add(es[k<<10|r.IntN(1<<10)], 7))
			}
		}
		pass(w, 300)
		must(w.Purge())
		return [2]any{w, es}
	})
}

// commonToRare is what is left of a component that all had.
func commonToRare() float64 {
	w, es := plain()
	pool := must(ecs.Register[uint64](w, "rare", ecs.Thin))
	return residentKiB(func() any {
		must(pool.AddAll(ecs.Handles(es), 7))
		pass(w, 10)
		must(pool.RemoveAll(ecs.Handles(shuffled(es)[100:])))
		pass(w, 1000)
		must(w.Purge())
		return [2]any{w, es}
	})
}
