package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/cmd/ashlar/report"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
)

const runSynopsis = `run SCENARIO [FLAGS]
  run life PATTERN [FLAGS]
      Conway's Life: each living cell is an entity. PATTERN is an .rle or .cells file
  run churn [FLAGS]
      groups of entities that are born and die in waves
  run game [FLAGS]
      a scene of things whose systems share a transform`

// scenario is a world that a run steps through. A verb's flags set its functions. run sets record
// before the first step, stopped at a signal, and recorded once the profile is written.
type scenario struct {
	world    *ecs.World
	unit     string // name of a step
	steps    int    // number of steps to run
	at       func() int
	step     func(context.Context) error
	progress func() string
	summary  func(w io.Writer)       // its own lines: a label, a tab and a value each
	tail     func(w io.Writer) error // writes the last part; nil: nothing
	close    func() error
	record   *recordFile // nil: nothing is recorded
	recorded string      // the profile that was written, or ""
	stopped  error       // the signal that ended the run early, or nil

	draw func(columns, rows int, now glance) []string // the picture of -watch; nil: the run is not watched
}

// runVerb is `ashlar run`.
func runVerb(ctx context.Context, c console, args []string) error {
	flags := flag.NewFlagSet("run", flag.ContinueOnError)
	var o ecs.Options
	memory := memoryFlagsOf(flags)
	heap := flags.Bool("heap", false, "keep chunks on the Go heap, not in mapped memory")
	fifo := flags.Bool("fifo", false, "reuse the entity index that was freed first, not the last")
	workers := flags.Int("workers", 1, "how many goroutines run a system, `N`; 0: as many as there is processors' time for")
	lives, churns := lifeFlagsOf(flags), churnFlagsOf(flags)
	games := gameFlagsOf(flags, churns)
	words, err := parse(c, flags, runSynopsis, args)
	if err != nil {
		return err
	}
	if len(words) == 0 {
		return usage("run needs a scenario, life, churn or game: see `ashlar help run`")
	}
	if !slices.Contains([]string{"life", "churn", "game"}, words[0]) {
		return usage("unknown scenario %q: use life, churn or game", words[0])
	}
	if err := foreign(flags, words[0]); err != nil {
		return err
	}
	set := c.files()
	if err := memory.options(ctx, &o, set); err != nil {
		return err
	}
	recording, err := memory.recording()
	if err != nil {
		return err
	}
	if *heap {
		o.Memory.Arena.Backend = arena.Heap
	}
	if *fifo {
		o.FIFO = true
	}
	if *workers < 0 {
		return usage("-workers %d: give a number of goroutines, or 0 for as many as there is processors' time for", *workers)
	}
	if *workers > workersMost {
		return usage("-workers %d: give %d at most, or 0 for as many as there is processors' time for", *workers, workersMost)
	}
	o.Workers = *workers
	var s *scenario
	switch words[0] {
	case "life":
		s, err = lives.scenario(ctx, words[1:], o, set)
	case "churn":
		s, err = churns.scenario(words[1:], o)
	case "game":
		s, err = games.scenario(words[1:], o)
	}
	if err != nil && errors.Is(err, ctx.Err()) { // while a file was waited for
		return ctx.Err()
	}
	if err != nil {
		return err
	}
	s.record = recording
	return s.run(ctx, c)
}

// workersMost is how many workers a world may have: see ecs.Options.
const workersMost = 1024

// run steps through a scenario, prints the summary and writes the record, also after Ctrl-C, SIGTERM and SIGHUP.
func (s *scenario) run(ctx context.Context, c console) error {
	start := time.Now()
	var runErr error
	if s.draw != nil {
		runErr = s.watchAll(ctx, c)
	} else {
		runErr = s.stepAll(ctx, c, start)
	}
	took := time.Since(start)
	if errors.Is(runErr, context.Canceled) {
		s.stopped = interruptionOf(ctx)
	}
	if runErr != nil && !errors.Is(runErr, context.Canceled) {
		runErr = fmt.Errorf("stopped at %s %d: %w", s.unit, s.at(), runErr)
	}
	// The recording comes first: the reader of the summary may close the pipe and end the program.
	recordErr := s.record.write(s.world)
	if s.record != nil && recordErr == nil {
		s.recorded = s.record.path
	}
	if err := errors.Join(recordErr, s.print(c.out, took), s.close()); err != nil {
		return errors.Join(runErr, err)
	}
	return runErr
}

