// Command bench measures Ashlar against code written by hand, side by
// side, and prints a table. It is a module of its own; from the root of the repository:
//
//	go -C bench run . [-rows REGEXP] [-rounds N]
//	go -C bench run . -regret
//	go -C bench run . -advice [-rows REGEXP]
//	go -C bench run . -adverse [-rows REGEXP] [-rounds N] [-divide N]
//	go -C bench run . -sweep [-rows REGEXP] [-frames N]
//	go -C bench run . -programs [-rows REGEXP] [-divide N] [-frames N]
//	go -C bench run . -quick [-life] [-setup] [-public] [-rows REGEXP] [-json] [-html FILE]
//
// With -life, -setup, -public or -quick it measures contests: the same workload on Ashlar, on a store of sparse sets, on one
// of archetypes, on objects and on arrays, in turns. README.md says how a candidate is added.
//
// Each row has up to three pieces of work: Ashlar, a baseline, and a floor, which is a loop
// written by hand. They run in turn, round by round, on one locked thread with the collector
// off; a ratio is taken within each round, so that drift of the machine cancels,
// and the medians are printed with their spread (the distance of the quartiles by
// the median). A row with a spread that is too wide is inconclusive: it prints no number. So is a row of several workers if
// their processors were not free before or after it.
//
// With -programs it runs whole programs in place of the rows, each on Ashlar and as one
// would write it with plain slices, or as an archetype store and as sparse sets. A variant has a process of its own, and the processes take turns of ten frames.
// It prints frame times and resident memory, and fails if variants end in different
// states. The programs are in bench/internal, and README.md describes them.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/adverse"
	"github.com/ashlar-go/ashlar/bench/internal/counters"
	"github.com/ashlar-go/ashlar/bench/internal/programs"
	"github.com/ashlar-go/ashlar/bench/internal/public"
	"github.com/ashlar-go/ashlar/bench/internal/sets"
	"github.com/ashlar-go/ashlar/bench/internal/twin"
)

// piece is one of the things that a row compares: prepare makes it ready, work is
// measured, done cleans up. At the end of the row close, if it is not nil, gives memory back.
type piece struct {
	prepare func()
	work    func()
	done    func()
	close   func() error
}

// row is one line of the table. Lists such as parallelRows set it, and measure only reads it.
type row struct {
	name   string
	ops    int     // operations in one run of the work
	times  int     // that the work runs in one measurement; 0 is 1
	unit   unit    // of the figure of an operation
	bar    float64 // of Ashlar, or of Ashlar ÷ baseline where ratio is set
	ratio  bool
	make   func() (ashlar, baseline, floor piece) // baseline and floor may be empty
	allocs bool                                   // the work must not allocate on the Go heap
	cores  int                                    // that must be free for it, before and after; 0: none is looked at
}

type unit uint8

const (
	cycles unit = iota
	nanoseconds
	processNanoseconds // of processor time of the whole process
)

func (u unit) String() string { return [...]string{"cyc", "ns", "ns"}[u] }

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// request has the values of flags, which parse sets, and the outputs.
type request struct {
	match  *regexp.Regexp
	rounds int
	divide int // the divisor of numbers of entities
	frames int // the most that are run of a program after its warm-up; 0: as many as it says
	seed   uint64
	meter  *counters.Meter

	out, errs io.Writer
}

// mode is a table that a flag of its name asks for.
type mode struct {
	name, about string
	names       func(request) []string // that -rows may match
	run         func(request) int      // returns the status of the command
}

