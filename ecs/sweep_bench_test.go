package ecs_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/ecs"
)

type (
	point   struct{ X, Y float64 }
	streams struct {
		P ecs.Write[point] `ashlar:"p"`
		V []point          `ashlar:"v"`
	}
)

func move(m *streams) {
	p, v := m.P, m.V[:len(m.P)]
	for i := range p {
		p[i].X += v[i].X
		p[i].Y += v[i].Y
	}
}

// BenchmarkSweep is the README's system over rows of two 16 B columns and an entity,
// against the same over two flat slices: in turn, medians.
func BenchmarkSweep(b *testing.B) {
	for _, n := range []int{1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20} {
		b.Run(fmt.Sprintf("rows=%d", n), func(b *testing.B) { benchSweep(b, n) })
	}
}

func benchSweep(b *testing.B, n int) {
	w := world(b, ecs.Options{})
	p, v := ecs.Register[point](w, "p"), ecs.Register[point](w, "v")
	g := ecs.GroupOf[struct{ P, V point }](w, "g", p, v)
	for range n {
		ok(g.Spawn(struct{ P, V point }{V: point{1, 2}}))
	}
	ecs.System(w, "move", move)
	for range 100 { // chunks settle
		ok(0, w.Run(b.Context()))
	}
	flat := streams{make([]point, n), make([]point, n)}
	for i := range n {
		flat.V[i] = point{1, 2}
	}
	ways := []struct {
		name string
		run  func()
		took []float64
	}{
		{name: "ashlar", run: func() { ok(0, w.Run(b.Context())) }},
		{name: "flat", run: func() { move(&flat) }},
	}
	times := max(2, 1<<16/n)
	for b.Loop() {
		for i := range ways {
			w := &ways[i]
			w.run() // the caches are its own from here on
			start := time.Now()
			for range times {
				w.run()
			}
			w.took = append(w.took, float64(time.Since(start).Nanoseconds())/float64(times*n))
		}
	}
	var ratios []float64
	for i := range ways[0].took {
		ratios = append(ratios, ways[0].took[i]/ways[1].took[i])
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "x")
	for _, w := range ways {
		slices.Sort(w.took)
		b.ReportMetric(w.took[len(w.took)/2], w.name+"-ns/row")
	}
	b.ReportMetric(0, "ns/op")
}
