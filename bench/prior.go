package main

import (
	"fmt"

	"github.com/ashlar-go/ashlar/bench/internal/life"
	"github.com/ashlar-go/ashlar/ecs"
)

// cellAlive is a cell of Conway's Life, and cellNear the handles of its neighbours.
type (
	cellAlive struct{ V int32 }
	cellNear  struct{ E [8]ecs.Entity }
	cell      struct {
		cellAlive
		cellNear
	}
)

// next is the rule of Life.
func next(alive, near int32) int32 {
	if near == 3 || near == 2 && alive == 1 {
		return 1
	}
	return 0
}

// seeded is whether a cell lives at first.
func seeded(i int) int32 { return int32(uint64(i) * 0x9E3779B97F4A7C15 >> 63) }

// priorOrCopy is Life in place: cells read their neighbours, which other workers write, as they were before. It is held
// against a second component, to which a system of its own copies the values before.
func priorOrCopy(side, workers int) row {
	n := side * side
	return row{name: fmt.Sprintf("parallel: Life of %d cells by Prior, against a component copied by hand, %d workers", n, workers), ops: parallelFrames * n, unit: nanoseconds, bar: 1.05, ratio: true, make: func() (ashlar, baseline, floor piece) {
		ashlar.work, baseline.work = priorCells(side, workers), copiedCells(side, workers)
		return ashlar, baseline, floor
	}}
}

// cellWas is the cell before, and cellTwice a cell that has it.
type (
	cellWas   struct{ V int32 }
	cellTwice struct {
		cellAlive
		cellWas
		cellNear
	}
)

// cellsOf is a world of cells, as a function returns one for the spawner.
func cellsOf[T any](side, workers int, one func(alive int32) T) *ecs.World {
	o := options()
	o.Workers = workers
	w := ecs.New(o)
	ecs.Register[cellAlive](w, "alive")
	ecs.Register[cellWas](w, "was")
	near := ecs.Register[cellNear](w, "near")
	es, cells := make([]ecs.Entity, side*side), make([]T, side*side)
	for i := range cells {
		cells[i] = one(seeded(i))
	}
	check(ecs.SpawnerOf[T](w).SpawnN(es, cells))
	for i, e := range es {
		for k, other := range (life.Grid{Width: side, Height: side}).Near(i) {
			near.Mut(e).E[k] = es[other]
		}
	}
	return w
}

func copiedCells(side, workers int) (work func()) {
	w := cellsOf(side, workers, func(alive int32) cellTwice { return cellTwice{cellAlive: cellAlive{alive}} })
	ecs.System(w, "keep", func(c *struct {
		Was   ecs.Write[cellWas]
		Alive []cellAlive
	}) {
		alive := c.Alive[:len(c.Was)]
		for i := range c.Was {
			c.Was[i].V = alive[i].V
		}
	}, ecs.Parallel())
	ecs.System(w, "life", func(c *struct {
		Alive ecs.Write[cellAlive]
		Near  []cellNear
		Was   ecs.Look[cellWas]
	}) {
		was, alive := c.Was, c.Alive
		near := c.Near[:len(alive)]
		for i := range alive {
			n := int32(0)
			for _, e := range near[i].E {
				n += was.Get(e).V
			}
			alive[i].V = next(alive[i].V, n)
		}
	}, ecs.Parallel())
	settle(w)
	return repeated(frame(w))
}

func priorCells(side, workers int) (work func()) {
	w := cellsOf(side, workers, func(alive int32) cell { return cell{cellAlive: cellAlive{alive}} })
	ecs.System(w, "life", func(c *struct {
		Alive ecs.Write[cellAlive]
		Near  []cellNear
		Was   ecs.Prior[cellAlive]
	}) {
		was, alive := c.Was, c.Alive
		near := c.Near[:len(alive)]
		for i := range alive {
			n := int32(0)
			for _, e := range near[i].E {
				n += was.Get(e).V
			}
			alive[i].V = next(alive[i].V, n)
		}
	}, ecs.Parallel())
	settle(w)
	return repeated(frame(w))
}
