package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/ashlar-go/ashlar/ecs"
)

// herds are groups of bodies with components of their own, so that systems over different ones do not conflict.
type herds struct {
	w    *ecs.World
	list []ecs.AnyGroup
}

// motionOf is move with names: OnlyIn has other groups' components stand for these.
type motionOf struct {
	Pos ecs.Write[Position] `ashlar:"position.0"`
	Vel []Velocity          `ashlar:"velocity.0"`
}

// newHerds makes groups of so many bodies each, on some workers.
func newHerds(workers int, sizes ...int) *herds {
	o := options()
	o.Workers = workers
	h := &herds{w: ecs.New(o)}
	for i, n := range sizes {
		pos := ecs.Register[Position](h.w, fmt.Sprint("position.", i))
		vel := ecs.Register[Velocity](h.w, fmt.Sprint("velocity.", i))
		g := ecs.GroupOf[body](h.w, fmt.Sprint("herd", i), pos, vel)
		check(g.SpawnN(make([]ecs.Entity, n), []body{{Position{1, 2}, Velocity{3, 4}}}))
		h.list = append(h.list, g)
	}
	return h
}

// system adds a system over some of the groups.
func (h *herds) system(name string, steps int, over ...ecs.AnyGroup) {
	ecs.System(h.w, name, func(c *motionOf) {
		pos, vel := c.Pos, c.Vel
		for i := range pos {
			x := pos[i].X
			for range steps {
				x = x*0.999 + vel[i].X/(1+x*x)
			}
			pos[i].X = x
		}
	}, ecs.OnlyIn(over...), ecs.Parallel())
}

// twoSystems compute about 2 ms each.
func twoSystems(workers int) *ecs.World {
	h := newHerds(workers, k16, k16)
	h.system("one", 20, h.list[0])
	h.system("two", 20, h.list[1])
	return h.w
}

// mixedSystems are 300 systems over one to three of 60 groups each, of 100 to 6,000 bodies.
func mixedSystems(workers int) *ecs.World {
	r := rand.New(rand.NewPCG(1, 2))
	var sizes []int
	for range 60 {
		sizes = append(sizes, 100+r.IntN(10)*r.IntN(10)*r.IntN(60))
	}
	h := newHerds(workers, sizes...)
	for i := range 300 {
		var over []ecs.AnyGroup
		for _, k := range r.Perm(len(h.list))[:1+r.IntN(3)] {
			over = append(over, h.list[k])
		}
		h.system(fmt.Sprint("system", i), 1+r.IntN(20), over...)
	}
	return h.w
}

// fewSystems are too little work to share.
func fewSystems(workers int) *ecs.World {
	var sizes []int
	for range 30 {
		sizes = append(sizes, 1000)
	}
	h := newHerds(workers, sizes...)
	for i, g := range h.list {
		h.system(fmt.Sprint("system", i), 1, g)
	}
	return h.w
}

// apartAgainst is a program with two workers against the same with one.
func apartAgainst(program func(workers int) *ecs.World) func() (ashlar, baseline, floor piece) {
	work := func(workers int) func() {
		w := program(workers)
		check(w.Err())
		settle(w)
		return repeated(frame(w))
	}
	return func() (ashlar, baseline, floor piece) {
		ashlar.work, baseline.work = work(2), work(1)
		return ashlar, baseline, floor
	}
}
