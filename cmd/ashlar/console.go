package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/files"
)

// console is the input and the output of a verb.
type console struct {
	in       io.Reader
	out, err io.Writer
	terminal bool // err is a terminal, so progress is shown
	screen   bool // out is a terminal that supports drawing
	verb     verb // that runs
}

// files are the inputs of one command.
func (c console) files() *files.Set { return &files.Set{Stdin: c.in} }

// verb is one command.
type verb struct {
	name, about string
	examples    []string // the arguments behind `ashlar NAME`
	run         func(ctx context.Context, c console, args []string) error
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

// wrap breaks lines between words. A continued line keeps the indent, of which an arrow is a part.
func wrap(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.ReplaceAll(strings.TrimRight(line, "\n"), "    \t", "        ")
		words := strings.TrimLeft(line, " →")
		b.WriteString(strings.TrimSuffix(line, words))
		indent := strings.Repeat(" ", utf8.RuneCountInString(strings.TrimSuffix(line, words)))
		width := len(indent)
		for i, word := range strings.Split(words, " ") {
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

// help writes the purpose of a verb, its usage, examples, and its flags.
func (v verb) help(flags *flag.FlagSet, synopsis string) string {
	var b strings.Builder
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
	if v.name != "topo" && v.name != "version" { // these take no file
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

// given refuses flags with an empty value, such as that of a variable of the shell that is not set. They would do nothing
// without a word.
func given(flags *flag.FlagSet) (err error) {
	flags.Visit(func(f *flag.Flag) {
		if f.Value.String() == "" {
			err = usage("-%s is empty: give it a value, or leave it out", f.Name)
		}
	})
	return err
}

// parse reads flags before, between and after the words.
func parse(c console, flags *flag.FlagSet, synopsis string, args []string) (words []string, err error) {
	flags.SetOutput(io.Discard) // the error is returned, and a page of help would hide it
	flags.Usage = func() {}
	for {
		if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
			if _, full := io.WriteString(c.out, wrap(c.verb.help(flags, synopsis))); full != nil {
				return nil, full
			}
			return nil, err
		} else if err != nil {
			return nil, usage("%w: see `ashlar help %s`", err, flags.Name())
		}
		if err := given(flags); err != nil {
			return nil, err
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
