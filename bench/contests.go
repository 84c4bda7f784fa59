package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime"

	"github.com/ashlar-go/ashlar/bench/internal/candidate"
	"github.com/ashlar-go/ashlar/bench/internal/counters"
	"github.com/ashlar-go/ashlar/bench/internal/life"
	"github.com/ashlar-go/ashlar/bench/internal/public"
	"github.com/ashlar-go/ashlar/bench/internal/referee"
	"github.com/ashlar-go/ashlar/bench/internal/report"
)

// exhibit is a part of the evidence, which a flag names.
type exhibit struct {
	name  string
	about string
	full  func() []candidate.Contest
	quick func() []candidate.Contest // small and short
}

func exhibits() []exhibit {
	return []exhibit{
		{"life", "the experiment of the two storage models: Conway's Life with every cell an entity: minutes", lifeFull, lifeQuick},
		{"setup", "how long it takes to set up an entity of the experiment: seconds", life.Setup, life.Setup},
		{"public", "the workloads of the public suite go-ecs-benchmarks, by their names: minutes", func() []candidate.Contest { return public.Contests(false) }, func() []candidate.Contest { return public.Contests(true) }},
		{"beyond", "workloads that the public suite lacks: overlap, fragments, components that come and go, births: minutes", func() []candidate.Contest { return public.Beyond(false) }, func() []candidate.Contest { return public.Beyond(true) }},
		{"collector", "the time of Go's collector while up to 10 million entities live: minutes and gigabytes", func() []candidate.Contest { return public.Collector(false) }, func() []candidate.Contest { return public.Collector(true) }},
		{"ablation", "what grouping, the graph of an archetype store and pooling are worth, one at a time: seconds", func() []candidate.Contest { return public.Ablations(false) }, func() []candidate.Contest { return public.Ablations(true) }},
	}
}

// lifeFrames are the sizes of the experiment, and how many frames are measured of each.
var lifeFrames = []struct{ cells, frames int }{{100, 5000}, {1000, 5000}, {10_000, 5000}, {50_000, 5000}, {500_000, 200}, {5_000_000, 20}}

func lifeFull() (list []candidate.Contest) {
	for _, s := range lifeFrames {
		list = append(list, life.Contests(s.cells, s.frames)...)
	}
	return list
}

func lifeQuick() []candidate.Contest {
	return append(life.Contests(100, 200), life.Contests(1000, 100)...)
}

// evidence has the flags of contests.
type evidence struct {
	parts   map[string]*bool
	quick   *bool
	json    *bool
	html    *string
	compare *bool
}

// asked reports whether contests take the place of rows.
func (v evidence) asked() bool {
	for _, p := range v.parts {
		if *p {
			return true
		}
	}
	return *v.quick
}

// contests lists the contests of the parts named, or of all parts.
func (v evidence) contests(match *regexp.Regexp) (list []candidate.Contest) {
	all := true
	for _, p := range v.parts {
		all = all && !*p
	}
	for _, p := range exhibits() {
		if !all && !*v.parts[p.name] {
			continue
		}
		of := p.full
		if *v.quick {
			of = p.quick
		}
		for _, c := range of() {
			if match.MatchString(c.String()) {
				list = append(list, c)
			}
		}
	}
	return list
}

// runContests measures contests and reports them. Its result is the status of the command.
func runContests(v evidence, q request, seed uint64) int {
	list := v.contests(q.match)
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
	if *v.json {
		table = q.errs // the rows alone go to the output
	}
	fmt.Fprintf(table, "%s\nseed %d, cycles: %s; times of a contest are of the same work, in turns\n", machine, seed, meter.Source())
	report.Head(table)
	rows, err := measureContests(ctx, list, referee.Options{Samples: q.rounds, Seed: seed, Meter: meter}, machine, table)
	status := 0
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(q.errs, "bench: interrupted; what was measured so far follows")
		status = 130
	} else if err != nil {
		fmt.Fprintf(q.errs, "bench: %v\n", err)
		return 1
	}
	if *v.json {
		err = report.JSON(q.out, rows)
	}
	if *v.html != "" && err == nil {
		err = writeFile(*v.html, func(out io.Writer) error { return report.HTML(out, rows) })
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
		found, err := referee.Run(ctx, c, o)
		if err != nil && ctx.Err() == nil {
			return rows, err
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

// evidenceFlags adds the flags of contests.
func evidenceFlags(flags *flag.FlagSet) evidence {
	v := evidence{parts: map[string]*bool{}}
	for _, p := range exhibits() {
		v.parts[p.name] = flags.Bool(p.name, false, "measure "+p.about)
	}
	v.quick = flags.Bool("quick", false, "measure all contests, or the parts that are named, small and short: seconds")
	v.json = flags.Bool("json", false, "with a part or -quick: print an array of rows as JSON, and the table to standard error")
	v.html = flags.String("html", "", "with a part or -quick: write a page with plots to `FILE`")
	v.compare = flags.Bool("compare", false, "compare two results of -json, the `OLD NEW` files that follow")
	return v
}

// refuse returns the mistake in the flags, or in the words that follow them.
func (v evidence) refuse(words []string) error {
	switch {
	case *v.compare && len(words) != 2:
		return fmt.Errorf("-compare needs two files that -json has written, the older one first: -compare OLD NEW")
	case *v.compare && (v.asked() || *v.json || *v.html != ""):
		return errors.New("-compare measures nothing: give it alone, with two files")
	case !*v.compare && len(words) > 0:
		return fmt.Errorf("%q is no flag: flags begin with -, and -rows takes a pattern of names", words[0])
	case !v.asked() && (*v.json || *v.html != ""):
		return errors.New("-json and -html belong to -quick or to a part: name one, as in -quick -json")
	}
	return nil
}

// names lists the texts that -rows matches.
func (v evidence) names() (list []string) {
	for _, c := range v.contests(regexp.MustCompile("")) {
		list = append(list, c.String())
	}
	return list
}

// compareFiles prints the changes between two results.
func compareFiles(before, after string, out, errs io.Writer) int {
	var rows [2][]report.Row
	for i, name := range []string{before, after} {
		f, err := os.Open(name)
		if err == nil {
			rows[i], err = report.Read(f)
			f.Close()
		}
		if err != nil {
			fmt.Fprintf(errs, "bench: -compare %s: %v\n", name, err)
			return 1
		}
	}
	report.Compare(out, rows[0], rows[1])
	return 0
}
