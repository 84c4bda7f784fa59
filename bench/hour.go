package main

import (
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/adverse"
	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// The long run, for -hour: births and deaths at 60 frames a second, with the real clock.

const (
	hourEntities = 200_000
	hourFrame    = time.Second / 60
	hourParts    = 10
)

// measureHour runs frames for so long, and prints a line for each tenth of them: times of
// frames, without what the process slept, and resident memory.
func measureHour(lasts time.Duration, entities int, out io.Writer) int {
	debug.FreeOSMemory()
	before := resident()
	part := max(int(lasts/hourFrame)/hourParts, 1)
	times := make([]float64, 0, part*hourParts)
	stage := adverse.Hour(entities, ecs.Options{})
	defer stage.Close()
	fmt.Fprintf(out, "\n| frames | entities | p50 | p99 | p99.99 | longest | resident | longest step of adapting |\n|---|---|---|---|---|---|---|---|\n")
	due := time.Now()
	for range hourParts {
		for range part {
			time.Sleep(time.Until(due))
			if late := time.Since(due); late > hourFrame {
				due = due.Add(late) // frames that were missed are not made up for
			}
			due = due.Add(hourFrame)
			times = append(times, float64(timed(stage)))
		}
		hourLine(out, fmt.Sprint(len(times)), times[len(times)-part:], stage, before)
	}
	hourLine(out, "all", times, stage, before)
	fmt.Fprintf(out, "\np99.99 by the median: %.1f\n", quantile(times, 0.9999)/median(times))
	return 0
}

func hourLine(out io.Writer, name string, times []float64, s twin.Stage, before float64) {
	st, _ := (*memmgr.Manager)(s.World.Manager()).Adapting()
	fmt.Fprintf(out, "| %s | %d | %s | %s | %s | %s | %s | %v |\n", name, s.World.Len(), millis(median(times)), millis(quantile(times, 0.99)),
		millis(quantile(times, 0.9999)), millis(quantile(times, 1)), mebibytes(1024*(resident()-before)), st.Longest)
}