// modes are the tables. The last one needs no flag.
func modes() []mode {
	return []mode{
		{"programs", "run whole programs against plain slices or reference stores: minutes",
			func(request) []string { return named(programs.All(), programName) },
			func(q request) int { return runPrograms(programs.All(), q) }},
		{"layouts", "measure what layouts gain that runs of programs advise, and those written by hand: minutes",
			func(q request) []string { return named(laidAll(q), func(p laid) string { return p.name }) }, measureLayouts},
		{"sweep", "measure how the store chooses to store components, over cells that -rows may match: minutes",
			func(request) []string { return named(sets.Cells(), sets.Cell.String) }, measureSweep},
		{"adverse", "measure what adapting costs and gains in programs that are hard on it: minutes",
			func(request) []string { return named(adverse.Programs(), programName) },
			func(q request) int { return measureAdverse(adverse.Programs(), q) }},
		{"advice", "measure what advice predicts against what it saves",
			advisedNames, adviseAll},
		{"regret", "measure what the rule of views costs over 20 random phases of 500 frames against fixed choices: half a minute",
			func(q request) []string { return named(drawPhases(q.seed, phaseCount), phase.String) }, measureRegret},
		{"", "", func(request) []string { return named(rows(), func(r row) string { return r.name }) }, measureRows},
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
	flags.TextVar(c.match, "rows", regexp.MustCompile(""), "measure only rows or programs with a name that matches `REGEXP`, as 'churn|epidemic'")
	flags.IntVar(&c.rounds, "rounds", 21, "how many rounds a row has")
	flags.IntVar(&c.divide, "divide", 1, "divide the numbers of entities of programs by `N`")
	flags.IntVar(&c.frames, "frames", 0, "with -programs: run at most `N` frames after the warm-up; 0 means as many as a program asks for")
	flags.BoolVar(&c.list, "list", false, "print the names of the rows or programs, and measure nothing")
	flags.Uint64Var(&c.seed, "seed", 1, "draw the phases of -regret, or the order of turns of contests, from this `NUMBER`")
	flags.StringVar(&c.stage, "stage", "", "run one `PROGRAM/VARIANT`; for this command itself")
	flags.IntVar(&c.entities, "entities", 0, "with -stage: how many entities")
	modes := modes()
	c.mode = modes[len(modes)-1]
	for _, m := range modes[:len(modes)-1] {
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
	if err := c.refuse(c.words); err != nil {
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
	c.meter = counters.New()
	defer c.meter.Close()
	head(out, c.meter)
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
	v, found := variant(staged(programs.All()), c.stage)
	if !found {
		fmt.Fprintf(c.errs, "bench: -stage %q: it is for this command itself, which runs each variant of a program in a process of its own\n", c.stage)
		return 2
	}
	return play(v, c.entities, os.Stdin, c.out)
}

// measureRows prints a line a row. Its result is 1 if one is over its budget.
func measureRows(q request) (status int) {
	printHead(q.out)
	for _, r := range rows() {
		if !q.match.MatchString(r.name) {
			continue
		}
		res := measure(r, q.meter, q.rounds)
		printRow(q.out, r, res)
		if res.verdict == over {
			status = 1
		}
	}
	return status
}

// freeCores is the part of so many processors that nobody else uses now.
func freeCores(n int) float64 {
	if n == 0 {
		return 1
	}
	return counters.Free(n, 50*time.Millisecond)
}

// measure runs a row.
func measure(r row, meter *counters.Meter, rounds int) result {
	ashlar, baseline, floor := r.make()
	pieces := []piece{ashlar, baseline, floor}
	defer func() {
		for _, p := range pieces {
			if p.close != nil {
				check(p.close())
			}
		}
	}()
	var samples []sample
	free := freeCores(r.cores)
	unsteady := 0
	allocs := ^uint64(0) // of the round with the fewest: the runtime allocates too
	for range rounds {
		var s sample
		for i, p := range pieces {
			if p.work == nil {
				continue
			}
			v, n, steady := once(p, r, meter)
			if !steady {
				unsteady++
			}
			s[i] = v
			if i == 0 {
				allocs = min(allocs, n)
			}
		}
		samples = append(samples, s)
	}
	if !r.allocs {
		allocs = 0
	}
	return judge(r, samples, allocs, unsteady, min(free, freeCores(r.cores)))
}

// once measures one run of a piece, and again, a few times at most, if the clock
// rate changed meanwhile. It returns the measure per operation and the number of
// objects allocated on the Go heap.
// The last result says whether the last run was steady.
func once(p piece, r row, meter *counters.Meter) (perOp float64, allocs uint64, steady bool) {
	times := max(r.times, 1)
	work := func() {
		for range times {
			p.work()
		}
	}
	for range 5 {
		if p.prepare != nil {
			p.prepare()
		}
		runtime.GC()
		old := debug.SetGCPercent(-1)
		if p.prepare == nil {
			work() // the collector has been through the caches
		}
		var before, after runtime.MemStats
		if r.allocs {
			runtime.ReadMemStats(&before)
		}
		meter.Start()
		spent := counters.ProcessTime()
		work()
		spent = counters.ProcessTime() - spent
		reading := meter.Stop()
		if r.allocs {
			runtime.ReadMemStats(&after)
		}
		debug.SetGCPercent(old)
		if p.done != nil {
			p.done()
		}
		allocs = after.Mallocs - before.Mallocs
		switch r.unit {
		case cycles:
			perOp = reading.Cycles
		case nanoseconds:
			perOp = float64(reading.Wall.Nanoseconds())
		case processNanoseconds:
			perOp = float64(spent)
		}
		perOp /= float64(r.ops * times)
		if steady = reading.Steady; steady {
			break
		}
	}
	return perOp, allocs, steady
}

// head says where and how it is measured.
func head(out io.Writer, m *counters.Meter) {
	fmt.Fprintf(out, "%s, %s/%s, %d processors, %s, cycles: %s (%.2f GHz now)\n", runtime.Version(), runtime.GOOS, runtime.GOARCH,
		runtime.NumCPU(), time.Now().Format(time.DateOnly), m.Source(), counters.Rate())
}

const rowFormat = "%-42s %10s %10s %10s %8s %8s %7s  %s\n"

func printHead(out io.Writer) {
	fmt.Fprintf(out, rowFormat, "row", "Ashlar", "baseline", "floor", "ratio", "budget", "spread", "verdict")
}

func printRow(out io.Writer, r row, s result) {
	bar := fmt.Sprintf("%.4g %v", r.bar, r.unit)
	if r.ratio {
		bar = fmt.Sprintf("%.3gx", r.bar)
	}
	figure := func(format string, v float64) string {
		if v == 0 || s.verdict == refused {
			return "–"
		}
		return fmt.Sprintf(format, v)
	}
	each := "%.3g " + r.unit.String()
	spread := "–"
	if s.spread != 0 {
		spread = fmt.Sprintf("%.0f %%", 100*s.spread)
	}
	verdict := s.verdict.String()
	if s.why != "" {
		verdict += ": " + s.why
	}
	fmt.Fprintf(out, rowFormat, r.name, figure(each, s.ashlar), figure(each, s.baseline), figure(each, s.floor), figure("%.3f", s.ratio), bar, spread, verdict)
}
