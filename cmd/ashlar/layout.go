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

// layoutVerb is `ashlar layout`.
func layoutVerb(ctx context.Context, c console, args []string) error {
	flags := flag.NewFlagSet("layout", flag.ContinueOnError)
	var o trialOptions
	flags.IntVar(&o.rounds, "rounds", 7, "try: how many times each program runs with the layout, `N`, and as often without")
	flags.BoolVar(&o.each, "each", false, "try: also leave out each statement by itself, and mark those that lose")
	flags.BoolVar(&o.keep, "keep", false, "try: leave FILE as it is, whatever the trial says")
	own, commands := cutArgs(args)
	set := c.files()
	tasks := []task{
		{"show", "FILE [PROFILE]", "draw the layout; with a profile as tables with their columns", 1, 2, func(paths []string) error { return showLayout(ctx, c, set, paths) }},
		{"check", "FILE…", "name every mistake in files", 1, 0, func(paths []string) error { return checkLayouts(ctx, c, set, paths) }},
		{"try", "FILE -- PROGRAM [ARGUMENTS] [-- PROGRAM …]", "run programs with the layout and without it, by turns, and say what it gains", 1, 1, func(paths []string) error {
			return tryLayout(ctx, c, set, paths[0], commands, o)
		}},
	}
	words, err := parse(c, flags, synopsisOf("layout", "layout show|check|try FILE …", tasks), own)
	if err != nil {
		return err
	}
	if len(words) > 0 && words[0] != "try" && len(commands) > 0 {
		return usage("layout %s runs no program: leave -- and what follows out", words[0])
	}
	return runTask(flags, tasks, words)
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
