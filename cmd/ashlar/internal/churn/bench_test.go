package churn

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// decay is so short since frames are, which take a tenth of a millisecond in a
// trough: in a game with 60 a second this would be 5 s.
const decay = 30 * time.Millisecond

// benchWorld makes a world of the default size.
func benchWorld(b *testing.B, o ecs.Options) *Churn {
	b.Helper()
	o.Layout.Off = true
	c, err := New(Options{ECS: o})
	if err != nil {
		b.Fatal(err)
	}
	return c
}

// inTurn makes two worlds, in another order in each turn: the first has the better
// places in the machine's memory now and then.
func inTurn(b *testing.B, turn int, o ...ecs.Options) (worlds [2]*Churn) {
	b.Helper()
	for k := range worlds {
		i := (turn + k) % 2
		worlds[i] = benchWorld(b, o[i])
	}
	return worlds
}

// sideBySide times one frame of each world, so that whatever the machine does meanwhile
// happens to both. The same is always first: one that had two frames in a row would
// find its memory in the cache.
func sideBySide(b *testing.B, first int, times *[2]time.Duration, worlds [2]*Churn) {
	b.Helper()
	for k := range 2 {
		i := (first + k) % 2
		start := time.Now()
		if err := worlds[i].Step(b.Context()); err != nil {
			b.Fatal(err)
		}
		times[i] = time.Since(start)
	}
}

func middle(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[len(x)/2]
}

// compare runs two worlds side by side, and reports the median of the ratios of
// their frames' times.
func compare(b *testing.B, first, second ecs.Options) {
	var ratios []float64
	for turn := 0; b.Loop(); turn++ {
		worlds := inTurn(b, turn, first, second)
		var times [2]time.Duration
		for frame := range 600 {
			sideBySide(b, turn, &times, worlds)
			if frame >= 100 {
				ratios = append(ratios, float64(times[0])/float64(times[1]))
			}
		}
		if worlds[0].Hash() != worlds[1].Hash() {
			b.Error("the hashes differ")
		}
		for _, w := range worlds {
			w.Close()
		}
	}
	b.ReportMetric(middle(ratios), "x")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkRecording is a frame with recording on against off.
func BenchmarkRecording(b *testing.B) {
	compare(b, ecs.Options{Adapt: memmgr.AdaptOptions{Off: true}, Record: true}, ecs.Options{Adapt: memmgr.AdaptOptions{Off: true}})
}

// BenchmarkAlike is a frame against the same, for the difference that the others can tell apart.
func BenchmarkAlike(b *testing.B) {
	compare(b, ecs.Options{Adapt: memmgr.AdaptOptions{Off: true}}, ecs.Options{Adapt: memmgr.AdaptOptions{Off: true}})
}

// BenchmarkAdapting is churn with adapting on against off. A pair is two runs of two
// worlds, each of them first once, since that is worth a percent or two; its ratio is the
// geometric mean of both. Of the first 1,000 frames it is that of the time together, of
// 100 more the ratio of the medians; and the bytes that chunks, and everything, keep resident in the end.
func BenchmarkAdapting(b *testing.B) {
	on := ecs.Options{Adapt: memmgr.AdaptOptions{Decay: decay}}
	off := on
	off.Adapt.Off = true
	var first, then, chunks, all []float64
	for b.Loop() {
		x, y := run(b, 0, on, off), run(b, 1, on, off)
		first = append(first, math.Sqrt(x.first*y.first))
		then = append(then, math.Sqrt(x.then*y.then))
		chunks = append(chunks, x.chunks, y.chunks)
		all = append(all, x.resident, y.resident)
	}
	b.ReportMetric(middle(first), "first-x")
	b.ReportMetric(slices.Max(first), "worst-first-x")
	b.ReportMetric(middle(then), "then-x")
	b.ReportMetric(slices.Max(then), "worst-then-x")
	b.ReportMetric(middle(chunks), "chunks-x")
	b.ReportMetric(middle(all), "resident-x")
	b.ReportMetric(0, "ns/op")
}

// ratios compare two worlds.
type ratios struct{ first, then, chunks, resident float64 }

// run takes two worlds through a wave.
func run(b *testing.B, turn int, on, off ecs.Options) (r ratios) {
	worlds := inTurn(b, turn, on, off)
	var times, sum [2]time.Duration
	var settled [2][]float64
	for frame := range 1100 {
		sideBySide(b, turn, &times, worlds)
		for i := range worlds {
			if frame < 1000 {
				sum[i] += times[i]
			} else {
				settled[i] = append(settled[i], float64(times[i]))
			}
		}
	}
	if worlds[0].Hash() != worlds[1].Hash() {
		b.Error("the hashes differ")
	}
	var resident [2]uint64
	var arenas [2]*arena.Arena
	for i, w := range worlds {
		arenas[i] = w.World.Manager().Arena()
		var err error
		if resident[i], err = arenas[i].Resident(); err != nil {
			b.Skipf("resident memory can't be measured here: %v", err)
		}
	}
	r = ratios{
		first:    float64(sum[0]) / float64(sum[1]),
		then:     middle(settled[0]) / middle(settled[1]),
		chunks:   float64(arenas[0].DirtyBy(arena.PurposeChunks)) / float64(arenas[1].DirtyBy(arena.PurposeChunks)),
		resident: float64(resident[0]) / float64(resident[1]),
	}
	st := worlds[0].World.Manager().Stats().Adapting
	b.Logf("first 1000 frames %.3f, then %.3f; chunks %d of %d KiB, all %d of %d KiB; %d moves, %d regions emptied, at most %v at a safe point", r.first, r.then,
		arenas[0].DirtyBy(arena.PurposeChunks)>>10, arenas[1].DirtyBy(arena.PurposeChunks)>>10, resident[0]>>10, resident[1]>>10, st.Moves, st.Emptied, st.Longest)
	for _, w := range worlds {
		w.Close()
	}
	return r
}
