// Command bench measures Ashlar against code written by hand, side by side, and prints a table. It is a module of its own; from
// the root of the repository:
//
//	go -C bench run . -programs [-rows REGEXP] [-divide N] [-frames N]
//	go -C bench run . -quick [-life] [-setup] [-public] [-rows REGEXP] [-rounds N] [-json] [-html FILE]
//	go -C bench run . -sweep [-rows REGEXP] [-frames N]
//	go -C bench run . -layouts [-rows REGEXP] [-divide N] [-frames N]
//	go -C bench run . -advice [-rows REGEXP]
//	go -C bench run . -regret
//
// With -programs it runs whole programs, each on Ashlar and as one would write it with plain slices, or as an archetype store
// and as sparse sets. A variant has a process of its own, and the processes take turns of ten frames. It prints frame times
// and resident memory, and fails if variants end in different states.
//
// With -quick or the name of a part it measures contests: the same workload on Ashlar, on a store of
// sparse sets, on one of archetypes, on objects and on arrays, in turns. README.md says how a candidate is added.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/programs"
	"github.com/ashlar-go/ashlar/bench/internal/public"
	"github.com/ashlar-go/ashlar/bench/internal/sets"
	"github.com/ashlar-go/ashlar/bench/internal/stat"
	"github.com/ashlar-go/ashlar/bench/internal/twin"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func median(v []float64) float64 { return stat.Describe(v).Median }

// request has the values of flags, which parse sets, and the outputs.
type request struct {
	match  *regexp.Regexp
	rounds int
	divide int // the divisor of numbers of entities
	frames int // the most that are run of a program after its warm-up; 0: as many as it says
	seed   uint64

	out, errs io.Writer
}

// mode is a table that a flag of its name asks for.
type mode struct {
	name, about string
	names       func(request) []string // that -rows may match
	run         func(request) int      // returns the status of the command
}

// modes are the tables that are no contests.
func modes() []mode {
	return []mode{
		{"programs", "run whole programs against plain slices or reference stores: minutes",
			func(request) []string { return named(programs.All(), programName) },
			func(q request) int { return runPrograms(programs.All(), q) }},
		{"layouts", "measure what layouts gain that runs of programs advise, and those written by hand: minutes",
			func(q request) []string { return named(laidAll(q), func(p laid) string { return p.name }) }, measureLayouts},
		{"sweep", "measure how the store chooses to store components, over cells that -rows may match: minutes",
			func(request) []string { return named(sets.Cells(), sets.Cell.String) }, measureSweep},
		{"advice", "measure what advice predicts against what it saves",
			func(request) []string { return named(advisedPrograms(advisedRows), advised.String) }, adviseAll},
		{"regret", "measure what the rule of views costs over 20 random phases of 500 frames against fixed choices: half a minute",
			func(q request) []string { return named(drawPhases(q.seed, phaseCount), phase.String) }, measureRegret},
	}
}

func named[T any](list []T, name func(T) string) (names []string) {
	for _, x := range list {
		names = append(names, name(x))
	}
	return names
}

func programName(p twin.Program) string { return p.Name }

// choices are the flags, set when the command line is parsed.
type choices struct {
	request
	evidence
	mode     mode
	list     bool
	stage    string
	entities int
	words    []string // that follow the flags
}

func parse(args []string, out, errs io.Writer) (c *choices, err error) {
	c = new(choices)
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(errs)
	c.out, c.errs, c.match = out, errs, new(regexp.Regexp)
	flags.TextVar(c.match, "rows", regexp.MustCompile(""), "measure only contests or programs with a name that matches `REGEXP`, as 'churn|epidemic'")
	flags.IntVar(&c.rounds, "rounds", 21, "how many samples a contest has that does not say so itself")
	flags.IntVar(&c.divide, "divide", 1, "divide the numbers of entities of programs by `N`")
	flags.IntVar(&c.frames, "frames", 0, "with -programs: run at most `N` frames after the warm-up; 0 means as many as a program asks for")
	flags.BoolVar(&c.list, "list", false, "print the names of the contests or programs, and measure nothing")
	flags.Uint64Var(&c.seed, "seed", 1, "draw the phases of -regret, or the order of turns of contests, from this `NUMBER`")
	flags.StringVar(&c.stage, "stage", "", "run one `PROGRAM/VARIANT`; for this command itself")
	flags.IntVar(&c.entities, "entities", 0, "with -stage: how many entities")
	for _, m := range modes() {
		flags.BoolFunc(m.name, m.about, func(string) error { c.mode = m; return nil })
	}
	c.evidence.flags(flags)
	err = flags.Parse(args)
	c.words = flags.Args()
	return c, err
}

func run(args []string, out, errs io.Writer) int {
	c, err := parse(args, out, errs)
	if err != nil {
		return 2
	}
	if c.stage != "" {
		return runStage(c)
	}
	if c.rounds < 3 || c.divide < 1 || c.frames < 0 {
		fmt.Fprintln(errs, "bench: -rounds must be at least 3, -divide at least 1, and -frames not negative")
		return 2
	}
	if err := c.refuse(); err != nil {
		fmt.Fprintf(errs, "bench: %v\n", err)
		return 2
	}
	switch {
	case c.list:
		printNames(c)
		return 0
	case c.asked():
		return runContests(&c.evidence, c.request)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	fmt.Fprintf(out, "%s, %s/%s, %d processors, %s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), time.Now().Format(time.DateOnly))
	return c.mode.run(c.request)
}

// printNames prints the names that -rows may match.
func printNames(c *choices) {
	all := c.evidence.names
	if !c.asked() {
		all = c.mode.names
	}
	for _, name := range all(c.request) {
		if c.match.MatchString(name) {
			fmt.Fprintln(c.out, name)
		}
	}
}

// runStage runs one variant of a program, for a process that compares it.
func runStage(c *choices) int {
	if storage, is := strings.CutPrefix(c.stage, public.StartStage); is && public.Start(storage, c.out) {
		return 0
	}
	v, found := variant(programs.All(), c.stage)
	if !found {
		fmt.Fprintf(c.errs, "bench: -stage %q: it is for this command itself, which runs each variant of a program in a process of its own\n", c.stage)
		return 2
	}
	return play(v, c.entities, os.Stdin, c.out)
}
