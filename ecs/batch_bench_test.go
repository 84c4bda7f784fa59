package ecs_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
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
	pos, vel = ecs.Register[vec](w, "pos"), ecs.Register[vec](w, "vel")
	g := ecs.GroupOf[pair](w, "pair", pos, vel)
	es = make([]ecs.Entity, n)
	refill = func() {
		if err := g.SpawnN(es, []pair{{vec{1, 2}, vec{3, 4}}}); err != nil {
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
				w.Reset()
				took += time.Since(start)
				rounds++
				refill()
			}
			b.ReportMetric(float64(took.Nanoseconds())/float64(rounds*n), "ns/entity")
		})
	}
}

// One turn of a loop over 16k rows: slices of chunks, pointers to rows, plain slices.
func BenchmarkPointers(b *testing.B) {
	const n = 16 << 10
	w, _, _, _, _ := pairs(b, n)
	type columns struct {
		Pos ecs.Write[vec] `ashlar:"pos"`
		Vel []vec          `ashlar:"vel"`
	}
	type row struct {
		Pos ecs.WriteOne[vec] `ashlar:"pos"`
		Vel *vec              `ashlar:"vel"`
	}
	plain := &columns{make([]vec, n), make([]vec, n)}
	move := func(c *columns) {
		pos, vel := c.Pos, c.Vel
		for i := range pos {
			pos[i].X += vel[i].X
			pos[i].Y += vel[i].Y
		}
	}
	chunks, rows := ecs.QueryOf[columns](w), ecs.QueryOf[row](w)
	ways := []struct {
		name string
		turn func()
	}{
		{"slices of chunks", func() {
			for c := range chunks.All() {
				move(c)
			}
		}},
		{"pointers", func() {
			for c := range rows.All() {
				c.Pos.X += c.Vel.X
				c.Pos.Y += c.Vel.Y
			}
		}},
		{"plain slices", func() { move(plain) }},
	}
	for _, way := range ways {
		b.Run("over="+way.name, func(b *testing.B) {
			rounds := 0
			for b.Loop() {
				way.turn()
				rounds++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rounds*n), "ns/row")
		})
	}
}

// RemoveBatch and AddBatch of a component with a group that the entities leave and enter: all
// members, every other one, or half of them at random, others each time or the same.
func BenchmarkLeaveAndEnter(b *testing.B) {
	const n = 16 << 10
	r := rand.New(rand.NewPCG(1, 2))
	for _, which := range []string{"all", "every other", "random", "others each time"} {
		b.Run("which="+which, func(b *testing.B) {
			_, _, vel, es, _ := pairs(b, n)
			batches := [][]ecs.Entity{es}
			switch which {
			case "every other":
				batches[0] = nil
				for i := 0; i < n; i += 2 {
					batches[0] = append(batches[0], es[i])
				}
			case "random", "others each time":
				batches = nil
				for len(batches) == 0 || len(batches) < 16 && which != "random" {
					r.Shuffle(n, func(i, j int) { es[i], es[j] = es[j], es[i] })
					batches = append(batches, slices.Clone(es[:n/2]))
				}
			}
			rounds := 0
			for b.Loop() {
				batch := batches[rounds%len(batches)]
				ok(vel.RemoveAll(ecs.Handles(batch)))
				ok(vel.AddAll(ecs.Handles(batch), vec{5, 6}))
				rounds++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rounds*len(batches[0])), "ns/pair")
		})
	}
}
