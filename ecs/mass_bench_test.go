package ecs_test

import (
	"fmt"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// AddAll and RemoveAll of 16 bytes, for all entities with another component.
func BenchmarkAllOfAQuery(b *testing.B) {
	for _, n := range []int{16 << 10, 1 << 20} {
		for how, name := range []string{"fixed", "", "optional", "thin"} {
			if name == "" {
				continue
			}
			b.Run(fmt.Sprintf("way=%s/entities=%d", name, n), func(b *testing.B) {
				w := world(b, ecs.Options{})
				ok(ecs.Register[vec](w, "pos"))
				vel := ok(ecs.Register[name16](w, "vel", ecs.Storage(how)))
				s := ok(ecs.SpawnerOf[struct{ Pos vec }](w))
				ok(0, s.SpawnN(make([]ecs.Entity, n), []struct{ Pos vec }{{}}))
				q := ok(ecs.QueryOf[struct{ Pos []vec }](w))
				rounds := 0
				for b.Loop() {
					ok(vel.AddAll(q, name16{1}))
					ok(vel.RemoveAll(q))
					rounds++
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rounds*n), "ns/pair")
			})
		}
	}
}
