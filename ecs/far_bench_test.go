package ecs_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/ecs"
)

type (
	point   struct{ X, Y float64 }
	streams struct {
		P []point `ashlar:"p,write"`
		V []point `ashlar:"v"`
	}
)

func move(m *streams) {
	p, v := m.P, m.V[:len(m.P)]
	for i := range p {
		p[i].X += v[i].X
		p[i].Y += v[i].Y
	}
}

// BenchmarkFar is a sweep of two 16 B columns by whole chunks, in steps that ask for
// memory ahead, and over two flat slices: the ways in turn, medians.
func BenchmarkFar(b *testing.B) {
	for _, n := range []int{256 << 10, 512 << 10, 1 << 20, 4 << 20} {
		b.Run(fmt.Sprintf("rows=%d", n), func(b *testing.B) { benchFar(b, n) })
	}
}

func benchFar(b *testing.B, n int) {
	inWorld := func(farBytes int) func() {
		w := world(b, ecs.Options{FarBytes: farBytes})
		p, v := ok(ecs.Register[point](w, "p")), ok(ecs.Register[point](w, "v"))
		g := ok(ecs.GroupOf[struct{ P, V point }](w, "g", p, v))
		for range n {
			ok(g.Spawn(struct{ P, V point }{V: point{1, 2}}))
		}
		ok(0, ecs.System(w, "move", move))
		return func() { ok(0, w.Run(b.Context())) }
	}
	flat := streams{make([]point, n), make([]point, n)}
	ways := []struct {
		name string
		run  func()
		took []float64
	}{
		{name: "chunks", run: inWorld(math.MaxInt)},
		{name: "steps", run: inWorld(1)},
		{name: "flat", run: func() { move(&flat) }},
	}
	for b.Loop() {
		for i := range ways {
			w := &ways[i]
			w.run() // the caches are its own from here on
			start := time.Now()
			w.run()
			w.run()
			w.took = append(w.took, float64(time.Since(start).Nanoseconds())/float64(2*n))
		}
	}
	for _, w := range ways {
		slices.Sort(w.took)
		b.ReportMetric(w.took[len(w.took)/2], w.name+"-ns/row")
	}
}
