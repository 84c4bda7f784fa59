package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/files"
	"github.com/ashlar-go/ashlar/cmd/ashlar/report"
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
	own, commands := cutArgs(args)
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
func cutArgs(args []string) (own []string, commands [][]string) {
	i := slices.Index(args, "--")
	if i < 0 {
		return args, nil
	}
	own = args[:i]
	for rest := args[i+1:]; ; {
		i := slices.Index(rest, "--")
		if i < 0 {
			if len(rest) > 0 {
				commands = append(commands, rest)
			}
			return own, commands
		}
		if i > 0 {
			commands = append(commands, rest[:i])
		}
		rest = rest[i+1:]
	}
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
