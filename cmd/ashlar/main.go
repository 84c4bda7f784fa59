// Command ashlar runs scenarios on Ashlar's storage and shows where memory is.
// Each verb has a file of its own. This file finds the verb.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

func verbs() []verb {
	return []verb{
		{"run", "run a world, and show its result, speed and memory", []string{"life docs/patterns/acorn.rle -generations 5206", "game -frames 300 -record game.profile", "game -entities 20000 -watch"}, runVerb},
		{"topo", "show the caches and pages of this machine", []string{""}, topoVerb},
		{"profile", "show, check, merge and compare recorded profiles", []string{"show game.profile", "diff before.profile after.profile"}, profileVerb},
		{"advise", "say what code could change to be faster or smaller, and write layouts", []string{"game.profile", "game.profile -o game.layout"}, adviseVerb},
		{"layout", "show, check and try layouts", []string{"show game.layout game.profile", "try game.layout -- ashlar run game -frames 300"}, layoutVerb},
		{"views", "show how systems got shared fields, and what it gained", []string{"game.profile"}, viewsVerb},
		{"map", "draw where chunks were at the end of a recorded run", []string{"game.profile.map", "game.profile.map -group ^table/ -top 5", "game.profile.map -by heat -svg heat.svg"}, mapVerb},
		{"pprof", "report on a profile as `go tool pprof` does", []string{"-top game.profile"}, pprofVerb},
		{"version", "show which version this is, and what built it", []string{""}, versionVerb},
		{"help", "show this page, or one about a verb: ashlar help run", nil, nil},
	}
}

// interruptible returns a context that the first SIGINT, SIGTERM or SIGHUP ends. Its cause is the signal. One that
// comes patience or more later ends the process at once. A SIGHUP that is ignored stays so, as under nohup.
func interruptible() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(hangup) {
		signal.Notify(signals, hangup)
	}
	go func() {
		cancel(interruption{<-signals})
		time.Sleep(patience)
		signal.Stop(signals)
	}()
	return ctx
}

// patience is how long more signals are ignored: some programs, timeout(1) for one, send each twice.
const patience = time.Second

func main() {
	screen := isTerminal(os.Stdout) && draws(os.Getenv)
	os.Exit(run(interruptible(), console{in: os.Stdin, out: os.Stdout, err: os.Stderr, terminal: isTerminal(os.Stderr), screen: screen}, os.Args[1:]))
}

// draws reports whether pictures, which are colours alone, are welcome on a terminal.
func draws(env func(string) string) bool { return env("TERM") != "dumb" && env("NO_COLOR") == "" }

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// run finds the verb, runs it, and returns the exit status.
func run(ctx context.Context, c console, args []string) int {
	err := dispatch(ctx, c, args)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err == different{}:
		return 1
	case err == context.Canceled: // and no other error occurred
		i := interruptionOf(ctx)
		fmt.Fprintf(c.err, "ashlar: %v\n", i)
		return i.status()
	}
	fmt.Fprintf(c.err, "ashlar: %v\n", err)
	_, wrong := errors.AsType[usageError](err)
	if _, open := errors.AsType[undecided](err); wrong || open {
		return 2
	}
	return 1
}

func dispatch(ctx context.Context, c console, args []string) error {
	if len(args) == 0 {
		help(c.err)
		return usage("no verb given")
	}
	name := args[0]
	if asksHelp(name) {
		if len(args) < 2 || asksHelp(args[1]) {
			return help(c.out)
		}
		name, args = args[1], []string{args[1], "-help"}
	}
	if name == "-version" || name == "--version" {
		name = "version"
	}
	i := slices.IndexFunc(verbs(), func(v verb) bool { return v.name == name && v.run != nil })
	if i < 0 {
		return usage("unknown verb %q: see `ashlar help`", name)
	}
	c.verb = verbs()[i]
	return c.verb.run(ctx, c, args[1:])
}

func asksHelp(word string) bool {
	return slices.Contains([]string{"help", "-h", "-help", "--help"}, word)
}

// help writes one line about each verb.
func help(w io.Writer) error {
	var b strings.Builder
	fmt.Fprint(&b, "Runs worlds on Ashlar's storage, and reads what runs have recorded.\n\nUsage: ashlar VERB [ARGUMENTS]\n\n")
	for _, v := range verbs() {
		fmt.Fprintf(&b, "  %-8s %s\n", v.name, v.about)
	}
	fmt.Fprint(&b, "\nTry these, one after the other:\n  ashlar run game -apart -frames 300 -record game.profile\n  ashlar advise game.profile\n  ashlar map game.profile.map\n\n", filesHelp)
	_, err := io.WriteString(w, wrap(b.String()))
	return err
}
