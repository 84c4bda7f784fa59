package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/files"
	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/trial"
	"github.com/ashlar-go/ashlar/profile/atomicfile"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// trialOptions are the flags of `ashlar layout try`.
type trialOptions struct {
	rounds     int
	each, keep bool
}

// trialBench runs programs with one layout or another, in a directory of its own.
type trialBench struct {
	ctx context.Context
	c   console
	dir string
}

// tryLayout runs each program with the layout and without it, by turns, and writes the gain. If one loses by it, or
// with each, the statements are tried one by one.
func tryLayout(ctx context.Context, c console, set *files.Set, path string, commands [][]string, o trialOptions) (err error) {
	switch {
	case len(commands) == 0:
		return usage("layout try needs a program: layout try %s -- PROGRAM [ARGUMENTS]", path)
	case o.rounds < 3:
		return usage("-rounds %d: at least 3 are needed to tell a difference from noise", o.rounds)
	}
	l, text, err := parsedLayout(ctx, set, path)
	if err != nil {
		return err
	}
	if len(l.Statements) == 0 {
		return fmt.Errorf("%s states nothing: there is nothing to try", l.Name)
	}
	dir, err := os.MkdirTemp("", "ashlar-try-")
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, os.RemoveAll(dir)) }() // an interruption is not wrapped
	b := trialBench{ctx, c, dir}
	verdicts := make([]trial.Verdict, len(commands))
	for i, command := range commands {
		figures, last, err := b.compare(command, "", text, o.rounds)
		if err != nil {
			return err
		}
		verdicts[i] = trial.Judge(figures)
		fmt.Fprintf(c.out, "%s\n", strings.Join(command, " "))
		if err := writeFigures(c.out, "without", "with", figures); err != nil {
			return err
		}
		fmt.Fprintf(c.out, "a frame lasts from the end of one Run to that of the next, less the time spent waiting\n%d of %s apply%s\n", last.Applied, count(last.Stated, "statement"), half(last))
		fmt.Fprintf(c.out, "verdict: %s\n\n", verdicts[i])
	}
	refuted := slices.Contains(verdicts, trial.Loses)
	if !o.each && !refuted {
		return nil
	}
	return b.each(l, text, path, commands, o)
}

// half warns of a layout of which less than half applies.
func half(t layout.Trial) string {
	if 2*t.Applied < t.Stated {
		return ": fewer than half, so it may be the layout of another program"
	}
	return ""
}

