package churn

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/memmgr/plan"
)

// BenchmarkPairs is how well plans predict: of the actions of a run that were to give
// memory back, the share that gained from half of what was predicted to twice that.
func BenchmarkPairs(b *testing.B) {
	var good, all [plan.Kinds]int
	for b.Loop() {
		w := benchWorld(b, ecs.Options{Adapt: memmgr.AdaptOptions{Decay: decay}})
		for range 2000 {
			if err := w.Step(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
		st, _ := w.World.Manager().Adapting()
		for _, p := range st.Pairs {
			all[p.Kind]++
			if p.Measured >= p.Predicted/2 && p.Measured <= 2*p.Predicted {
				good[p.Kind]++
			}
		}
		b.Logf("%d tried, %d applied, %d reverted, %d dropped, %d moves: %v", st.Tried, st.Applied, st.Reverted, st.Dropped, st.Moves, st.Pairs)
		w.Close()
	}
	sum, within := 0, 0
	for k := range plan.Kinds {
		sum, within = sum+all[k], within+good[k]
		if all[k] > 0 {
			b.Logf("%v: %d of %d within 2x", k, good[k], all[k])
		}
	}
	b.ReportMetric(float64(sum), "actions")
	b.ReportMetric(float64(within)/float64(max(sum, 1)), "within-2x")
	b.ReportMetric(0, "ns/op")
}
