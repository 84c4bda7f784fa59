package ecs_test

import (
	"fmt"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// BenchmarkPrior is a frame of 262,144 rows of 16 bytes, which are written from their values of before: by a system that runs by
// itself, and by one beside another one.
func BenchmarkPrior(b *testing.B) {
	type (
		value struct{ X, Y float64 }
		rest  struct{ V float64 }
		row   struct {
			value
			rest
		}
	)
	for _, workers := range []int{1, 2} {
		for _, beside := range []bool{false, true} {
			b.Run(fmt.Sprintf("workers=%d/beside=%v", workers, beside), func(b *testing.B) {
				w := ecs.New(ecs.Options{Workers: workers})
				ecs.Register[value](w, "value")
				ecs.Register[rest](w, "rest")
				ok(0, ecs.SpawnerOf[row](w).SpawnN(make([]ecs.Entity, 1<<18), make([]row, 1)))
				ecs.System(w, "mix", func(c *struct {
					Now ecs.Write[value]
					E   []ecs.Entity
					Was ecs.Prior[value]
				}) {
					for i, was := range c.Was.Rows(c.E) {
						c.Now[i] = value{was.X*0.5 + was.Y, was.Y*0.5 + was.X}
					}
				}, ecs.Parallel())
				if beside {
					ecs.System(w, "grow", func(c *struct{ V ecs.Write[rest] }) {
						for i := range c.V {
							c.V[i].V++
						}
					}, ecs.Parallel())
				}
				for b.Loop() {
					ok(0, w.Run(b.Context()))
				}
				ok(0, w.Close())
			})
		}
	}
}