// each leaves out one statement after the other. A statement by which a program loses is marked in the file, and
// out of force then. Of several programs the table names each.
func (b trialBench) each(l layout.Layout, text, path string, commands [][]string, o trialOptions) error {
	tw := tabwriter.NewWriter(b.c.out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(tw, "statement\twith it ÷ without it: frame\tp99\tfirst 100\tstart\tmemory\tverdict")
	marked := text
	for _, s := range l.Statements {
		less := layout.Refute(text, s, "left out")
		why := ""
		for _, command := range commands {
			figures, _, err := b.compare(command, less, text, o.rounds)
			if err != nil {
				return err
			}
			v := trial.Judge(figures)
			if fmt.Fprint(tw, s); len(commands) > 1 {
				fmt.Fprintf(tw, "; %s", strings.Join(command, " "))
			}
			for _, f := range figures {
				fmt.Fprintf(tw, "\t%s", ratio(f))
				if v == trial.Loses && f.Verdict == trial.Loses && why == "" {
					why = fmt.Sprintf("%s %s in %s", ratio(f), f.Name, filepath.Base(command[0]))
				}
			}
			fmt.Fprintf(tw, "\t%s\n", v)
		}
		if why != "" {
			marked = layout.Refute(marked, s, why)
		}
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	if marked == text || o.keep || path == files.Stdin || files.IsAddress(path) {
		return nil
	}
	if err := atomicfile.Write(atomicfile.File{Path: path, Text: marked}); err != nil {
		return err
	}
	_, err := fmt.Fprintf(b.c.out, "%s: statements that lose are marked, and out of force\n", path)
	return err
}

func ratio(f trial.Figure) string {
	if f.Verdict == trial.Unknown {
		return "–"
	}
	return fmt.Sprintf("%.3f", f.Ratio)
}

// compare runs a program with two layouts by turns, the first one first in every second round. An empty text
// is no layout. It returns the sum of the last run with the second one, too. Where the program has nothing of what the
// second one states beyond the first, it stops after a round: a difference would be chance.
func (b trialBench) compare(command []string, first, second string, rounds int) (figures []trial.Figure, last layout.Trial, err error) {
	var runs [2][]layout.Trial
	if b.c.terminal {
		defer fmt.Fprint(b.c.err, "\r\x1b[K")
	}
	for round := range rounds {
		for k := range 2 {
			i := (round + k) % 2
			t, err := b.run(command, [2]string{first, second}[i])
			if err != nil {
				return nil, last, err
			}
			runs[i] = append(runs[i], t)
		}
		if a, b := runs[0][round], runs[1][round]; a.Applied == b.Applied && a.Stated != b.Stated {
			return trial.Compare(nil, nil), b, nil
		}
		if b.c.terminal {
			fmt.Fprintf(b.c.err, "\rround %d of %d\x1b[K", round+1, rounds)
		}
	}
	return trial.Compare(runs[0], runs[1]), runs[1][rounds-1], nil
}

// run runs a program once.
func (b trialBench) run(command []string, text string) (t layout.Trial, err error) {
	file, notes := "off", filepath.Join(b.dir, "notes")
	if text != "" {
		file = filepath.Join(b.dir, "layout")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return t, err
		}
	}
	if err := os.RemoveAll(notes); err != nil {
		return t, err
	}
	cmd := exec.CommandContext(b.ctx, command[0], command[1:]...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	cmd.Env = append(os.Environ(), layout.EnvironmentVariable+"="+file, layout.TrialVariable+"="+notes)
	var errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.Discard, &errs
	if err := cmd.Run(); err != nil {
		if b.ctx.Err() != nil {
			return t, b.ctx.Err()
		}
		said := "\n" + strings.TrimSpace(errs.String())
		if said == "\n" {
			said = ", and it has said nothing"
		}
		return t, fmt.Errorf("%s: %w%s", strings.Join(command, " "), err, said)
	}
	worlds, err := trial.Read(notes)
	if err != nil {
		return t, err
	}
	if len(worlds) == 0 {
		return t, fmt.Errorf("%s has told no figures: it has to run frames with World.Run, and to close its worlds before it ends", strings.Join(command, " "))
	}
	return trial.Sum(worlds), b.wentBy(command, text, worlds)
}

// wentBy returns an error if a world went by another layout than the one of that text.
func (b trialBench) wentBy(command []string, text string, worlds []layout.Trial) error {
	var l layout.Layout
	if text != "" {
		var err error
		if l, err = layout.Parse("", []byte(text)); err != nil {
			return err
		}
	}
	for _, w := range worlds {
		if w.Layout != l.In(w.World).Hash() {
			return fmt.Errorf("%s goes by another layout than the one of the trial: leave Options.Layout.Off and -layout off out", strings.Join(command, " "))
		}
	}
	return nil
}

// writeFigures writes a table of figures.
func writeFigures(w io.Writer, first, second string, figures []trial.Figure) error {
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(tw, "\t%s\t%s\tratio\t\t\n", first, second)
	for _, f := range figures {
		show := func(x float64) string { return time.Duration(x).Round(time.Microsecond / 10).String() }
		if f.Name == "memory" {
			show = func(x float64) string { return mib(uint64(x)) }
		}
		if f.Verdict == trial.Unknown {
			fmt.Fprintf(tw, "%s\t–\t–\t–\t%s\t\n", f.Name, f.Verdict)
			continue
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%.3f ± %.3f\t%s\t\n", f.Name, show(f.Without), show(f.With), f.Ratio, f.Spread, f.Verdict)
	}
	return tw.Flush()
}
