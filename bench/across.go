package main

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

// weight is a component of every second body, in tables or thin.
type weight struct{ Of, By float64 }

// acrossRows are a system over bodies of a group that have a weight, too, which came to them in
// random order. The baseline goes over all weights, and asks for each body by its handle.
func acrossRows() (rows []row) {
	for _, n := range []int{k16, k262} {
		for _, how := range []ecs.Storage{ecs.Stable, ecs.Thin} {
			where := map[ecs.Storage]string{ecs.Stable: "the tables", ecs.Thin: "thin rows"}[how]
			rows = append(rows, row{
				name: fmt.Sprintf("across a group and %s, %d entities, against range pool.All() with Mut", where, n), ops: n / 2, times: repeat(n), bar: 0.7, ratio: true, allocs: true,
				make: func() (ashlar, baseline, floor piece) {
					ashlar.work, baseline.work = across(n, how)
					return ashlar, baseline, floor
				},
			})
		}
	}
	return rows
}

// across is a frame of the system, and the same by hand, in a world each.
func across(n int, how ecs.Storage) (system, hand func()) {
	fill := func() (*setup, *ecs.Pool[weight]) {
		s := newSetup()
		weights := ecs.Register[weight](s.w, "weight", how)
		for _, e := range shuffled(spawn(s.group(), n))[:n/2] {
			check(weights.Add(e, weight{1, 2}))
		}
		return s, weights
	}
	s, _ := fill()
	ecs.System(s.w, "sink", func(c *struct {
		Pos    ecs.Write[Position]
		Weight []weight
	}) {
		pos, weight := c.Pos, c.Weight[:len(c.Pos)]
		for i := range pos {
			pos[i].X += weight[i].Of
			pos[i].Y += weight[i].By
		}
	})
	h, weights := fill()
	return frame(s.w), func() {
		for e, w := range weights.All() {
			if p := h.pos.Mut(e); p != nil {
				p.X += w.Of
				p.Y += w.By
			}
		}
	}
}
