// Command bench measures Ashlar against what one would write by hand, side by
// side, and prints a table.
//
//	go run ./bench [-grid|-large] [-rows REGEXP] [-rounds N] [-markdown]
//	go run ./bench -regret
//	go run ./bench -advice [-rows REGEXP]
//	go run ./bench -hour 1h
//	go run ./bench -compact [-divide N]
//	go run ./bench -adverse [-rows REGEXP] [-rounds N] [-divide N]
//	go run ./bench -programs [-rows REGEXP] [-divide N] [-frames N] [-markdown]
//
// Each row has up to three pieces of work: ours, a rival, and a hand-written
// limit. They run in turn, round by round, on one locked thread with the collector
// off; a ratio is taken within each round, so that drift of the machine cancels,
// and the medians are printed with their spread (the distance of the quartiles by
// the median). A row whose spread is too wide is refused: it prints no number.
//
// With -programs it runs whole programs in place of the rows, each on Ashlar and as one
// would write it with plain slices, some as an archetype store and as sparse sets as
// well. A variant has a process of its own, and the processes take turns of ten frames.
// It prints frame times and resident memory, and fails if variants end in different
// states. The programs are in bench/internal, and README.md says what they are.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/adverse"
	"github.com/ashlar-go/ashlar/bench/internal/programs"
	"github.com/ashlar-go/ashlar/internal/profile/counters"
)

// piece is one of the things that a row compares: prepare makes it ready, work is
// what is measured, done cleans up.
type piece struct {
	prepare func()
	work    func()
	done    func()
}

// row is one line of the table.
type row struct {
	name  string
	ops   int     // operations in one run of the work
	unit  unit    // what an operation is measured in
	bar   float64 // for ours, or for ours ÷ rival where ratio is set
	ratio bool
	make  func() (ours, rival, limit piece) // rival and limit may be empty
	// series, if set, measures the row in its own way and returns ours, rival.
	series func() (ours, rival float64)
	allocs bool // the work must not allocate on the Go heap
}

type unit uint8

const (
	cycles unit = iota
	nanoseconds
	microseconds
	milliseconds
	kibibytes
	times
)

