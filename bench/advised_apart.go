package main

import (
	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// mark is one of the components by which bodies of a crowd differ: the lengths of T are ten.
type mark[T any] struct {
	N uint32
	_ T
}

// crowd is a world of bodies in a table for each set of marks, 1,024 of them. A system moves all bodies. With read, another one
// reads them beside a mark. The group of bodies has rows of its own if apart.
func crowd(rows int, apart, read bool) func(ecs.Options) program {
	return func(o ecs.Options) program {
		if apart {
			o.Layout = layout.Source{Text: []byte("ashlar layout 1\napart bodies\n")}
		}
		w := ecs.New(o)
		type body struct {
			At    vec4
			Speed Velocity
		}
		ecs.Register[vec4](w, "at")
		ecs.Register[Velocity](w, "speed")
		bodies := ecs.GroupOf[body](w, "bodies")
		es := make([]ecs.Entity, rows)
		twin.Check(bodies.SpawnN(es, []body{{Speed: Velocity{X: 1}}}))
		marked[[0]byte](w, es, 0)
		marked[[4]byte](w, es, 1)
		marked[[8]byte](w, es, 2)
		marked[[12]byte](w, es, 3)
		marked[[16]byte](w, es, 4)
		marked[[20]byte](w, es, 5)
		marked[[24]byte](w, es, 6)
		marked[[28]byte](w, es, 7)
		marked[[32]byte](w, es, 8)
		marked[[36]byte](w, es, 9)
		ecs.System(w, "move", func(c *struct {
			At    ecs.Write[vec4]
			Speed []Velocity
		}) {
			at, speed := c.At, c.Speed[:len(c.At)]
			for i := range at {
				at[i].X += float32(speed[i].X)
			}
		})
		if read {
			ecs.System(w, "count", func(c *struct {
				Mark ecs.Write[mark[[0]byte]]
				At   []vec4
			}) {
				m, at := c.Mark, c.At[:len(c.Mark)]
				for i := range m {
					m[i].N += uint32(at[i].X)
				}
			})
		}
		return program{w, frame(w)}
	}
}

// marked gives a mark to the entities with a bit of their number set.
func marked[T any](w *ecs.World, es []ecs.Entity, bit int) {
	p := ecs.Register[mark[T]](w, string(rune('a'+bit)), ecs.Stable)
	for i, e := range es {
		if i*40503>>6>>bit&1 == 1 {
			twin.Check(p.Add(e, mark[T]{}))
		}
	}
}
