// Command ashlar runs scenarios on Ashlar's storage and shows where memory lies.
// Each verb is one file; this one finds the verb.
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

// console is what a verb reads and writes.
type console struct {
	in       io.Reader
	out, err io.Writer
	terminal bool // err is a terminal: progress is welcome
}

// files are the inputs of one command.
func (c console) files() *files.Set { return &files.Set{Stdin: c.in} }

// verb is one command.
type verb struct {
	name, args, about string
	run               func(ctx context.Context, c console, args []string) error
}

func verbs() []verb {
	return []verb{
		{"run", "life PATTERN [-generations N] … · churn|game [-frames N] …", "run a scenario and show its result, speed and placement", runVerb},
		{"topo", "[-file FILE] [-save]", "show the machine's caches and pages, and where each figure is from", topoVerb},
		{"profile", "show FILE · check FILE… · merge -o OUT FILE FILE… · diff A B", "show, check, merge and compare profiles", profileVerb},
		{"advise", strings.TrimPrefix(adviseSynopsis, "advise "), "say what code could change to make a recorded program faster or smaller", adviseVerb},
		{"views", "FILE", "show how systems got components that their groups do not own, what that gained, and why", viewsVerb},
		{"map", strings.TrimPrefix(mapSynopsis, "map "), "draw where chunks lay when a run recorded it", mapVerb},
		{"pprof", strings.TrimPrefix(pprofSynopsis, "pprof "), "report on a profile for pprof, as `go tool pprof` does", pprofVerb},
		{"help", "[VERB]", "show this, or a verb's flags", nil},
	}
}

// usageError is an error in how the command was called: exit status 2.
type usageError struct{ error }

func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// interruption is a signal that asks the command to end.
type interruption struct{ os.Signal }

func (i interruption) Error() string {
	if i.Signal == syscall.SIGTERM {
		return "interrupted by SIGTERM"
	}
	return "interrupted"
}

// status is what shells expect: 128 and the signal's number, 130 for Ctrl-C.
func (i interruption) status() int {
	if s, ok := i.Signal.(syscall.Signal); ok {
		return 128 + int(s)
	}
	return 128
}

// interruptible is a context that ends with the first signal that asks for it; its cause says which.
func interruptible() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() { cancel(interruption{<-signals}) }()
	return ctx
}

// interruptionOf is why a context ended that has no cause of its own to tell, too.
func interruptionOf(ctx context.Context) interruption {
	if i, ok := errors.AsType[interruption](context.Cause(ctx)); ok {
		return i
	}
	return interruption{os.Interrupt}
}

func main() {
	info, err := os.Stderr.Stat()
	terminal := err == nil && info.Mode()&os.ModeCharDevice != 0
	os.Exit(run(interruptible(), console{os.Stdin, os.Stdout, os.Stderr, terminal}, os.Args[1:]))
}

// run finds the verb and carries it out; it returns the exit status.
func run(ctx context.Context, c console, args []string) int {
	err := dispatch(ctx, c, args)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err == context.Canceled: // and nothing went wrong besides
		i := interruptionOf(ctx)
		fmt.Fprintf(c.err, "ashlar: %v\n", i)
		return i.status()
	}
	fmt.Fprintf(c.err, "ashlar: %v\n", err)
	if _, ok := errors.AsType[usageError](err); ok {
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
	if name == "help" || name == "-h" || name == "-help" || name == "--help" {
		if len(args) < 2 {
			return help(c.out)
		}
		name, args = args[1], []string{args[1], "-help"}
		c.err = c.out
	}
	if name == "help" {
		return help(c.out)
	}
	i := slices.IndexFunc(verbs(), func(v verb) bool { return v.name == name && v.run != nil })
	if i < 0 {
		return usage("no verb is called %q: see `ashlar help`", name)
	}
	return verbs()[i].run(ctx, c, args[1:])
}

// help writes what all verbs are for.
func help(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintln(&b, "Usage: ashlar VERB …")
	for _, v := range verbs() {
		fmt.Fprintf(&b, "  ashlar %s %s\n      %s\n", v.name, v.args, v.about)
	}
	fmt.Fprint(&b, "\n", filesHelp)
	_, err := io.WriteString(w, wrap(b.String()))
	return err
}

// filesHelp is what holds for the files of all verbs.
const filesHelp = `A FILE that is read is a file, - for the standard input, or an address that begins with http:// or https://.
A FILE that is written replaces a file of its own kind only, and never one that the verb reads.
The exception is run -record, which brings its FILE up to date.
`

// helpColumns is what a line of help takes at most.
const helpColumns = 80

// wrap breaks lines between words, and indents what follows as its line is.
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

// parse reads flags that may stand before, between and after the words.
func parse(c console, flags *flag.FlagSet, synopsis string, args []string) (words []string, err error) {
	flags.SetOutput(c.err)
	flags.Usage = func() {
		var b strings.Builder
		fmt.Fprintf(&b, "Usage: ashlar %s\n", synopsis)
		flags.SetOutput(&b)
		flags.PrintDefaults()
		flags.SetOutput(c.err)
		fmt.Fprint(&b, "\n", filesHelp)
		io.WriteString(c.err, wrap(b.String()))
	}
	for {
		if err := flags.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			return nil, usageError{err}
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
