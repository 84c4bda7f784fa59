package main

import (
	"fmt"
	"io"
	"regexp"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile/counters"
)

// The grid compares what the manager chooses with the choices that never change:
// for each number of rows, order and number of readers a world for each way, and in
// those, share by share of the owner's chunks that change, frames in turn.

// The ways of a cell. A fixed choice is one for all systems and chunks.
const (
	wayAuto = iota
	wayStream
	wayKeep
	wayDirect
	wayInline
	ways
)

// cell is one line of the grid.
type cell struct{ readers }

func (c cell) name() string {
	return fmt.Sprintf("grid: %s rows, %d readers, %v, %d %% changed", rowsName(c.rows), c.systems, c.order, 10*c.changed)
}

func rowsName(n int) string {
	return map[int]string{k16: "16k", k262: "262k", m1: "1M"}[n]
}

// gridCells are all cells, those that share worlds side by side.
func gridCells() (cells []cell) {
	for _, rows := range []int{k16, k262, m1} {
		for _, o := range []order{random, clustered, ordered} {
			for _, systems := range []int{1, 2, 5} {
				for _, changed := range []int{0, 1, 10} {
					cells = append(cells, cell{readers{rows: rows, groups: 1, systems: systems, order: o, changed: changed}})
				}
			}
		}
	}
	return cells
}

// worlds are the stages of a cell, by way.
type worlds [ways]stage

// fixed makes the stages whose choice does not depend on what changes; those are
// shared by cells.
func (c cell) fixed() (w worlds) {
	w[wayStream], w[wayKeep] = c.views(viewing(ecs.Views{Off: true})), c.views(viewing(ecs.Views{Always: true}))
	w[wayDirect], w[wayInline] = c.direct(), c.inline()
	return w
}

func viewing(v ecs.Views) ecs.Options {
	o := options()
	o.Views = v
	return o
}

// A cell is measured for so many rounds, direct and inline for fewer: they are
// printed beside, and held against nothing.
const (
	besideRound = 5 // direct and inline run in each round whose number this divides
	sampleLeast = 1500 * time.Microsecond
)

// rounds measures the ways in turn: cycles per row and system.
func (c cell) rounds(w *worlds, meter *counters.Meter, rounds int) (samples [ways][]float64, unsteady int) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for range settled { // the choice is made, and what can be kept is
		w[wayAuto].frame(c.changed)
	}
	var frames [ways]int
	for i, s := range w {
		s.frame(c.changed)
		start := time.Now()
		s.frame(c.changed)
		frames[i] = 1 + int(sampleLeast/max(time.Since(start), 1))
	}
	runtime.GC()
	for r := range rounds {
		for i := range w {
			i = (i + r) % ways // each begins a round equally often
			if i >= wayDirect && r%besideRound != 0 {
				continue
			}
			v, steady := c.sample(w[i], frames[i], meter)
			if !steady {
				unsteady++
			}
			samples[i] = append(samples[i], v)
		}
	}
	return samples, unsteady
}

// sample measures frames of a stage, again if the clock rate changed meanwhile.
func (c cell) sample(s stage, frames int, meter *counters.Meter) (perRow float64, steady bool) {
	for range 3 {
		s.frame(c.changed) // others have been through the caches
		meter.Start()
		for range frames {
			s.frame(c.changed)
		}
		reading := meter.Stop()
		perRow = reading.Cycles / float64(frames*c.rows*c.systems)
		if steady = reading.Steady; steady {
			break
		}
	}
	return perRow, steady
}

// compared is what a cell comes to.
type compared struct {
	cycles  [ways]float64 // medians
	best    int           // of the fixed choices
	ratio   float64       // auto by best, the median of the rounds
	spread  float64       // of that ratio
	verdict verdict
}

// worldSets is how many sets of worlds a cell is measured in, all of their rounds
// taken together, if it is over the bar in the first: worlds that do the same differ
// by where their pages happen to lie, by several percent at 1M rows.
const worldSets = 3

// gridBar is how much slower than the best fixed choice auto may be, unless the
// ratio spreads wider than that.
const gridBar = 0.05

// compare is the rule of the grid. Pure.
func compare(samples [ways][]float64, unsteady int) (c compared) {
	for i := range samples {
		c.cycles[i] = median(samples[i])
	}
	c.best = wayStream
	if c.cycles[wayKeep] < c.cycles[wayStream] {
		c.best = wayKeep
	}
	var ratios []float64
	for i, v := range samples[wayAuto] {
		ratios = append(ratios, v/samples[c.best][i])
	}
	c.ratio, c.spread = median(ratios), spread(ratios)
	switch {
	case c.spread > spreadMax || len(ratios) == 0 || 4*unsteady > ways*len(ratios):
		c.verdict = refused
	case c.ratio > 1+max(gridBar, c.spread):
		c.verdict = over
	}
	return c
}

// grid prints the cells whose names match; it returns 1 if one is over the bar.
func grid(out io.Writer, match *regexp.Regexp, meter *counters.Meter, rounds int) (status int) {
	fmt.Fprintf(out, "\n| rows | owner | changed | readers | auto | stream | keep | direct | inline | auto ÷ best | spread | auto keeps for | verdict |\n"+
		"|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	var w worlds
	var made readers
	for _, c := range gridCells() {
		if !match.MatchString(c.name()) {
			continue
		}
		if like := c.readers; w[wayStream].w == nil || made.rows != like.rows || made.order != like.order || made.systems != like.systems {
			w.close()
			w, made = c.fixed(), like
		}
		var samples [ways][]float64
		var r compared
		unsteady, kept := 0, 0
		for set := range worldSets {
			if set > 0 {
				w.close()
				w = c.fixed()
			}
			w[wayAuto] = c.views(viewing(ecs.Views{}))
			more, shaky := c.rounds(&w, meter, rounds)
			kept = c.kept(w[wayAuto], w[wayKeep])
			check(w[wayAuto].w.Close())
			w[wayAuto] = stage{}
			unsteady += shaky
			for i := range samples {
				samples[i] = append(samples[i], more[i]...)
			}
			if r = compare(samples, unsteady); set == 0 && r.verdict != over {
				break
			}
		}
		if r.verdict == over {
			status = 1
		}
		fmt.Fprintf(out, "| %s | %v | %d %% | %d | %.3g | %.3g | %.3g | %.3g | %.3g | %.3f | %.0f %% | %d of %d | %v |\n", rowsName(c.rows), c.order, 10*c.changed, c.systems,
			r.cycles[wayAuto], r.cycles[wayStream], r.cycles[wayKeep], r.cycles[wayDirect], r.cycles[wayInline], r.ratio, 100*r.spread, kept, c.systems, r.verdict)
	}
	w.close()
	return status
}

func (w *worlds) close() {
	for i := range w {
		if w[i].w != nil {
			check(w[i].w.Close())
		}
	}
	*w = worlds{}
}

// kept is how many systems read kept values: all those of the stage that always keeps do.
func (c cell) kept(auto, keep stage) int {
	chunks := func(s stage) (n uint64) {
		for _, sign := range []uint64{^uint64(0), 1} { // after less before
			for _, v := range s.w.Stats().Views {
				n += sign * (v.Built + v.Refreshed + v.Reused)
			}
			if sign != 1 {
				s.frame(c.changed)
			}
		}
		return n
	}
	return int(chunks(auto) * uint64(c.systems) / max(chunks(keep), 1))
}
