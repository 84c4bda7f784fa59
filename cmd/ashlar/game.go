package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/ashlar-go/ashlar/cmd/ashlar/game"
	"github.com/ashlar-go/ashlar/ecs"
)

// gameFlags are the flags of `ashlar run game`; it has the flags of churn but for -groups.
type gameFlags struct {
	churnFlags
	views        *string
	watch, apart *bool
}

func gameFlagsOf(flags *flag.FlagSet, shared churnFlags) gameFlags {
	return gameFlags{
		shared,
		flags.String("views", "auto", "game: cache shared fields where it pays, never or always: `auto|off|on`"),
		flags.Bool("watch", false, "game: draw each frame in the terminal, 30 a second at most; lines without colours if NO_COLOR is set"),
		flags.Bool("apart", false, "game: groups keep rows of their own, so systems gather"),
	}
}

// scenario makes the world. It always records, for the table of its systems.
func (f gameFlags) scenario(words []string, eo ecs.Options) (*scenario, error) {
	if err := f.check("game", words, game.EntitiesMax); err != nil {
		return nil, err
	}
	switch *f.views {
	case "auto":
	case "off":
		eo.Views.Off = true
	case "on":
		eo.Views.Always = true
	default:
		return nil, usage("-views %q is unknown: use auto, off or on", *f.views)
	}
	eo.Record, eo.TimeEvery = true, timeEvery(*f.frames)
	w, err := game.New(game.Options{Entities: *f.entities, Seed: *f.seed, Cast: true, Apart: *f.apart, ECS: eo})
	if err != nil {
		return nil, err
	}
	s := &scenario{
		world:    w.World,
		unit:     "frame",
		steps:    *f.frames,
		at:       w.Frame,
		step:     w.Step,
		progress: func() string { return fmt.Sprintf("%d entities", w.Len()) },
		summary: func(out io.Writer) {
			n := w.Counts()
			fmt.Fprintf(out, "frame\t%d\n", w.Frame())
			fmt.Fprintf(out, "population\t%d\n", w.Len())
			fmt.Fprintf(out, "births\t%d\n", n.Births)
			fmt.Fprintf(out, "bursts\t%d\n", n.Bursts)
			fmt.Fprintf(out, "drawn\t%d\n", n.Drawn)
			fmt.Fprintf(out, "views\t%v\n", *f.views)
			castSummary(out, w.Cast())
		},
		tail: func(out io.Writer) error {
			if err := systemsTable(out, w.Usage(), eo.TimeEvery); err != nil {
				return err
			}
			_, err := fmt.Fprintf(out, "cast digest %016x\ndigest %016x\n", w.CastDigest(), w.Digest())
			return err
		},
		close: w.Close,
	}
	if *f.watch {
		var spots []game.Spot
		s.draw = func(columns, rows int, now glance) []string {
			return drawGame(columns, rows, now, func(columns, rows int) []game.Spot {
				spots = w.Plan(spots, columns, rows)
				return spots
			})
		}
	}
	return s, nil
}

// castSummary writes the state of the cast, and how often its contracts looked at their entities again and were
// refreshed, by age: a contract is made as its entity comes.
func castSummary(out io.Writer, n game.CastCounts) {
	fmt.Fprintf(out, "cast\t%d, of which %d sleep far away and %d are held\n", n.Members, n.Asleep, n.Held)
	fmt.Fprintf(out, "scripts\t%d swaps; %d members kept by locks\n", n.Swaps, n.Kept)
	var rechecks, refreshes []string // of ages that occurred
	for i, of := range []string{"below 60 frames", "below 600", "from 600 on"} {
		if n.Ages[i].Uses > 0 {
			looks, finds := n.Ages[i].PerThousand()
			rechecks = append(rechecks, fmt.Sprintf("%.0f %s", looks, of))
			refreshes = append(refreshes, fmt.Sprintf("%.2f %s", finds, of))
		}
	}
	fmt.Fprintf(out, "rechecks in 1,000 contract accesses\t%s\n", orDash(strings.Join(rechecks, ", ")))
	fmt.Fprintf(out, "refreshes in 1,000 contract accesses\t%s\n", orDash(strings.Join(refreshes, ", ")))
}

// timeEvery returns n if one run in n of each system is timed. A short run times all.
func timeEvery(frames int) int { return min(max(frames/64, 1), 16) }

// systemsTable writes a line for each column of each system.
func systemsTable(w io.Writer, systems []game.Usage, every int) error {
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintf(tw, "system\tmedian\tp10\tp90\trows\treads\tof\tstrategy\n")
	all, timed := time.Duration(0), uint64(0)
	for _, s := range systems {
		all, timed = all+s.Times.P50, max(timed, s.Timed)
		head := fmt.Sprintf("%s\t%s\t%s\t%s\t%s", s.System, ofRuns(s.Times.P50, s.Timed), ofRuns(s.Times.P10, s.Timed), ofRuns(s.Times.P90, s.Timed), perFrame(s.Rows, s.Frames))
		for _, r := range s.Reads {
			name := r.String()
			if r.Write {
				name += ", writes"
			}
			fmt.Fprintf(tw, "%s\t%s\t%s\t%s\n", head, name, orDash(r.Group), orDash(r.Strategy))
			head = "\t\t\t\t"
		}
		if len(s.Reads) == 0 {
			fmt.Fprintf(tw, "%s\t–\t–\t–\n", head)
		}
	}
	fmt.Fprintf(tw, "all\t%s\n", ofRuns(all, timed))
	if err := tw.Flush(); err != nil {
		return err
	}
	runs := "every run"
	if every > 1 {
		runs = fmt.Sprintf("one run in %d", every)
	}
	_, err := fmt.Fprintf(w, "times are percentiles of %s of each system, gathering and scattering included; rows are those of a frame\n", runs)
	return err
}

func ofRuns(t time.Duration, runs uint64) string {
	if runs == 0 {
		return "–"
	}
	return t.Round(100 * time.Nanosecond).String()
}

func perFrame(sum, frames uint64) string {
	if frames == 0 {
		return "–"
	}
	return fmt.Sprint(sum / frames)
}

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}
