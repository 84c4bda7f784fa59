package main

import (
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

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
	layout       func() []layout.Statement            // that a recorded run speaks for
	round        func(round int, runs []*laidRun)     // runs all of them, by turns
	first        func(by layout.Source) time.Duration // of the first frames; nil for an example
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
			func(round int, runs []*laidRun) { laidRound(p, n, frames, round, runs) },
			func(by layout.Source) time.Duration { return firstTime(p, n, by) }})
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
	fmt.Fprintln(tw, "program\tlayout\tstatements\tframe\tfirst 100\tworst\tmemory\tdigest\tfirst 100 gain: said, measured")
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
			said := ""
			if gain := gainSaid(statements, layout.Stored) + gainSaid(statements, layout.Rows); i == 0 && gain > 0 && p.first != nil {
				said = fmt.Sprintf("%v, %v", gain, gainMeasured(p.first, runs))
			}
			fmt.Fprintf(tw, "\t%s\t%s\n", same, said)
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

// gainSaid is by how much these statements of a word say that the first frames take less: stored one of all together, others
// each its own.
func gainSaid(list []layout.Statement, word layout.Word) (gain time.Duration) {
	for _, s := range list {
		m := firstGain.FindStringSubmatch(s.Why)
		switch {
		case s.Word != word || m == nil:
		case word == layout.Stored:
			gain = twin.Must(time.ParseDuration(m[1]))
		default:
			gain += twin.Must(time.ParseDuration(m[1]))
		}
	}
	return gain
}

var firstGain = regexp.MustCompile(`about (\S+) less (in the first 100 frames|until it has grown)`)

// firstTime is the time of the first 100 frames, with nothing between them: by turns, a program that grows would wait for
// the pages of another one.
func firstTime(p twin.Program, n int, by layout.Source) (sum time.Duration) {
	runtime.GC()
	s := p.Variants[0].With(n, ecs.Options{Layout: by})
	for range laidFrames {
		sum += timed(s)
	}
	twin.Check(s.Close())
	return sum
}

// gainMeasured is how much less the first frames take by the second of both layouts: the median of rounds.
func gainMeasured(first func(layout.Source) time.Duration, runs []*laidRun) time.Duration {
	var gains []float64
	for range laidRounds {
		gains = append(gains, float64(first(runs[0].Source)-first(runs[1].Source)))
	}
	return time.Duration(median(gains)).Round(10 * time.Microsecond)
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