func (u unit) String() string { return [...]string{"cyc", "ns", "µs", "ms", "KiB", "x"}[u] }

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(errs)
	pattern := flags.String("rows", "", "measure only rows whose name matches `REGEXP`")
	rounds := flags.Int("rounds", 21, "how many rounds a row has")
	markdown := flags.Bool("markdown", false, "print a table for a document")
	cells := flags.Bool("grid", false, "measure, in place of the rows, what views choose by themselves against fixed choices: 81 cells, minutes; -rows takes some, as 'grid: 16k rows, [12] readers, random, 10 %'")
	phases := flags.Bool("regret", false, "measure, in place of the rows, what the rule of views costs over 20 random phases of 500 frames against fixed choices: half a minute")
	seed := flags.Uint64("seed", 1, "with -regret: draw the phases from this `NUMBER`")
	advised := flags.Bool("advice", false, "measure, in place of the rows, what advice predicts against what it saves; -rows takes some, as 'groups|sort'")
	large := flags.Bool("large", false, "measure, in place of the rows, those that need most of the machine's memory: minutes")
	list := flags.Bool("list", false, "print the names of the rows")
	whole := flags.Bool("programs", false, "run, in place of the rows, whole programs against plain slices and reference stores: minutes; -rows takes some, as 'churn|epidemic'")
	divide := flags.Int("divide", 1, "with -programs: divide the numbers of entities by `N`")
	frames := flags.Int("frames", 0, "with -programs: run at most `N` frames after the warm-up; 0 means as many as a program asks for")
	stage := flags.String("stage", "", "run one `PROGRAM/VARIANT` of -programs; for this command itself")
	entities := flags.Int("entities", 0, "with -stage: how many entities")
	starts := flags.Bool("profiles", false, "measure, in place of the rows, the first frames of whole programs and their memory with their own profile and with others, against none: a minute; -rows takes some")
	begins := flags.Bool("begin", false, "with -stage: run the first frames; for this command itself")
	load := flags.String("profile", "", "with -begin: the `FILE` to begin with")
	record := flags.String("record", "", "with -begin: the `FILE` to record to")
	against := flags.Bool("adverse", false, "measure, in place of the rows, what adapting costs and gains in programs that are hard on it: minutes; -rows takes some")
	lasts := flags.Duration("hour", 0, "in place of the rows, run births and deaths at 60 frames a second for so `LONG`, as 1h, and print times of frames and memory")
	peak := flags.Bool("compact", false, "in place of the rows, print what a manager keeps after a peak of short sequences, with adapting and without: half a minute")
	alone := flags.String("measure", "", "print one figure, `NAME`, of a row that runs in processes of its own; for this command itself")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if *alone != "" {
		return measureApart(*alone, out, errs)
	}
	if v, found := variant(programs.All(), *stage); *begins && found && v.With != nil {
		if err := beginHere(v, *entities, *load, *record, out); err != nil {
			fmt.Fprintln(errs, "bench:", err)
			return 1
		}
		return 0
	}
	if *stage != "" {
		return act(staged(programs.All()), *stage, *entities, os.Stdin, out, errs)
	}
	match, err := regexp.Compile(*pattern)
	if err != nil || *rounds < 3 {
		fmt.Fprintf(errs, "bench: -rows must be a regular expression (%v) and -rounds at least 3\n", err)
		return 2
	}
	if *divide < 1 || *frames < 0 {
		fmt.Fprintln(errs, "bench: -divide must be at least 1, and -frames not negative")
		return 2
	}
	if *list && *whole {
		for _, p := range programs.All() {
			fmt.Fprintln(out, p.Name)
		}
		return 0
	}
	if *whole {
		return runPrograms(programs.All(), programOptions{match, *divide, *frames, *markdown}, out, errs)
	}
	if *lasts > 0 {
		return measureHour(*lasts, max(1, hourEntities / *divide), out)
	}
	if *peak {
		return measureCompact(*divide, out)
	}
	if *against {
		meter := counters.New()
		head(out, meter)
		meter.Close()
		return measureAdverse(adverse.Programs(), match, *divide, *rounds, out, errs)
	}
	if *starts {
		meter := counters.New()
		head(out, meter)
		meter.Close()
		if *pattern == "" {
			match = regexp.MustCompile(startPrograms)
		}
		return measureStarts(programs.All(), match, *divide, *rounds, out, errs)
	}
	if *list && *cells {
		for _, c := range gridCells() {
			fmt.Fprintln(out, c.name())
		}
		return 0
	}
	measured := rows
	if *large {
		measured = largeRows
	}
	if *list {
		for _, r := range measured() {
			fmt.Fprintln(out, r.name)
		}
		return 0
	}
	if *advised {
		return adviseAll(out, match)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	meter := counters.New()
	defer meter.Close()
	if *cells {
		head(out, meter)
		return grid(out, match, meter, *rounds)
	}
	if *phases {
		head(out, meter)
		return measureRegret(out, meter, *seed)
	}
	p := printer{out, *markdown}
	p.head(meter)
	status := 0
	for _, r := range measured() {
		if !match.MatchString(r.name) {
			continue
		}
		res := measure(r, meter, *rounds)
		p.row(r, res)
		if res.verdict == over {
			status = 1
		}
	}
	return status
}

// seriesMax is how often a row that measures itself is repeated: it takes seconds.
const seriesMax = 5

