package ecs_test

import (
	"fmt"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// wideRow is a component of 48 bytes. Systems use a field of it.
type wideRow struct {
	Where, Scale vec3
	Turn         [4]float32
	Kind, State  uint32
}

type drift3 struct{ X, Y, Z float32 }

// BenchmarkField is a frame of a system that reads one field of a component of its own table and
// writes another component, in the ways to ask for the field.
func BenchmarkField(b *testing.B) {
	for _, n := range []int{16 << 10, 256 << 10} {
		for _, way := range []string{"whole", "slice", "strided", "split"} {
			b.Run(fmt.Sprintf("rows=%d/way=%s", n, way), func(b *testing.B) {
				w := ecs.New(ecs.Options{})
				defer w.Close()
				if way == "split" {
					ecs.RegisterSplit[wideRow](w, "wideRow")
				} else {
					ecs.Register[wideRow](w, "wideRow")
				}
				ecs.Register[drift3](w, "other")
				es := make([]ecs.Entity, n)
				ok(0, ecs.SpawnerOf[struct {
					W wideRow
					V drift3
				}](w).SpawnN(es, make([]struct {
					W wideRow
					V drift3
				}, 1)))
				addField(w, way)
				for b.Loop() {
					ok(0, w.Run(b.Context()))
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/row")
			})
		}
	}
}

func addField(w *ecs.World, way string) {
	switch way {
	case "whole":
		ecs.System(w, "s", func(c *struct {
			W []wideRow
			V ecs.Write[drift3]
		}) {
			ws, vs := c.W, c.V
			for i := range vs {
				vs[i].X += ws[i].Where.X
				vs[i].Y += ws[i].Where.Y
				vs[i].Z += ws[i].Where.Z
			}
		})
	case "slice", "split":
		ecs.System(w, "s", func(c *struct {
			At []vec3 `ashlar:"wideRow.Where"`
			V  ecs.Write[drift3]
		}) {
			at, vs := c.At, c.V
			for i := range vs {
				vs[i].X += at[i].X
				vs[i].Y += at[i].Y
				vs[i].Z += at[i].Z
			}
		})
	case "strided":
		ecs.System(w, "s", func(c *struct {
			At ecs.Strided[vec3] `ashlar:"wideRow.Where"`
			V  ecs.Write[drift3]
		}) {
			at, vs := c.At, c.V
			for i := range vs {
				a := at.At(i)
				vs[i].X += a.X
				vs[i].Y += a.Y
				vs[i].Z += a.Z
			}
		})
	}
}
