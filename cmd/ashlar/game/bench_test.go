package game

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// settled is how many frames a world runs before it is timed: by then things that
// were born together have parted, so that readers' rows are in another order than the
// owner's.
const settled = 200

// BenchmarkSystem is each system within its frame, by the world's record.
func BenchmarkSystem(b *testing.B) {
	const n = 65_536
	g := open(b, Options{Entities: n, ECS: ecs.Options{Adapt: memmgr.AdaptOptions{Off: true}, Record: true, TimeEvery: 1}})
	steps(b, g, settled)
	for b.Loop() {
		if err := g.Step(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	for _, u := range g.Usage() {
		b.ReportMetric(float64(u.Times.P50)*float64(u.Frames)/float64(u.Rows), u.System+"-ns/row")
	}
}
