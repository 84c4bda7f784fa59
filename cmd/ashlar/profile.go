package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/files"
	"github.com/ashlar-go/ashlar/internal/profile"
)

// profileTask is what `ashlar profile` does with files.
type profileTask struct {
	name, args, about string
	least, most       int // files; most 0: any number
	run               func(ctx context.Context, c console, out string, paths []string) error
}

func profileTasks() []profileTask {
	return []profileTask{
		{"show", "FILE", "show what was measured, per frame, and the hints", 1, 1, showProfile},
		{"check", "FILE…", "name every mistake in files", 1, 0, checkProfiles},
		{"merge", "-o OUT FILE FILE…", "write what files know together, weighted by their frames; comments stay", 2, 0, mergeProfiles},
		{"diff", "A B", "show what differs from A to B, per frame", 2, 2, diffProfiles},
	}
}

// profileVerb is `ashlar profile`. Every task reads strictly: what it can't read all of, it refuses.
func profileVerb(ctx context.Context, c console, args []string) error {
	flags := flag.NewFlagSet("profile", flag.ContinueOnError)
	out := flags.String("o", "", "merge: write to `FILE`, whole or not at all; - is the standard output")
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
		return usage("no task of profile is called %q: show, check, merge and diff are", words[0])
	}
	t, paths := profileTasks()[i], words[1:]
	switch {
	case len(paths) < t.least || t.most > 0 && len(paths) > t.most:
		return usage("it is: profile %s %s", t.name, t.args)
	case t.name == "merge" && *out == "":
		return usage("merge needs -o OUT, the file to write, or -o - for the standard output")
	case t.name != "merge" && *out != "":
		return usage("profile %s writes no file: leave -o out", t.name)
	}
	return t.run(ctx, c, *out, paths)
}

// readProfile reads a profile from a file, the standard input or an address.
func readProfile(ctx context.Context, set *files.Set, name string) (*profile.File, error) {
	return files.Read(ctx, set, name, files.Profile, func(name string, r io.Reader) (*profile.File, error) {
		return profile.Parse(name, r, profile.Strict)
	})
}

// readProfiles reads files; the error has the problems of all of them.
func readProfiles(ctx context.Context, set *files.Set, paths []string) ([]*profile.File, error) {
	list := make([]*profile.File, len(paths))
	var errs []error
	for i, path := range paths {
		f, err := readProfile(ctx, set, path)
		list[i], errs = f, append(errs, err)
	}
	if ctx.Err() != nil { // and what can't be read for it is no problem of a file
		return list, ctx.Err()
	}
	return list, errors.Join(errs...)
}

func showProfile(ctx context.Context, c console, _ string, paths []string) error {
	list, err := readProfiles(ctx, c.files(), paths)
	if err != nil {
		return err
	}
	f := list[0]
	if f.Statements == 0 {
		_, err = fmt.Fprintln(c.out, "the profile is empty: it knows nothing and asks for nothing")
		return err
	}
	return f.Report(c.out)
}

func checkProfiles(ctx context.Context, c console, _ string, paths []string) error {
	list, err := readProfiles(ctx, c.files(), paths)
	for _, f := range list {
		if f == nil {
			continue
		}
		if _, err := fmt.Fprintf(c.out, "%s: good: statements %d, frames %d\n", f.Name, f.Statements, f.Frames); err != nil {
			return err
		}
	}
	return err
}

func mergeProfiles(ctx context.Context, c console, out string, paths []string) error {
	set := c.files()
	list, err := readProfiles(ctx, set, paths)
	if err != nil {
		return err
	}
	merged := list[0]
	for i, f := range list[1:] {
		if merged, err = profile.MergeFiles(merged, f); err != nil {
			return fmt.Errorf("%s and %s contradict each other:\n%w", namesOf(list[:i+1]), f.Name, err)
		}
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

func namesOf(list []*profile.File) string {
	var names []string
	for _, f := range list {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

func diffProfiles(ctx context.Context, c console, _ string, paths []string) error {
	list, err := readProfiles(ctx, c.files(), paths)
	if err != nil {
		return err
	}
	changes := profile.Diff(list[0].Profile, list[1].Profile)
	if len(changes) == 0 {
		_, err = io.WriteString(c.out, "no differences per frame\n")
		return err
	}
	return profile.WriteChanges(c.out, changes)
}
