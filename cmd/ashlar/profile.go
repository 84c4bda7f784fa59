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

// profileTask is a task of `ashlar profile`.
type profileTask struct {
	name, args, about string
	least, most       int // files; most 0: any number
	run               func(ctx context.Context, c console, o profileOptions, paths []string) error
}

func profileTasks() []profileTask {
	return []profileTask{
		{"show", "FILE", "show what was measured, per frame", 1, 1, showProfile},
		{"check", "FILE…", "name every mistake in files", 1, 0, checkProfiles},
		{"merge", "-o OUT [-unrelated] FILE FILE…", "write what files know together, weighted by their frames", 2, 0, mergeProfiles},
		{"diff", "A B", "show what differs from A to B, per frame; exit 1 if something does, and 2 if a file can't be read", 2, 2, diffProfiles},
	}
}

// profileOptions are the flags of merge.
type profileOptions struct {
	out       string
	unrelated bool
}

// profileVerb is `ashlar profile`. Every task fails if it can't read all of a file.
func profileVerb(ctx context.Context, c console, args []string) error {
	flags := flag.NewFlagSet("profile", flag.ContinueOnError)
	var o profileOptions
	flags.StringVar(&o.out, "o", "", "merge: write to `FILE`, whole or not at all; - is the standard output")
	flags.BoolVar(&o.unrelated, "unrelated", false, "merge: also join profiles of programs that have no component, group or system in common")
	synopsis := "profile show|check|merge|diff FILE…\n"
	for _, t := range profileTasks() {
		synopsis += fmt.Sprintf("  profile %s %s\n      %s\n", t.name, t.args, t.about)
	}
	words, err := parse(c, flags, synopsis, args)
	if err != nil {
		return err
	}
	if len(words) == 0 {
		return usage("profile needs a task: show, check, merge or diff")
	}
	i := slices.IndexFunc(profileTasks(), func(t profileTask) bool { return t.name == words[0] })
	if i < 0 {
		return usage("unknown task %q: use show, check, merge or diff", words[0])
	}
	t, paths := profileTasks()[i], words[1:]
	switch {
	case len(paths) < t.least || t.most > 0 && len(paths) > t.most:
		return usage("wrong number of files: use profile %s %s", t.name, t.args)
	case t.name == "merge" && o.out == "":
		return usage("merge needs -o OUT, the file to write, or -o - for the standard output")
	case t.name != "merge" && o.out != "":
		return usage("profile %s writes no file: leave -o out", t.name)
	case t.name != "merge" && o.unrelated:
		return usage("profile %s joins no profiles: leave -unrelated out", t.name)
	}
	return t.run(ctx, c, o, paths)
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

func showProfile(ctx context.Context, c console, _ profileOptions, paths []string) error {
	list, err := readProfiles(ctx, c.files(), paths)
	if err != nil {
		return err
	}
	if list[0].Empty() {
		_, err = fmt.Fprintln(c.out, "the profile is empty: it has no facts")
		return err
	}
	return report.Profile(c.out, list[0].Profile)
}

func checkProfiles(ctx context.Context, c console, _ profileOptions, paths []string) error {
	list, err := readProfiles(ctx, c.files(), paths)
	for _, f := range list {
		if f.bad {
			continue
		}
		parts := f.ByWorld()
		if len(parts) == 0 {
			parts = []profile.Profile{{}}
		}
		for _, p := range parts {
			about := profile.InWorld(p.World, fmt.Sprintf("good: frames %d, systems %d, groups %d", p.Frames, len(p.Systems), len(p.Groups)))
			if _, err := fmt.Fprintf(c.out, "%s: %s\n", f.name, about); err != nil {
				return err
			}
		}
	}
	return err
}

func mergeProfiles(ctx context.Context, c console, o profileOptions, paths []string) error {
	set := c.files()
	list, err := readProfiles(ctx, set, paths)
	if err != nil {
		return err
	}
	merged, err := joined(list, o.unrelated)
	if errors.Is(err, errUnrelated) {
		return fmt.Errorf("%w; -unrelated joins them nevertheless", err)
	}
	if err != nil {
		return err
	}
	if o.out == files.Stdin {
		_, err = merged.WriteTo(c.out)
		return err
	}
	if err := set.Replaceable(o.out, files.Profile); err != nil {
		return err
	}
	return merged.WriteFile(o.out)
}

var errUnrelated = errors.New("have no component, group or system in common: name profiles of one program, and name each of its worlds")

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

func diffProfiles(ctx context.Context, c console, _ profileOptions, paths []string) error {
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
