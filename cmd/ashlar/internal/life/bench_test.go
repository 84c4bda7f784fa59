package life

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/pattern"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// BenchmarkOptions is a generation of acorn with an option on against one with it off,
// frame by frame in turn: the median of the ratios. "alike" is the ratio of the same against
// the same comes to.
func BenchmarkOptions(b *testing.B) {
	off := ecs.Options{Adapt: memmgr.AdaptOptions{Off: true}}
	for _, c := range []struct {
		name string
		on   ecs.Options
	}{
		{"alike", off},
		{"recording", ecs.Options{Adapt: memmgr.AdaptOptions{Off: true}, Record: true}},
		{"adapting with nothing to do", ecs.Options{}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var ratios []float64
			for b.Loop() {
				ratios = append(ratios, pair(b, c.on, off)...)
			}
			slices.Sort(ratios)
			b.ReportMetric(ratios[len(ratios)/2], "x")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// pair runs two boards side by side, and returns the ratios of their frames' times.
func pair(b *testing.B, first, second ecs.Options) (ratios []float64) {
	b.Helper()
	var boards [2]*Board
	for i, o := range [2]ecs.Options{first, second} {
		f, err := os.Open("../../../../docs/patterns/acorn.rle")
		if err != nil {
			b.Fatal(err)
		}
		p, err := pattern.Parse("acorn", f)
		f.Close()
		if err != nil {
			b.Fatal(err)
		}
		o.Layout.Off = true
		if boards[i], err = New(p, Options{ECS: o}); err != nil {
			b.Fatal(err)
		}
		defer boards[i].Close()
	}
	for generation := range 2000 {
		var took [2]time.Duration
		for k := range boards {
			i := (generation + k) % 2
			start := time.Now()
			if err := boards[i].Step(b.Context()); err != nil {
				b.Fatal(err)
			}
			took[i] = time.Since(start)
		}
		if generation >= 500 {
			ratios = append(ratios, float64(took[0])/float64(took[1]))
		}
	}
	if boards[0].Hash() != boards[1].Hash() {
		b.Error("the hashes differ")
	}
	return ratios
}
