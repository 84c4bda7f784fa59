package main

import (
	"flag"
	"fmt"
	"slices"
	"strings"
)

// task is a part of a verb, such as show of `ashlar profile show`.
type task struct {
	name, args, about string
	least, most       int // files; most 0: any number
	run               func(paths []string) error
}

// synopsisOf is the synopsis of a verb with tasks, behind its first line.
func synopsisOf(verb, first string, tasks []task) string {
	var b strings.Builder
	b.WriteString(first + "\n")
	for _, t := range tasks {
		fmt.Fprintf(&b, "  %s %s %s\n      %s\n", verb, t.name, t.args, t.about)
	}
	return b.String()
}

// runTask runs the task that words begin with, on the files that follow it.
func runTask(flags *flag.FlagSet, tasks []task, words []string) error {
	var names []string
	for _, t := range tasks {
		names = append(names, t.name)
	}
	last := len(names) - 1
	known := strings.Join(names[:last], ", ") + " or " + names[last]
	if len(words) == 0 {
		return usage("%s needs a task: %s", flags.Name(), known)
	}
	i := slices.Index(names, words[0])
	if i < 0 {
		return usage("unknown task %q: use %s", words[0], known)
	}
	t, paths := tasks[i], words[1:]
	if len(paths) < t.least || t.most > 0 && len(paths) > t.most {
		return usage("wrong number of files: use %s %s %s", flags.Name(), t.name, t.args)
	}
	if err := foreign(flags, t.name); err != nil {
		return err
	}
	return t.run(paths)
}

// foreign refuses flags of other tasks or scenarios than this one.
func foreign(flags *flag.FlagSet, name string) (err error) {
	flags.Visit(func(f *flag.Flag) {
		section, _ := sectionOf(f)
		if section != "" && !slices.Contains(strings.Split(section, ", "), name) && err == nil {
			err = usage("%s has no flag -%s: see `ashlar help %s`", name, f.Name, flags.Name())
		}
	})
	return err
}

// noWords parses the arguments of a verb that takes none.
func noWords(c console, name string, args []string) error {
	words, err := parse(c, flag.NewFlagSet(name, flag.ContinueOnError), name, args)
	if err == nil && len(words) > 0 {
		err = usage("unexpected %q: %s takes no arguments", words[0], name)
	}
	return err
}
