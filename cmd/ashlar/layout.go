package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/files"
	"github.com/ashlar-go/ashlar/cmd/ashlar/report"
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/advice"
	"github.com/ashlar-go/ashlar/profile/layout"
)

const layoutSynopsis = `layout show|check|try FILE …
  layout show FILE [PROFILE]
      draw the layout; with a profile as tables with their columns
  layout check FILE…
      name every mistake in files
  layout try FILE -- PROGRAM [ARGUMENTS] [-- PROGRAM …]
      run programs with the layout and without it, by turns, and say what it gains`

// layoutVerb is `ashlar layout`.
func layoutVerb(ctx context.Context, c console, args []string) error {
	flags := flag.NewFlagSet("layout", flag.ContinueOnError)
	var o trialOptions
	flags.IntVar(&o.rounds, "rounds", 7, "try: how many times each program runs with the layout, `N`, and as often without")
	flags.BoolVar(&o.each, "each", false, "try: also leave out each statement by itself, and mark those that lose")
	flags.BoolVar(&o.keep, "keep", false, "try: leave FILE as it is, whatever the trial says")
	own, commands, _ := cutArgs(args)
	words, err := parse(c, flags, layoutSynopsis, own)
	if err != nil {
		return err
	}
	if len(words) == 0 {
		return usage("layout needs a task: show, check or try")
	}
	task, paths := words[0], words[1:]
	switch {
	case !slices.Contains([]string{"show", "check", "try"}, task):
		return usage("unknown task %q: use show, check or try", task)
	case len(paths) == 0:
		return usage("layout %s needs a FILE: see `ashlar help layout`", task)
	case task != "try" && len(commands) > 0:
		return usage("layout %s runs no program: leave -- and what follows out", task)
	case task == "show" && len(paths) > 2, task == "try" && len(paths) > 1:
		return usage("wrong number of files: see `ashlar help layout`")
	case task == "try" && len(commands) == 0:
		return usage("layout try needs a program: layout try %s -- PROGRAM [ARGUMENTS]", paths[0])
	case o.rounds < 3:
		return usage("-rounds %d: at least 3 are needed to tell a difference from noise", o.rounds)
	}
	set := c.files()
	switch task {
	case "show":
		return showLayout(ctx, c, set, paths)
	case "check":
		return checkLayouts(ctx, c, set, paths)
	}
	return tryLayout(ctx, c, set, paths[0], commands, o)
}

// cutArgs separates the command's own arguments from the programs behind each --.
func cutArgs(args []string) (own []string, commands [][]string, is bool) {
	i := slices.Index(args, "--")
	if i < 0 {
		return args, nil, false
	}
	own = args[:i]
	for rest := args[i+1:]; ; {
		i := slices.Index(rest, "--")
		if i < 0 {
			if len(rest) > 0 {
				commands = append(commands, rest)
			}
			return own, commands, true
		}
		if i > 0 {
			commands = append(commands, rest[:i])
		}
		rest = rest[i+1:]
	}
}

// readLayout reads the text of a layout from a file, the standard input or an address.
func readLayout(ctx context.Context, set *files.Set, name string) ([]byte, error) {
	return files.Read(ctx, set, name, files.Layout, func(_ string, r io.Reader) ([]byte, error) { return io.ReadAll(r) })
}

// parsedLayout reads a layout, and its text.
func parsedLayout(ctx context.Context, set *files.Set, name string) (l layout.Layout, text string, err error) {
	b, err := readLayout(ctx, set, name)
	if err == nil {
		l, err = layout.Parse(files.Title(name), b)
	}
	return l, string(b), err
}

func showLayout(ctx context.Context, c console, set *files.Set, paths []string) error {
	l, _, err := parsedLayout(ctx, set, paths[0])
	if err != nil {
		return err
	}
	if len(paths) == 1 {
		return report.Layout(c.out, l, nil)
	}
	p, err := readProfile(ctx, set, paths[1])
	if err != nil {
		return err
	}
	return report.Layout(c.out, l, &p)
}

func checkLayouts(ctx context.Context, c console, set *files.Set, paths []string) error {
	var errs []error
	for _, path := range paths {
		l, _, err := parsedLayout(ctx, set, path)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if _, err := fmt.Fprintf(c.out, "%s: good: %s, hash %s\n", l.Name, count(len(l.Statements), "statement"), l.Hash()); err != nil {
			return err
		}
	}
	if ctx.Err() != nil { // an interruption is not a problem of a file
		return ctx.Err()
	}
	return errors.Join(errs...)
}

// writeLayout brings a layout up to date with the advice of a profile, and reports the change.
func (r *recordedRun) writeLayout(ctx context.Context, c console, set *files.Set, path string) error {
	old := ""
	if _, err := os.Stat(path); path != files.Stdin && err == nil {
		b, err := readLayout(ctx, &files.Set{}, path)
		if err == nil && len(b) > 0 {
			_, err = layout.Parse(path, b)
		}
		if err != nil {
			return fmt.Errorf("%w\n-o brings a layout up to date: correct this file, or name another one", err)
		}
		old = string(b)
	}
	advised := advice.Layout(r.profile, r.chunks, r.cache)
	text := layout.Revise(old, advised)
	if path == files.Stdin {
		_, err := io.WriteString(c.out, text)
		return err
	}
	l, err := layout.Parse(path, []byte(text))
	if err == nil {
		err = set.Write(path, text)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "wrote %s: %s, %d of them advised\n", path, count(len(l.Statements), "statement"), len(advised))
	for _, p := range r.profile.Runs() {
		if few(p.Frames) {
			fmt.Fprintln(c.out, profile.InWorld(p.World, fmt.Sprintf("only %s recorded: record some hundred for advice to rest on", count(p.Frames, "frame"))))
		}
	}
	if len(l.Statements) > 0 {
		fmt.Fprintf(c.out, "try it: ashlar layout try %s -- PROGRAM\n", path)
	}
	return nil
}

// few reports whether so many frames are too few for advice: the store looks at storage every 8, and needs
// some looks.
func few(frames uint64) bool { return frames > 0 && frames < 64 }

// commandLine joins the words of a command for people.
func commandLine(command []string) string { return strings.Join(command, " ") }
