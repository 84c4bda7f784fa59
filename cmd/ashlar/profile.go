package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/profile"
)

// profileTask is what `ashlar profile` does with files.
type profileTask struct {
	name, args, about string
	least, most       int // files; most 0: any number
	run               func(c console, out string, paths []string) error
}

func profileTasks() []profileTask {
	return []profileTask{
		{"show", "FILE", "show facts per frame, and intent", 1, 1, showProfile},
		{"check", "FILE…", "name every problem of files", 1, 0, checkProfiles},
		{"merge", "-o OUT FILE FILE…", "write what files know together, each weighted by its frames; comments are kept", 2, 0, mergeProfiles},
		{"diff", "A B", "show what differs, facts per frame, from A to B", 2, 2, diffProfiles},
	}
}

// profileVerb is `ashlar profile`. Every task reads strictly: what it can't read all of, it refuses.
func profileVerb(_ context.Context, c console, args []string) error {
	flags := flag.NewFlagSet("profile", flag.ContinueOnError)
	out := flags.String("o", "", "merge: the `FILE` to write, whole or not at all; - for the standard output")
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
	return t.run(c, *out, paths)
}

// readProfiles reads files; the error has the problems of all of them.
func readProfiles(paths []string) ([]*profile.File, error) {
	files := make([]*profile.File, len(paths))
	var errs []error
	for i, path := range paths {
		f, err := profile.ReadFile(path, profile.Strict)
		files[i], errs = f, append(errs, err)
	}
	return files, errors.Join(errs...)
}

func showProfile(c console, _ string, paths []string) error {
	files, err := readProfiles(paths)
	if err != nil {
		return err
	}
	f := files[0]
	if f.Statements == 0 {
		_, err = fmt.Fprintln(c.out, "the profile is empty: it knows nothing and asks for nothing")
		return err
	}
	return f.Report(c.out)
}

func checkProfiles(c console, _ string, paths []string) error {
	files, err := readProfiles(paths)
	for i, f := range files {
		if f == nil {
			continue
		}
		if _, err := fmt.Fprintf(c.out, "%s: good: statements %d, frames %d\n", paths[i], f.Statements, f.Frames); err != nil {
			return err
		}
	}
	return err
}

func mergeProfiles(c console, out string, paths []string) error {
	files, err := readProfiles(paths)
	if err != nil {
		return err
	}
	merged := files[0]
	for i, f := range files[1:] {
		if merged, err = profile.MergeFiles(merged, f); err != nil {
			return fmt.Errorf("%s and %s contradict each other:\n%w", strings.Join(paths[:i+1], ", "), paths[i+1], err)
		}
	}
	if out == "-" {
		_, err = merged.WriteTo(c.out)
		return err
	}
	return merged.WriteFile(out)
}

func diffProfiles(c console, _ string, paths []string) error {
	files, err := readProfiles(paths)
	if err != nil {
		return err
	}
	changes := profile.Diff(files[0].Profile, files[1].Profile)
	if len(changes) == 0 {
		_, err = io.WriteString(c.out, "no differences per frame\n")
		return err
	}
	return profile.WriteChanges(c.out, changes)
}