// measure runs a row.
func measure(r row, meter *counters.Meter, rounds int) result {
	if r.series != nil {
		var samples []sample
		for range min(rounds, seriesMax) {
			o, v := r.series()
			samples = append(samples, sample{o, v})
		}
		return judge(r, samples, 0, 0)
	}
	ours, rival, limit := r.make()
	pieces := []piece{ours, rival, limit}
	var samples []sample
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
			s.set(i, v)
			if i == 0 {
				allocs = min(allocs, n)
			}
		}
		samples = append(samples, s)
	}
	if !r.allocs {
		allocs = 0
	}
	return judge(r, samples, allocs, unsteady)
}

// once measures one run of a piece, and again, a few times at most, if the clock
// rate changed meanwhile. It returns the measure per operation and the number of
// objects allocated on the Go heap.
// The last result says whether the last run was steady.
func once(p piece, r row, meter *counters.Meter) (perOp float64, allocs uint64, steady bool) {
	for range 5 {
		if p.prepare != nil {
			p.prepare()
		}
		runtime.GC()
		old := debug.SetGCPercent(-1)
		if p.prepare == nil {
			p.work() // the collector has been through the caches
		}
		var before, after runtime.MemStats
		if r.allocs {
			runtime.ReadMemStats(&before)
		}
		meter.Start()
		p.work()
		reading := meter.Stop()
		if r.allocs {
			runtime.ReadMemStats(&after)
		}
		debug.SetGCPercent(old)
		if p.done != nil {
			p.done()
		}
		switch allocs = after.Mallocs - before.Mallocs; r.unit {
		case cycles:
			perOp = reading.Cycles / float64(r.ops)
		case nanoseconds:
			perOp = float64(reading.Wall.Nanoseconds()) / float64(r.ops)
		case microseconds:
			perOp = float64(reading.Wall.Nanoseconds()) / 1000 / float64(r.ops)
		}
		if steady = reading.Steady; steady {
			break
		}
	}
	return perOp, allocs, steady
}

type printer struct {
	out      io.Writer
	markdown bool
}

// head says where and how it is measured.
func head(out io.Writer, m *counters.Meter) {
	fmt.Fprintf(out, "%s, %s/%s, %d processors, %s, cycles: %s (%.2f GHz now)\n", runtime.Version(), runtime.GOOS, runtime.GOARCH,
		runtime.NumCPU(), time.Now().Format(time.DateOnly), m.Source(), counters.Rate())
}

func (p printer) head(m *counters.Meter) {
	head(p.out, m)
	if p.markdown {
		fmt.Fprintf(p.out, "\n| row | Ashlar | baseline | floor | Ashlar ÷ baseline | budget | spread | verdict |\n|---|---|---|---|---|---|---|---|\n")
		return
	}
	fmt.Fprintf(p.out, "%-42s %10s %10s %10s %8s %8s %7s  %s\n", "row", "Ashlar", "baseline", "floor", "ratio", "budget", "spread", "verdict")
}

func (p printer) row(r row, s result) {
	bar := fmt.Sprintf("%.4g %v", r.bar, r.unit)
	if r.ratio {
		bar = fmt.Sprintf("%.3gx", r.bar)
	}
	num := func(v float64) string {
		if v == 0 || s.verdict == refused {
			return "–"
		}
		return fmt.Sprintf("%.3g %v", v, r.unit)
	}
	ratio, spread := "–", "–"
	if s.ratio != 0 && s.verdict != refused {
		ratio = fmt.Sprintf("%.3f", s.ratio)
	}
	if s.spread != 0 {
		spread = fmt.Sprintf("%.0f %%", 100*s.spread)
	}
	verdict := s.verdict.String()
	if s.why != "" {
		verdict += ": " + s.why
	}
	format := "%-42s %10s %10s %10s %8s %8s %7s  %s\n"
	if p.markdown {
		format = "| %s | %s | %s | %s | %s | %s | %s | %s |\n"
	}
	fmt.Fprintf(p.out, format, r.name, num(s.ours), num(s.rival), num(s.limit), ratio, bar, spread, verdict)
}
