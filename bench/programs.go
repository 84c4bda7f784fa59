package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/stat"
	"github.com/ashlar-go/ashlar/bench/internal/twin"
)

// Whole programs, for -programs: each variant runs in a process of its own, so that its
// resident memory is its own, and the processes take turns, so that drift of the machine
// meets all of them.

// A turn is so many frames. The first of them finds the caches of another process and
// does not count.
const turn = 10

// figures are the measurements of a variant.
type figures struct {
	name     string
	p50, p99 float64 // of frames, in nanoseconds
	mean     float64
	max      float64
	resident float64   // bytes
	turns    []float64 // the median frame of each turn
}

// value is one of the figures of a program with so many entities.
func (f figures) value(what twin.Figure, entities int) float64 {
	switch what {
	case twin.P50:
		return f.p50
	case twin.P99:
		return f.p99
	case twin.Mean:
		return f.mean
	case twin.Resident:
		return f.resident
	}
	return f.resident / float64(entities)
}

// summed makes figures of a variant's frames.
func summed(v played) figures {
	f := figures{name: v.name, resident: v.resident}
	var all []float64
	for _, t := range v.turns {
		var frames []float64
		for _, d := range t[min(1, len(t)-1):] {
			frames = append(frames, float64(d))
		}
		f.turns = append(f.turns, median(frames))
		all = append(all, frames...)
	}
	of := stat.Describe(all)
	f.p50, f.p99, f.mean, f.max = of.Median, of.P99, of.Mean, of.Worst
	return f
}

// ratio is of the frames of two variants: the median of the ratios within turns, and
// the distance of its quartiles by it.
func ratio(a, b figures) (median50, spread50 float64) {
	var ratios []float64
	for i := range a.turns {
		ratios = append(ratios, a.turns[i]/b.turns[i])
	}
	of := stat.Describe(ratios)
	return of.Median, of.Spread()
}

// held holds the first variant against a bar. Pure.
func held(b twin.Bar, all []figures, entities int) (value float64, of string, kept bool) {
	first := all[0]
	if len(b.Of) == 0 {
		value = first.value(b.Figure, entities)
		return value, "", value <= b.Most
	}
	best := figures{}
	for _, f := range all[1:] {
		if slices.Contains(b.Of, f.name) && (best.name == "" || f.value(b.Figure, entities) < best.value(b.Figure, entities)) {
			best = f
		}
	}
	if b.Figure == twin.P50 {
		value, _ = ratio(first, best)
	} else {
		value = first.value(b.Figure, entities) / best.value(b.Figure, entities)
	}
	return value, best.name, value <= b.Most
}

// runPrograms runs the programs that match and prints a line for each of their variants. Its
// result is 1 if one of them is over a bar, or if variants differ.
func runPrograms(all []twin.Program, q request) (status int) {
	programHead(q.out)
	for _, p := range all {
		if !q.match.MatchString(p.Name) {
			continue
		}
		p.Entities = max(1, p.Entities/q.divide)
		if q.frames > 0 {
			p.Frames = min(p.Frames, q.frames)
		}
		all, err := inTurns(p, turn)
		if err != nil {
			fmt.Fprintf(q.errs, "bench: %s: %v\n", p.Name, err)
			status = 1
			continue
		}
		var list []figures
		for _, v := range all {
			list = append(list, summed(v))
		}
		if !printProgram(q.out, p, list) {
			status = 1
		}
	}
	return status
}

// played has the frames of a variant after the warm-up.
type played struct {
	name     string
	turns    [][]time.Duration // of frames
	resident float64           // bytes, after the last frame
}

// inTurns runs the variants of a program in processes that take turns of so many frames. It is an
// error if they end in different states.
func inTurns(p twin.Program, turn int) (all []played, err error) {
	var list []*actor
	defer func() {
		for _, a := range list {
			a.stop()
		}
	}()
	for _, v := range p.Variants {
		a, err := hire(p.Name, v.Name, p.Entities)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.Name, err)
		}
		list, all = append(list, a), append(all, played{name: v.Name})
	}
	for done, round := -p.Warm, 0; done < p.Frames; round++ {
		n := min(turn, p.Frames-done)
		if done < 0 {
			n = min(turn, -done)
		}
		for i := range list {
			i = (i + round) % len(list) // each begins equally often
			times, err := list[i].frames(n)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", list[i].name, err)
			}
			if done >= 0 {
				all[i].turns = append(all[i].turns, times)
			}
		}
		done += n
	}
	var first uint64
	for i, a := range list {
		var digest uint64
		if digest, all[i].resident, err = a.end(); err != nil {
			return nil, fmt.Errorf("%s: %w", a.name, err)
		}
		if i == 0 {
			first = digest
		} else if digest != first {
			return nil, fmt.Errorf("%s ends with digest %#x, %s with %#x: they are not the same program", list[0].name, first, a.name, digest)
		}
	}
	return all, nil
}
