package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/candidate"
	"github.com/ashlar-go/ashlar/bench/internal/counters"
	"github.com/ashlar-go/ashlar/bench/internal/life"
	"github.com/ashlar-go/ashlar/bench/internal/public"
	"github.com/ashlar-go/ashlar/bench/internal/questions"
	"github.com/ashlar-go/ashlar/bench/internal/referee"
	"github.com/ashlar-go/ashlar/bench/internal/report"
)

// exhibit is a part of the evidence, which a flag names. Its contests may be small and short.
type exhibit struct {
	name, about string
	contests    func(quick bool) []candidate.Contest
}

func exhibits() []exhibit {
	return []exhibit{
		{"life", "the experiment of the two storage models: Conway's Life with every cell an entity: minutes", lifeContests},
		{"setup", "how long it takes to set up an entity of the experiment: seconds", func(bool) []candidate.Contest { return life.Setup() }},
		{"public", "the workloads of the public suite go-ecs-benchmarks, by their names: minutes", public.Contests},
		{"beyond", "workloads that the public suite lacks: overlap, fragments, components that come and go, births: minutes", public.Beyond},
		{"collector", "the time of Go's collector while up to 10 million entities live: minutes and gigabytes", public.Collector},
		{"ablation", "what grouping, the graph of an archetype store, pooling and a second thread are worth, one at a time: seconds", ablations},
		{"questions", "small questions: fill, ways of sorting: a minute", questions.Contests},
	}
}

// ablations are the contests about one thing each.
func ablations(quick bool) []candidate.Contest {
	list := public.Ablations(quick)
	if quick {
		return append(list, life.Threads(1000, 100))
	}
	for _, cells := range []int{10_000, 50_000, 500_000} {
		list = append(list, life.Threads(cells, 200))
	}
	return list
}

// lifeContests are the sizes of the experiment, and how many frames are measured of each.
func lifeContests(quick bool) (list []candidate.Contest) {
	type size struct{ cells, frames int }
	sizes := []size{{100, 5000}, {1000, 5000}, {10_000, 5000}, {50_000, 5000}, {500_000, 200}, {5_000_000, 20}}
	if quick {
		sizes = []size{{100, 200}, {1000, 100}}
	}
	for _, s := range sizes {
		list = append(list, life.Contests(s.cells, s.frames)...)
	}
	return list
}

// evidence has the flags of contests.
type evidence struct {
	parts       map[string]bool
	quick, json bool
	html        string
}

// asked reports whether contests are measured.
func (v *evidence) asked() bool { return v.quick || len(v.parts) > 0 }

// contests lists the contests of the parts named, or of all parts.
func (v *evidence) contests(q request) (list []candidate.Contest) {
	for _, p := range exhibits() {
		if len(v.parts) > 0 && !v.parts[p.name] {
			continue
		}
		for _, c := range p.contests(v.quick) {
			if q.match.MatchString(c.String()) {
				list = append(list, c)
			}
		}
	}
	return list
}

// names lists the texts that -rows matches.
func (v *evidence) names(q request) []string { return named(v.contests(q), candidate.Contest.String) }

// runContests measures contests and reports them. Its result is the status of the command.
func runContests(v *evidence, q request) int {
	list := v.contests(q)
	if len(list) == 0 {
		fmt.Fprintf(q.errs, "bench: no contest has a name that matches -rows %v: -list prints the names\n", q.match)
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	meter := counters.New()
	defer meter.Close()
	machine := report.Machine()
	table := q.out
	if v.json {
		table = q.errs // the rows alone go to the output
	}
	fmt.Fprintf(table, "%s\nseed %d, cycles are counted: %v; times of a contest are of the same work, in turns\n", machine, q.seed, meter.Counts())
	report.Head(table)
	rows, err := measureContests(ctx, list, referee.Options{Samples: q.rounds, Seed: q.seed, Meter: meter}, machine, table)
	status := 0
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(q.errs, "bench: interrupted; what was measured so far follows")
		status = 130
	} else if err != nil {
		fmt.Fprintf(q.errs, "bench: %v\n", err)
		return 1
	}
	if v.json {
		err = report.JSON(q.out, rows)
	}
	if v.html != "" && err == nil {
		err = writeFile(v.html, func(out io.Writer) error { return report.HTML(out, rows) })
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintf(q.errs, "bench: %v\n", err)
		return 1
	}
	return status
}

// measureContests prints each contest's rows when they are there. An error that is not ctx's belongs to a contest
// with candidates that did not do the same work.
func measureContests(ctx context.Context, list []candidate.Contest, o referee.Options, machine string, table io.Writer) (rows []report.Row, err error) {
	for _, c := range list {
		free := freeCores(c.Cores)
		found, err := referee.Run(ctx, c, o)
		if err != nil && ctx.Err() == nil {
			return rows, err
		}
		if free = min(free, freeCores(c.Cores)); free < freeLeast {
			fmt.Fprintf(table, "%v: left out, because %d processors were not free: a thread on one had %.0f %% of it\n", c, c.Cores, 100*free)
			continue
		}
		judged := report.Rows(c, found, machine)
		report.Print(table, judged)
		if rows = append(rows, judged...); ctx.Err() != nil {
			return rows, ctx.Err()
		}
	}
	return rows, nil
}

func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("-html: %w: name a file in a folder that is there", err)
	}
	return errors.Join(write(f), f.Close())
}

// freeLeast is the part of a processor that a thread must get for the processor to count as free.
const freeLeast = 0.95

// freeCores is the part of so many processors that are free now.
func freeCores(n int) float64 {
	if n == 0 {
		return 1
	}
	return counters.Free(n, 50*time.Millisecond)
}

// flags adds the flags of contests.
func (v *evidence) flags(flags *flag.FlagSet) {
	v.parts = map[string]bool{}
	for _, p := range exhibits() {
		flags.BoolFunc(p.name, "measure "+p.about, func(string) error { v.parts[p.name] = true; return nil })
	}
	flags.BoolVar(&v.quick, "quick", false, "measure all contests, or the parts that are named, small and short: seconds")
	flags.BoolVar(&v.json, "json", false, "with a part or -quick: print an array of rows as JSON, and the table to standard error")
	flags.StringVar(&v.html, "html", "", "with a part or -quick: write a page with plots to `FILE`")
}

// refuse returns the mistake in the command line.
func (c *choices) refuse() error {
	switch {
	case len(c.words) > 0:
		return fmt.Errorf("%q is no flag: flags begin with -, and -rows takes a pattern of names", c.words[0])
	case !c.asked() && (c.json || c.html != ""):
		return errors.New("-json and -html belong to -quick or to a part: name one, as in -quick -json")
	case !c.asked() && c.mode.run == nil:
		return errors.New("name a table, as in -programs or -public; -help lists them")
	}
	return nil
}
