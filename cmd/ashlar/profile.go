package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"

	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/files"
	"github.com/ashlar-go/ashlar/cmd/ashlar/report"
	"github.com/ashlar-go/ashlar/profile"
)

// profileVerb is `ashlar profile`. Every task fails if it can't read all of a file.
func profileVerb(ctx context.Context, c console, args []string) error {
	flags := flag.NewFlagSet("profile", flag.ContinueOnError)
	out := flags.String("o", "", "merge: write to `FILE`, whole or not at all; - is the standard output")
	unrelated := flags.Bool("unrelated", false, "merge: also join profiles of programs that have less than half of their components in common")
	tasks := []task{
		{"show", "FILE", "show what was measured, per frame", 1, 1, func(paths []string) error { return showProfile(ctx, c, paths[0]) }},
		{"check", "FILE…", "name every mistake in files", 1, 0, func(paths []string) error { return checkProfiles(ctx, c, paths) }},
		{"merge", "-o OUT [-unrelated] FILE FILE…", "write what files know together, weighted by their frames", 2, 0, func(paths []string) error {
			return mergeProfiles(ctx, c, paths, *out, *unrelated)
		}},
		{"diff", "A B", "show what differs from A to B, per frame; exit 1 if something does, and 2 if a file can't be read", 2, 2, func(paths []string) error {
			return diffProfiles(ctx, c, paths)
		}},
	}
	words, err := parse(c, flags, synopsisOf("profile", "profile show|check|merge|diff FILE…", tasks), args)
	if err != nil {
		return err
	}
	return runTask(flags, tasks, words)
}

// readProfile reads a profile from a file, the standard input or an address.
func readProfile(ctx context.Context, set *files.Set, name string) (profile.Profile, error) {
	return files.Read(ctx, set, name, files.Profile, profile.Parse)
}

// named is a profile with its name in messages.
type named struct {
	name string
	profile.Profile
	bad bool
}

// readProfiles reads files. The error has the problems of all of them.
func readProfiles(ctx context.Context, set *files.Set, paths []string) ([]named, error) {
	list := make([]named, len(paths))
	var errs []error
	for i, path := range paths {
		p, err := readProfile(ctx, set, path)
		list[i], errs = named{files.Title(path), p, err != nil}, append(errs, err)
	}
	if ctx.Err() != nil { // an interruption is not a problem of a file
		return list, ctx.Err()
	}
	return list, errors.Join(errs...)
}

func showProfile(ctx context.Context, c console, path string) error {
	p, err := readProfile(ctx, c.files(), path)
	if err != nil {
		return err
	}
	return report.Profile(c.out, p)
}

func checkProfiles(ctx context.Context, c console, paths []string) error {
	list, err := readProfiles(ctx, c.files(), paths)
	for _, f := range list {
		if f.bad {
			continue
		}
		for _, p := range f.Runs() {
			about := profile.InWorld(p.World, fmt.Sprintf("good: frames %d, systems %d, groups %d", p.Frames, len(p.Systems), len(p.Groups)))
			if _, err := fmt.Fprintf(c.out, "%s: %s\n", f.name, about); err != nil {
				return err
			}
		}
	}
	return err
}

func mergeProfiles(ctx context.Context, c console, paths []string, out string, unrelated bool) error {
	if out == "" {
		return usage("merge needs -o OUT, the file to write, or -o - for the standard output")
	}
	set := c.files()
	list, err := readProfiles(ctx, set, paths)
	if err != nil {
		return err
	}
	merged, err := joined(list, unrelated)
	if errors.Is(err, errUnrelated) {
		return fmt.Errorf("%w; -unrelated joins them nevertheless", err)
	}
	if err != nil {
		return err
	}
	if out == files.Stdin {
		_, err = merged.WriteTo(c.out)
		return err
	}
	if err := set.Replaceable(out, files.Profile); err != nil {
		return err
	}
	return merged.WriteFile(out)
}

var errUnrelated = errors.New("have less than half of their components in common: name profiles of one program, and name each of its worlds")

// joined joins profiles. Each must be related to the ones joined before it. A profile that
// is not is tried again behind the others, so the order of names does not matter.
func joined(rest []named, unrelated bool) (profile.Profile, error) {
	merged, names, rest := rest[0].Profile, rest[0].name, slices.Clone(rest[1:])
	for len(rest) > 0 {
		i := slices.IndexFunc(rest, func(f named) bool { return unrelated || profile.Related(merged, f.Profile) })
		if i < 0 {
			return merged, fmt.Errorf("%s and %s %w", names, rest[0].name, errUnrelated)
		}
		var err error
		if merged, err = profile.Join(merged, rest[i].Profile); err != nil {
			return merged, fmt.Errorf("%s and %s contradict each other:\n%w", names, rest[i].name, err)
		}
		names += ", " + rest[i].name
		rest = slices.Delete(rest, i, i+1)
	}
	return merged, nil
}

func diffProfiles(ctx context.Context, c console, paths []string) error {
	list, err := readProfiles(ctx, c.files(), paths)
	var changes []profile.Change
	if err == nil {
		changes = profile.Diff(list[0].Profile, list[1].Profile)
		if len(changes) == 0 {
			_, err = io.WriteString(c.out, "no differences per frame\n")
		} else {
			err = report.Changes(c.out, changes)
		}
	}
	switch {
	case err != nil && ctx.Err() == nil:
		return undecided{err}
	case err != nil:
		return err
	case len(changes) > 0:
		return different{}
	}
	return nil
}
