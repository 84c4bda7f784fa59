package ecs_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

type t64 struct {
	A    [2]uint64
	Rest [6]uint64
}

// BenchmarkSortAs is the cost of frames by the finding of SortAs: rows in random order, which
// it swaps; rows in order with new stamps of readers, which it looks at; and rows
// that cannot have changed. Read is a system that streams 16 B of the component of 64 B,
// with the owner's rows in random order and in its own.
func BenchmarkSortAs(b *testing.B) {
	for _, n := range []int{16 << 10, 256 << 10, 1 << 20} {
		for _, c := range []string{"swap", "look", "still", "read-random", "read-sorted"} {
			b.Run(fmt.Sprintf("case=%s/rows=%d", c, n), func(b *testing.B) { benchSortAs(b, c, n) })
		}
	}
}

func benchSortAs(b *testing.B, what string, n int) {
	w := world(b, ecs.Options{Views: ecs.Views{Off: true}})
	ecs.Register[t64](w, "transform")
	sp := ecs.Register[sprite](w, "sprite")
	bodies := ecs.GroupOf[struct{ T t64 }](w, "bodies")
	sprites := ecs.GroupOf[struct{ S sprite }](w, "sprites")
	es := make([]ecs.Entity, n)
	for i := range es {
		es[i] = ok(bodies.Spawn(struct{ T t64 }{}))
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, i := range r.Perm(n) {
		ok(0, sp.Add(es[i], sprite{Tint: r.Uint32()}))
	}
	shuffle := func() {
		for e := range sp.All() {
			sp.Mut(e).Tint = r.Uint32()
		}
		sprites.Sort(func(a, b ecs.Entity) int { return int(sp.Get(a).Tint) - int(sp.Get(b).Tint) })
	}
	sum := uint64(0)
	if what == "read-random" || what == "read-sorted" {
		type look struct {
			S []sprite
			A [][2]uint64 `ashlar:"transform.A"`
		}
		ecs.System(w, "look", func(c *look) {
			for i := range c.A {
				sum += c.A[i][0]
			}
		})
	}
	if what != "read-random" {
		bodies.SortAs(sprites, math.MaxInt)
		for range 3 {
			ok(0, w.Run(b.Context()))
		}
	}
	if what == "read-sorted" {
		bodies.SortAs(nil, 0)
	}
	for b.Loop() {
		switch what {
		case "swap":
			b.StopTimer()
			shuffle()
			b.StartTimer()
		case "look":
			for id := range ecs.RowsOf(sprites).Chunks() {
				ecs.RowsOf(sprites).Written(0, id)
			}
		}
		ok(0, w.Run(b.Context()))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/row")
}
