package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/life"
	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/pattern"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

const runSynopsis = "run life PATTERN.rle|PATTERN.cells [-generations N] [-size WxH] [-torus] [-stress] [-heap] [-fifo]"

// runVerb is `ashlar run`.
func runVerb(ctx context.Context, c console, args []string) error {
	flags := flag.NewFlagSet("run", flag.ContinueOnError)
	generations := flags.Int("generations", 1000, "how many generations to run")
	size := flags.String("size", "", "a board of `WxH` cells, whose outside is dead; without it the board grows as it needs to")
	torus := flags.Bool("torus", false, "opposite edges of the board touch (needs -size)")
	stress := flags.Bool("stress", false, "move every chunk at every safe point")
	heap := flags.Bool("heap", false, "keep chunks on the Go heap")
	fifo := flags.Bool("fifo", false, "recycle entities first in, first out")
	words, err := parse(c, flags, runSynopsis, args)
	if err != nil {
		return err
	}
	switch {
	case len(words) == 0:
		return usage("run needs a scenario: %s", runSynopsis)
	case words[0] != "life":
		return usage("no scenario is called %q: there is life", words[0])
	case len(words) != 2:
		return usage("run life needs one pattern file: %s", runSynopsis)
	case *generations < 0:
		return usage("-generations %d: it can't be negative", *generations)
	}
	o := life.Options{Torus: *torus}
	if *size != "" {
		if o.Width, o.Height, err = parseSize(*size); err != nil {
			return err
		}
	}
	if *torus && *size == "" {
		return usage("-torus needs a -size: opposite edges of a board that grows can't touch")
	}
	o.ECS.Memory.Stress = *stress
	if *heap {
		o.ECS.Memory.Arena.Backend = arena.Heap
	}
	if *fifo {
		o.ECS.Recycle = ecs.FIFO
	}
	return runLife(ctx, c, words[1], *generations, o)
}

func parseSize(s string) (w, h int, err error) {
	a, b, ok := strings.Cut(strings.ToLower(s), "x")
	w, errW := strconv.Atoi(a)
	h, errH := strconv.Atoi(b)
	if !ok || errW != nil || errH != nil || w < 1 || h < 1 {
		return 0, 0, usage("-size %q: it is written WIDTHxHEIGHT, such as 200x100", s)
	}
	return w, h, nil
}

// runLife reads the pattern, runs it and prints the summary, also after Ctrl-C.
func runLife(ctx context.Context, c console, file string, generations int, o life.Options) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	p, err := pattern.Parse(file, f)
	f.Close()
	if err != nil {
		return err
	}
	b, err := life.New(p, o)
	if err != nil {
		return err
	}
	start := time.Now()
	runErr := stepAll(ctx, c, b, generations, start)
	took := time.Since(start)
	if runErr != nil && !errors.Is(runErr, context.Canceled) {
		runErr = fmt.Errorf("stopped at generation %d: %w", b.Generation(), runErr)
	}
	if err := errors.Join(summary(c.out, file, p, b, took), b.Close()); err != nil {
		return errors.Join(runErr, err)
	}
	return runErr
}

// stepAll runs the generations, and shows progress ten times a second at most.
func stepAll(ctx context.Context, c console, b *life.Board, generations int, start time.Time) error {
	shown := start
	defer func() {
		if c.terminal && shown != start {
			fmt.Fprint(c.err, "\r\x1b[K")
		}
	}()
	for b.Generation() < generations {
		if err := b.Step(ctx); err != nil {
			return err
		}
		if c.terminal && b.Generation()%16 == 0 {
			if now := time.Now(); now.Sub(shown) > 100*time.Millisecond {
				shown = now
				fmt.Fprintf(c.err, "\rgeneration %d of %d, %d live cells, %.0f frames/s\x1b[K", b.Generation(), generations,
					b.Population(), float64(b.Generation())/now.Sub(start).Seconds())
			}
		}
	}
	return nil
}

func summary(w io.Writer, file string, p *pattern.Pattern, b *life.Board, took time.Duration) error {
	name := p.Name
	if name == "" {
		name = file
	}
	fps := 0.0
	if took > 0 {
		fps = float64(b.Generation()) / took.Seconds()
	}
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintf(tw, "pattern\t%s, rule %v\n", name, p.Rule)
	fmt.Fprintf(tw, "generation\t%d\n", b.Generation())
	fmt.Fprintf(tw, "population\t%d\n", b.Population())
	fmt.Fprintf(tw, "state hash\t%016x\n", b.Hash())
	fmt.Fprintf(tw, "cells\t%d entities\n", b.World.Len())
	fmt.Fprintf(tw, "frames/s\t%.0f\n", fps)
	if err := tw.Flush(); err != nil {
		return err
	}
	return placement(w, b.World.Manager())
}

// placement shows where chunks lie: totals, then a row a region, a letter a slot.
func placement(w io.Writer, m *memmgr.Manager) error {
	st := m.Stats()
	resident := "unknown"
	if n, err := m.Arena().Resident(); err == nil {
		resident = mib(n)
	}
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintf(tw, "memory\t%v reserved, %v committed, %v resident, %v live, %v payload (%v back end)\n",
		mib(st.Arena.Reserved), mib(st.Arena.Committed), resident, mib(st.Arena.Live), mib(st.Payload), m.Arena().Backend())
	fmt.Fprintf(tw, "chunks\t%d in use, %d small, %d spare, %d moved, %d pinned\n", st.Chunks, st.Small, st.Spares, st.Counts.Moved, st.Pins)
	if err := tw.Flush(); err != nil {
		return err
	}
	at := map[arena.Slot]byte{}
	legend := map[string]byte{}
	var names []string
	for p := range m.Placements() {
		if legend[p.Sequence] == 0 {
			legend[p.Sequence] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[len(names)%26]
			names = append(names, p.Sequence)
		}
		at[p.Slot] = legend[p.Sequence]
	}
	for r := range m.Arena().Regions() {
		row := []byte(strings.Repeat(".", arena.SlotsPerRegion))
		for i := range row {
			switch bit := uint32(1) << i; {
			case at[r.First+arena.Slot(i)] != 0:
				row[i] = at[r.First+arena.Slot(i)]
			case r.Quarantined&bit != 0:
				row[i] = 'q'
			case r.Free&r.Dirty&bit != 0:
				row[i] = '-'
			}
		}
		fmt.Fprintf(w, "  %-6v region %4d  %s\n", r.Range, r.Number, row)
	}
	for _, n := range names {
		fmt.Fprintf(w, "  %c = %s\n", legend[n], n)
	}
	_, err := fmt.Fprintln(w, "  . untouched, - free, q in quarantine; a letter is a slot of 64 KiB, a row a region of 2 MiB")
	return err
}

func mib(n uint64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }
