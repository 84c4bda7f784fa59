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
	"unicode/utf8"

	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/files"
)

// console is the input and the output of a verb.
type console struct {
	in       io.Reader
	out, err io.Writer
	terminal bool // err is a terminal, so progress is shown
	screen   bool // out is a terminal that supports drawing
}

// files are the inputs of one command.
func (c console) files() *files.Set { return &files.Set{Stdin: c.in} }

// verb is one command.
type verb struct {
	name, about string
	examples    []string // the arguments behind `ashlar NAME`
	run         func(ctx context.Context, c console, args []string) error
}

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
		{"help", "show this page, or one about a verb: ashlar help run", nil, nil},
	}
}

// usageError is an error in how the command was called: exit status 2.
type usageError struct{ error }

func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// undecided is an error of a command that compares: exit status 2, since 1 says that files differ.
type undecided struct{ error }

func (u undecided) Unwrap() error { return u.error }

// different is the error of `ashlar profile diff` if files differ. It sets exit status 1 and prints
// nothing, like diff.
type different struct{}

func (different) Error() string { return "the files differ" }

// hangup is SIGHUP, which package syscall does not name on js.
const hangup = syscall.Signal(1)

// interruption is a signal that asks the command to end.
type interruption struct{ os.Signal }

func (i interruption) Error() string {
	switch i.Signal {
	case syscall.SIGTERM:
		return "interrupted by SIGTERM"
	case hangup:
		return "interrupted by SIGHUP"
	}
	return "interrupted"
}

// status returns the exit status that shells expect: 128 plus the signal's number, 130 for Ctrl-C.
func (i interruption) status() int {
	if s, ok := i.Signal.(syscall.Signal); ok {
		return 128 + int(s)
	}
	return 128
}

// interruptible returns a context that the first SIGINT, SIGTERM or SIGHUP ends. Its cause is the signal.
// A SIGHUP that is ignored stays so, as under nohup.
func interruptible() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(hangup) {
		signal.Notify(signals, hangup)
	}
	go func() { cancel(interruption{<-signals}) }()
	return ctx
}

// interruptionOf returns why a context ended. A context without a cause counts as interrupted too.
func interruptionOf(ctx context.Context) interruption {
	if i, ok := errors.AsType[interruption](context.Cause(ctx)); ok {
		return i
	}
	return interruption{os.Interrupt}
}

func main() {
	screen := isTerminal(os.Stdout) && os.Getenv("TERM") != "dumb"
	os.Exit(run(interruptible(), console{os.Stdin, os.Stdout, os.Stderr, isTerminal(os.Stderr), screen}, os.Args[1:]))
}

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
	i := slices.IndexFunc(verbs(), func(v verb) bool { return v.name == name && v.run != nil })
	if i < 0 {
		return usage("unknown verb %q: see `ashlar help`", name)
	}
	return verbs()[i].run(ctx, c, args[1:])
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

// count writes a number and its noun: 1 chunk, 2 chunks.
func count[N int | uint64](n N, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprint(n, " ", what)
}

// filesHelp explains the file names of all verbs.
const filesHelp = `A FILE to read is a path, - for the standard input, or an address that begins with http:// or https://.
A FILE that exists is replaced only if it is of the same kind, and if the command does not read it. Only run -record may update the profile that it reads.
`

// helpColumns is the longest line of help.
const helpColumns = 80

// wrap breaks lines between words. A continued line keeps the indent.
func wrap(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.ReplaceAll(strings.TrimRight(line, "\n"), "    \t", "        ")
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		width := len(indent)
		b.WriteString(indent)
		for i, word := range strings.Split(line[len(indent):], " ") {
			n := utf8.RuneCountInString(word)
			switch {
			case i == 0:
			case width+1+n > helpColumns:
				b.WriteString("\n" + indent)
				width = len(indent)
			default:
				b.WriteByte(' ')
				width++
			}
			b.WriteString(word)
			width += n
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// verbHelp writes the purpose of a verb, its usage, examples, and its flags.
func verbHelp(flags *flag.FlagSet, synopsis string) string {
	var b strings.Builder
	v := verbs()[slices.IndexFunc(verbs(), func(v verb) bool { return v.name == flags.Name() })]
	fmt.Fprintf(&b, "%s%s.\n\nUsage: ashlar %s\n\nFor example:\n", strings.ToUpper(v.about[:1]), v.about[1:], strings.TrimRight(synopsis, "\n"))
	for _, e := range v.examples {
		fmt.Fprintln(&b, strings.TrimRight("  ashlar "+v.name+" "+e, " "))
	}
	for _, of := range sections(flags) {
		title := "Flags"
		if of != "" {
			title += " of " + strings.ReplaceAll(of, ", ", " and ")
		}
		fmt.Fprintf(&b, "\n%s:\n", title)
		part := flag.NewFlagSet("", flag.ContinueOnError)
		part.SetOutput(&b)
		flags.VisitAll(func(f *flag.Flag) {
			if section, text := sectionOf(f); section == of {
				part.Var(f.Value, f.Name, text)
				part.Lookup(f.Name).DefValue = f.DefValue
			}
		})
		part.PrintDefaults()
	}
	if v.name != "topo" { // topo takes no file
		fmt.Fprint(&b, "\n", filesHelp)
	}
	return b.String()
}

// sectionOf splits the usage text of a flag. `life: the board` is about life only. A text without a
// prefix is about the verb.
func sectionOf(f *flag.Flag) (section, text string) {
	for _, section := range []string{"life", "churn", "churn, game", "game", "merge", "try"} {
		if text, ok := strings.CutPrefix(f.Usage, section+": "); ok {
			return section, text
		}
	}
	return "", f.Usage
}

// sections returns the sections of flags, general ones first.
func sections(flags *flag.FlagSet) (list []string) {
	flags.VisitAll(func(f *flag.Flag) {
		if section, _ := sectionOf(f); !slices.Contains(list, section) {
			list = append(list, section)
		}
	})
	slices.Sort(list)
	return list
}

// parse reads flags before, between and after the words.
func parse(c console, flags *flag.FlagSet, synopsis string, args []string) (words []string, err error) {
	flags.SetOutput(io.Discard) // the error is returned, and a page of help would hide it
	flags.Usage = func() {}
	for {
		if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
			if _, full := io.WriteString(c.out, wrap(verbHelp(flags, synopsis))); full != nil {
				return nil, full
			}
			return nil, err
		} else if err != nil {
			return nil, usage("%w: see `ashlar help %s`", err, flags.Name())
		}
		if flags.NArg() == 0 {
			return words, nil
		}
		n := slices.IndexFunc(flags.Args(), func(s string) bool { return strings.HasPrefix(s, "-") && s != "-" })
		if n < 0 {
			return append(words, flags.Args()...), nil
		}
		words = append(words, flags.Args()[:n]...)
		args = flags.Args()[n:]
	}
}
