package game

import (
	"fmt"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// settled is how many frames a world runs before it is timed: by then things that
// were born together have parted, so that readers' rows are in another order than the
// owner's.
const settled = 200

// BenchmarkFrame is a frame with births, deaths and all systems, and that of the plain
// program which the tests compare with: a slice of pointers to things.
func BenchmarkFrame(b *testing.B) {
	for _, n := range []int{4096, 65_536} {
		b.Run(fmt.Sprintf("impl=ashlar/entities=%d", n), func(b *testing.B) {
			g := open(b, Options{Entities: n, ECS: ecs.Options{NoAdapt: true}})
			steps(b, g, settled)
			frames(b, n, func() {
				if err := g.Step(b.Context()); err != nil {
					b.Fatal(err)
				}
			})
		})
		b.Run(fmt.Sprintf("impl=plain/entities=%d", n), func(b *testing.B) {
			r := newReference(Options{Entities: n})
			for range settled {
				r.step()
			}
			frames(b, n, r.step)
		})
	}
}

func frames(b *testing.B, entities int, step func()) {
	for b.Loop() {
		step()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(entities), "ns/entity")
}

// BenchmarkSystem is each system within its frame, by what the world has recorded.
func BenchmarkSystem(b *testing.B) {
	const n = 65_536
	g := open(b, Options{Entities: n, ECS: ecs.Options{NoAdapt: true, Record: ecs.Recording{On: true, TimeEvery: 1}}})
	steps(b, g, settled)
	before := g.Usage()
	for b.Loop() {
		if err := g.Step(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	for i, u := range g.Usage() {
		b.ReportMetric(float64(u.Time-before[i].Time)/float64(u.Rows-before[i].Rows), u.System+"-ns/row")
	}
}
