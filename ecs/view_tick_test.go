package ecs_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// Between two walks nobody has to end a frame: a write between them is seen,
// whatever is kept.
func TestWritesBetweenWalks(t *testing.T) {
	for _, o := range []ecs.Views{ecs.Views{Off: true}, ecs.Views{Always: true}} {
		s := newStage(t, ecs.Options{Views: o})
		for i := range 5000 {
			s.es = append(s.es, ok(s.bodies.Spawn(struct{ T transform }{transform{At: vec3{float32(i), 0, 0}}})))
		}
		for _, e := range s.es {
			ok(0, s.sp.Add(e, sprite{}))
		}
		q := ecs.QueryOf[struct {
			Spr []sprite
			At  []vec3 `ashlar:"transform.At"`
			All []ecs.Entity
		}](s.w)
		ok(0, s.w.Run(t.Context()))
		for turn := range 4 {
			rows := 0
			for c := range q.All() {
				for i, e := range c.All {
					if rows++; c.At[i] != s.tr.Get(e).At {
						t.Fatalf("views %v, turn %d: %v, row %d: %v, want %v", o, turn, e, rows, c.At[i], s.tr.Get(e).At)
					}
				}
				if turn == 3 && rows > 0 {
					break
				}
			}
			for i, e := range s.es {
				if i%(turn+2) == 0 {
					s.tr.Mut(e).At.X++
				}
			}
		}
	}
}
