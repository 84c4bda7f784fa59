package ecs_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/ecs"
)

// vec is a component of 16 bytes.
type vec struct{ X, Y float64 }

// pair is a group's two components.
type pair struct{ Pos, Vel vec }

// pairs is a world with a group of n members.
func pairs(b *testing.B, n int) (w *ecs.World, pos, vel *ecs.Pool[vec], es []ecs.Entity, refill func()) {
	w = world(b, ecs.Options{})
	pos, vel = ok(ecs.Register[vec](w, "pos")), ok(ecs.Register[vec](w, "vel"))
	g := ok(ecs.GroupOf[pair](w, "pair", pos, vel))
	es = make([]ecs.Entity, n)
	refill = func() {
		if err := g.SpawnN(es, pair{vec{1, 2}, vec{3, 4}}); err != nil {
			b.Fatal(err)
		}
	}
	refill()
	return w, pos, vel, es, refill
}

// The time that Clear takes an entity; making them anew is not in it.
func BenchmarkClear(b *testing.B) {
	for _, n := range []int{1 << 10, 16 << 10, 256 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("entities=%d", n), func(b *testing.B) {
			w, _, _, _, refill := pairs(b, n)
			took, rounds := time.Duration(0), 0
			for b.Loop() {
				start := time.Now()
				w.Clear()
				took += time.Since(start)
				rounds++
				refill()
			}
			b.ReportMetric(float64(took.Nanoseconds())/float64(rounds*n), "ns/entity")
		})
	}
}