// stepAll runs the steps and shows progress at most ten times a second.
func (s *scenario) stepAll(ctx context.Context, c console, start time.Time) error {
	shown := start
	defer func() {
		if c.terminal && shown != start {
			fmt.Fprint(c.err, "\r\x1b[K")
		}
	}()
	for s.at() < s.steps {
		if err := s.step(ctx); err != nil {
			return err
		}
		if c.terminal && s.at()%16 == 0 {
			if now := time.Now(); now.Sub(shown) > 100*time.Millisecond {
				shown = now
				fmt.Fprintf(c.err, "\r%s %d of %d, %s, %.0f frames/s\x1b[K", s.unit, s.at(), s.steps, s.progress(), float64(s.at())/now.Sub(start).Seconds())
			}
		}
	}
	return nil
}

func (s *scenario) print(w io.Writer, took time.Duration) error {
	fps := 0.0
	if took > 0 {
		fps = float64(s.at()) / took.Seconds()
	}
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	if s.stopped != nil {
		fmt.Fprintf(tw, "stopped\tat %s %d of %d: %v\n", s.unit, s.at(), s.steps, s.stopped)
	}
	s.summary(tw)
	fmt.Fprintf(tw, "frames/s\t%.0f\n", fps)
	memory(tw, s.world.Manager())
	storing(tw, s.world)
	adapting(tw, s.world)
	if s.recorded != "" {
		fmt.Fprintf(tw, "recorded\t%s and %s%s\n", s.recorded, s.recorded, profile.MapSuffix)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	if err := report.MapText(w, s.world.Map(), report.MapOptions{Top: report.MapTop}); err != nil || s.tail == nil {
		return err
	}
	return s.tail(w)
}

// memory writes the totals of memory and chunks.
func memory(w io.Writer, m *memmgr.Manager) {
	st := m.Stats()
	resident, each := "unknown", ""
	if n, err := m.Arena().Resident(); err == nil {
		resident = mib(n)
		if st.Payload > 0 {
			each = fmt.Sprintf(", resident %.2fx payload", float64(n)/float64(st.Payload))
		}
	}
	fmt.Fprintf(w, "memory\t%v reserved, %v committed, %v resident, %v live, %v payload%s (%v back end)\n",
		mib(st.Arena.Reserved), mib(st.Arena.Committed), resident, mib(st.Arena.Live), mib(st.Payload), each, m.Arena().Backend())
	if st.Adapting != nil && st.Arena.Idle > 0 {
		fmt.Fprintf(w, "\t%v idle at most, which are purged as they age\n", mib(st.Arena.Idle))
	}
	fmt.Fprintf(w, "chunks\t%d in use, %d small, %d spare, %d pinned\n", st.Chunks, st.Small, st.Spares, st.Pins)
}

// adapting writes which layout was in use, and how chunks were moved and memory purged.
func adapting(w io.Writer, world *ecs.World) {
	if l, refused := world.Layout(); len(l.Statements) > 0 {
		applied := len(l.Statements) - len(refused)
		fmt.Fprintf(w, "layout\t%s %s: %d of %s apply\n", l.Name, l.Hash(), applied, count(len(l.Statements), "statement"))
		if 2*applied < len(l.Statements) {
			fmt.Fprint(w, "\twarning: fewer than half: is it the layout of another program?\n")
		}
		for _, s := range refused {
			fmt.Fprintf(w, "\t%s\n", s)
		}
	}
	st := world.Manager().Stats().Adapting
	if st == nil {
		return
	}
	fmt.Fprintf(w, "adapting\t%d moves of %v, %d refused, %d waiting; %d regions emptied, %d given up; %v purged\n",
		st.Moves, mib(st.Bytes), st.Refused, st.Waiting, st.Emptied, st.GivenUp, mib(st.Purged))
	fmt.Fprintf(w, "\t%v on moves and purges, at most %v at a safe point, over budget %s\n",
		st.Time.Round(time.Microsecond), st.Longest.Round(time.Microsecond), count(st.OverBudget, "time"))
	if st.Pressed > 0 {
		fmt.Fprintf(w, "\tmemory was short %s, so idle memory was purged sooner\n", count(st.Pressed, "time"))
	}
}

// mib writes bytes in MiB, or in GiB where MiB would have five digits.
func mib(n uint64) string {
	if n >= 10_000<<20 {
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}
