package main

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"

	"github.com/ashlar-go/ashlar/bench/internal/sets"
	"github.com/ashlar-go/ashlar/bench/internal/twin"
)

// sweepFrames is how many frames of a cell are timed, after twice as many.
const sweepFrames = 40

// measureSweep prints for each cell how long a frame takes by the store's own choice, and how that
// compares with the better of two choices, and of two stores in plain Go. All run by turns, frame by
// frame. Where a cell is busy and quiet by turns, it is the sum of three turns but the first.
func measureSweep(q request) int {
	fmt.Fprintf(q.out, "%-34s %9s %9s %9s %9s %9s %8s %8s\n", "cell", "auto, µs", "stable", "volatile", "tables", "sparse", "ways", "plain")
	var ways, plain []float64
	for _, c := range sets.Cells() {
		if !q.match.MatchString(c.String()) {
			continue
		}
		t := race(c, q.frames)
		a, b := t[0]/min(t[1], t[2]), t[0]/min(t[3], t[4])
		if c.Busy == 0 {
			ways, plain = append(ways, a), append(plain, b)
		}
		fmt.Fprintf(q.out, "%-34v %9.0f %9.0f %9.0f %9.0f %9.0f %8.2f %8.2f\n", c, t[0], t[1], t[2], t[3], t[4], a, b)
	}
	for _, x := range [][]float64{ways, plain} {
		if len(x) > 0 {
			fmt.Fprintf(q.out, "geometric mean %.3f, 19 of 20 up to %.2f, worst %.2f\n", stat.GeometricMean(x, nil), slices.Sorted(slices.Values(x))[(len(x)*19-1)/20], slices.Max(x))
		}
	}
	return 0
}

// byTurns runs frames of stages by turns, each frame in an order of chance: a stage finds its caches as the one before
// has left them.
func byTurns(stages []twin.Stage, frames int) [][]time.Duration {
	times := make([][]time.Duration, len(stages))
	chance := rand.New(rand.NewPCG(1, 2))
	for range frames {
		for _, i := range chance.Perm(len(stages)) {
			times[i] = append(times[i], timed(stages[i]))
		}
	}
	return times
}

// race returns the times of the rivals in µs: medians of frames, or means.
func race(c sets.Cell, frames int) (micros []float64) {
	if frames == 0 {
		frames = sweepFrames
	}
	warm := 2 * frames
	if c.Busy > 0 {
		warm = c.Busy + c.Quiet
		frames = 2 * warm
	}
	var stages []twin.Stage
	for _, name := range sets.Rivals() {
		stages = append(stages, c.Open(name))
	}
	runtime.GC()
	times := byTurns(stages, warm+frames)
	digest := stages[0].Digest()
	for i, s := range stages {
		if s.Digest() != digest {
			panic(fmt.Sprintf("%v: %s ends in another state", c, sets.Rivals()[i]))
		}
		of := median
		if c.Busy > 0 {
			of = func(times []float64) float64 { return stat.Mean(times, nil) }
		}
		var all []float64
		for _, took := range times[i][warm:] {
			all = append(all, float64(took.Nanoseconds())/1000)
		}
		micros = append(micros, of(all))
		if s.Close != nil {
			twin.Check(s.Close())
		}
	}
	return micros
}
