package main

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/ashlar-go/ashlar/bench/internal/programs"
	"github.com/ashlar-go/ashlar/bench/internal/refs"
	"github.com/ashlar-go/ashlar/bench/internal/sets"
	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/advice"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// Layouts, for -layouts: each program runs once to be recorded. Then it runs without a layout, with the one
// that the record advises, and with one that was written by hand. The three take turns frame by frame, each
// round in another order.

// laidFrames is how many frames count as first ones, and laidRounds how often all three run.
const (
	laidFrames = 100
	laidRounds = 3
)

// laidPrograms are the whole programs that a world runs, behind scenes about first frames and references.
func laidPrograms() (list []twin.Program) {
	for _, p := range slices.Concat(sets.Beginnings(), refs.Programs(), programs.All()) {
		if p.Variants[0].With != nil {
			list = append(list, p)
		}
	}
	return list
}

// laid is a program of the table.
type laid struct {
	name, byHand string
	layout       func() []layout.Statement        // that a recorded run speaks for
	round        func(round int, runs []*laidRun) // runs all of them, by turns
}

// laidAll are the programs of the table: those of this command, and the examples of the documentation.
func laidAll(q request) (list []laid) {
	for _, p := range laidPrograms() {
		n, frames := max(p.Entities/q.divide, 1), p.Warm+p.Frames
		if q.frames > 0 {
			frames = min(frames, p.Warm+q.frames)
		}
		list = append(list, laid{p.Name, p.Layout,
			func() []layout.Statement { return layoutOf(p, n, frames, layout.Source{Off: true}) },
			func(round int, runs []*laidRun) { laidRound(p, n, frames, round, runs) }})
	}
	for _, x := range laidExamples() {
		list = append(list, x.laid())
	}
	return list
}

// laidRun is a program with a layout, and the figures of its rounds.
type laidRun struct {
	layout.Source
	name   string
	trials []layout.Trial
	digest uint64
}

func measureLayouts(q request) (status int) {
	tw := tabwriter.NewWriter(q.out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(tw, "program\tlayout\tstatements\tframe\tfirst 100\tworst\tmemory\tdigest")
	for _, p := range laidAll(q) {
		if !q.match.MatchString(p.name) {
			continue
		}
		statements := p.layout()
		runs := []*laidRun{{name: "none", Source: layout.Source{Off: true}}, {name: "its own", Source: layout.Source{Text: []byte(layout.Revise("", statements))}}}
		if p.byHand != "" {
			runs = append(runs, &laidRun{name: "by hand", Source: layout.Source{Text: []byte("ashlar layout 1\n" + p.byHand)}})
		}
		for round := range laidRounds {
			p.round(round, runs)
		}
		for i, r := range runs[1:] {
			count := len(statements)
			if i > 0 {
				count = strings.Count(p.byHand, "\n")
			}
			same := "equal"
			if r.digest != runs[0].digest {
				same, status = "differs", 1
			}
			fmt.Fprintf(tw, "%s\t%s\t%d", p.name, r.name, count)
			for _, of := range []func(layout.Trial) float64{
				func(t layout.Trial) float64 { return float64(t.P50) }, func(t layout.Trial) float64 { return float64(t.First) },
				func(t layout.Trial) float64 { return float64(t.Worst) }, func(t layout.Trial) float64 { return float64(t.Resident) },
			} {
				fmt.Fprintf(tw, "\t%s", laidRatio(runs[0].trials, r.trials, of))
			}
			fmt.Fprintf(tw, "\t%s\n", same)
		}
		if err := tw.Flush(); err != nil {
			return 1
		}
	}
	fmt.Fprintln(q.out, "figures are those of the layout divided by those of none: medians of rounds, and their range")
	return status
}

// layoutOf is the layout that a recorded run of a program speaks for. The run goes by another one.
func layoutOf(p twin.Program, n, frames int, by layout.Source) []layout.Statement {
	o := ecs.Options{Record: true, Layout: by}
	s := p.Variants[0].With(n, o)
	for range frames {
		timed(s)
	}
	var facts profile.Profile
	if s.World != nil {
		facts = s.World.Facts()
	}
	if s.Close != nil {
		twin.Check(s.Close())
	}
	return advice.Layout(facts, 1<<20)
}

// laidRound runs all of them for some frames, by turns.
func laidRound(p twin.Program, n, frames, round int, runs []*laidRun) {
	stages := make([]twin.Stage, len(runs))
	for k := range runs {
		i := (k + round) % len(runs)
		stages[i] = p.Variants[0].With(n, ecs.Options{Layout: runs[i].Source})
	}
	times := byTurns(stages, frames)
	for i, r := range runs {
		first := times[i][:min(laidFrames, frames)]
		t := layout.Trial{Worst: slices.Max(first)}
		for _, d := range first {
			t.First += d
		}
		late := slices.Sorted(slices.Values(times[i][frames/2:]))
		t.P50 = late[len(late)/2]
		if s := stages[i]; s.World != nil {
			t.Resident = twin.Must(s.World.Manager().Arena().Resident())
		}
		r.trials, r.digest = append(r.trials, t), stages[i].Digest()
		if s := stages[i]; s.Close != nil {
			twin.Check(s.Close())
		}
	}
}

// laidRatio is the median of the ratios of rounds, and their range.
func laidRatio(without, with []layout.Trial, of func(layout.Trial) float64) string {
	var ratios []float64
	for i := range with {
		if of(without[i]) > 0 {
			ratios = append(ratios, of(with[i])/of(without[i]))
		}
	}
	if len(ratios) == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f (%.2f–%.2f)", median(ratios), slices.Min(ratios), slices.Max(ratios))
}
