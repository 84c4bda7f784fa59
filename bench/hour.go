package main

import (
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/adverse"
	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// The long run, for -hour: births and deaths at 60 frames a second, with the real clock.

const (
	hourEntities = 100_000
	hourFrame    = time.Second / 60
	hourParts    = 10
)

// hour is what was measured of frames: the time that went by, and the cycles of the thread
// itself, which leave out what it waited for a processor.
type hour struct {
	stage  twin.Stage
	before float64 // resident, in KiB
	wall   []float64
	own    []float64
}

// measureHour runs frames for so long, and prints a line for each tenth of them: without what
// the process slept, and with resident memory.
func measureHour(lasts time.Duration, q request) int {
	debug.FreeOSMemory()
	h := hour{before: resident()}
	part := max(int(lasts/hourFrame)/hourParts, 1)
	h.wall, h.own = make([]float64, 0, part*hourParts), make([]float64, 0, part*hourParts)
	h.stage = adverse.Hour(max(1, hourEntities/q.divide), ecs.Options{})
	defer h.stage.Close()
	fmt.Fprintf(q.out, "\n| frames | entities | p50 | p99.99 | cycles, p50 | p99 | p99.99 | most | resident | longest step of adapting |\n|---|---|---|---|---|---|---|---|---|---|\n")
	due := time.Now()
	for range hourParts {
		from := len(h.wall)
		for range part {
			time.Sleep(time.Until(due))
			if late := time.Since(due); late > hourFrame {
				due = due.Add(late) // frames that were missed are not made up for
			}
			due = due.Add(hourFrame)
			q.meter.Start()
			timed(h.stage)
			r := q.meter.Stop()
			h.wall, h.own = append(h.wall, float64(r.Wall)), append(h.own, r.Cycles)
		}
		h.line(q.out, fmt.Sprint(len(h.wall)), from)
	}
	h.line(q.out, "all", 0)
	fmt.Fprintf(q.out, "\np99.99 by the median: %.1f in cycles of its own, %.1f in time that went by\n",
		quantile(h.own, 0.9999)/median(h.own), quantile(h.wall, 0.9999)/median(h.wall))
	return 0
}

// line prints what frames took from one on.
func (h *hour) line(out io.Writer, name string, from int) {
	debug.FreeOSMemory() // the collector's own pace is not what is asked for
	st, _ := h.stage.World.Manager().Adapting()
	wall, own := h.wall[from:], h.own[from:]
	million := func(q float64) string { return fmt.Sprintf("%.2fM", quantile(own, q)/1e6) }
	fmt.Fprintf(out, "| %s | %d | %s | %s | %s | %s | %s | %s | %s | %v |\n", name, h.stage.World.Len(), millis(median(wall)), millis(quantile(wall, 0.9999)),
		million(0.5), million(0.99), million(0.9999), million(1), mebibytes(1024*(resident()-h.before)), st.Longest)
}
