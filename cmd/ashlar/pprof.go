package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/files"
	"github.com/ashlar-go/ashlar/cmd/ashlar/report"
)

const pprofSynopsis = "pprof [-top|-tagroot LABELS|-diff_base FILE|-http HOST:PORT|…] FILE …"

// pprofVerb is `ashlar pprof`: `go tool pprof` without a Go toolchain, and
// with files of ashlar.
// The driver can't be stopped, so after Ctrl-C it continues until the program ends.
func pprofVerb(ctx context.Context, c console, args []string) error {
	set := c.files()
	flags := &pprofFlags{FlagSet: flag.NewFlagSet("pprof", flag.ContinueOnError), args: args, set: set}
	flags.SetOutput(io.Discard) // errors are returned, and usage is the driver's
	flags.AddExtraUsage("\n\n  Files of Ashlar:\n" +
		"    profile               A recorded profile: what systems read and wrote\n" +
		"    map                   A recorded map: memory by group and chunk\n" +
		"    -output f             Write to file f, - for the standard output; a file of another\n" +
		"                          kind, or one that is read, is not written over\n" +
		"    -                     As the name of a file: the standard input\n\n" +
		"  Addresses of profiles:")
	done := make(chan error, 1)
	go func() {
		d := report.PprofDriver{Flags: flags, Fetch: pprofSource{ctx, set}.fetch, Writer: pprofWriter{set, c.out}, UI: &pprofUI{ctx, c, set, bufio.NewReader(c.in), flags}}
		done <- d.Run()
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case err := <-done:
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(flags.err, flag.ErrHelp):
			return flags.err
		case flags.err != nil:
			return usageError{fmt.Errorf("pprof: %w: see `ashlar pprof -help`", flags.err)}
		case len(flags.Args()) == 0:
			return usage("pprof needs a file: %s", pprofSynopsis)
		case err != nil:
			return fmt.Errorf("pprof: %w", err)
		}
		return nil
	}
}

// pprofFlags is a flag set as the driver wants one. err is the result of Parse.
type pprofFlags struct {
	*flag.FlagSet
	args  []string
	set   *files.Set // the inputs, which are not written over
	lists []*string  // names of other profiles, -base and -diff_base
	extra []string
	err   error
}

func (f *pprofFlags) StringList(name, value, usage string) *[]*string {
	s := f.String(name, value, usage)
	f.lists = append(f.lists, s)
	return &[]*string{s}
}

func (f *pprofFlags) ExtraUsage() string { return strings.Join(f.extra, "\n") }

func (f *pprofFlags) AddExtraUsage(text string) { f.extra = append(f.extra, text) }

// Parse returns the words, or nil to end the driver.
func (f *pprofFlags) Parse(usage func()) []string {
	f.Usage = func() {}
	f.err = f.FlagSet.Parse(f.args)
	if f.err == nil && f.NArg() > 0 {
		for _, name := range f.Args() {
			f.set.Note(name)
		}
		for _, name := range f.lists {
			f.set.Note(*name)
		}
		return f.Args()
	}
	if f.err == nil || errors.Is(f.err, flag.ErrHelp) {
		usage()
	}
	return nil
}

// pprofUI is where the driver's messages go and its commands come from.
type pprofUI struct {
	ctx context.Context
	c   console
	set *files.Set
	in  *bufio.Reader
	of  *pprofFlags
}

func (u *pprofUI) ReadLine(prompt string) (string, error) {
	if u.set.StdinTaken() {
		return "", errors.New("the standard input was a profile, so no commands can come from there: ask for a report, such as -top")
	}
	fmt.Fprint(u.c.out, prompt)
	return u.in.ReadString('\n')
}

func (u *pprofUI) Print(args ...any) {
	if u.ctx.Err() != nil {
		return // the signal has been reported, and the interrupted work needs no message
	}
	text := strings.TrimSuffix(fmt.Sprint(args...), "\n")
	to := u.c.err
	if errors.Is(u.of.err, flag.ErrHelp) {
		to = u.c.out // help that was asked for
	}
	fmt.Fprintln(to, strings.ReplaceAll(text, "\n   pprof ", "\n   ashlar pprof "))
}

func (u *pprofUI) PrintErr(args ...any) { u.Print(args...) }

func (u *pprofUI) IsTerminal() bool { return u.c.terminal }

func (u *pprofUI) WantBrowser() bool { return u.c.terminal }

func (u *pprofUI) SetAutoComplete(func(string) string) {}
