// Package text reads files of statements, one a line: profiles, maps and layouts.
//
//	ashlar profile 1              the name of the form, and its version
//	# a comment
//	group body rows 12 chunks 1   a kind, names, and figures in any order
//	end
//
// A [Form] lists the kinds of statement that a file may have. [Read] cuts lines into words and
// passes each statement to its kind as a [Cursor], which reads a list of [Field].
// Everything that is wrong is reported with its line and column, and reading goes on.
//
// A name is any string. It is quoted with the escapes of Go if it is empty or has blanks, commas,
// #, ", or characters that can't be printed. Commas separate the names of a list. Times have a unit
// (ns, us, ms, s).
package text

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Limits of a file.
const (
	FileMax      = 16 << 20 // bytes
	LineMax      = 64 << 10 // bytes
	StatementMax = 1 << 18  // statements
	NumberMax    = 1<<31 - 1
	nameMax      = 1 << 10 // bytes
)

// Form is a text form.
type Form struct {
	Name    string // such as profile
	Version uint64
	Kinds   []Kind
	Whole   func() bool // reports whether the file has to end with `end`; nil: it need not
}

// Kind is a kind of statement.
type Kind struct {
	Word     string // first word of the statement
	Synopsis string
	Read     func(c *Cursor) // reads the rest of the line
}

// Once is a kind of statement of which a file has one. It has one field.
func Once(word, synopsis string, f Field) Kind {
	return Kind{word, synopsis, func(c *Cursor) {
		c.Fields([]Field{f})
		c.Done(word)
	}}
}

// reader is the state of reading a file: before the version (begun), within, behind `end` (ended).
// take changes it line by line; bad, words and comment are reset for each line.
type reader struct {
	Problems
	name       string // of the file
	form       Form
	lines      map[string]int // subject → line
	line       int
	begun      bool // the version has been read
	ended      int  // line of `end`
	statements int  // lines that are no comment
	bad        bool // the current statement has a problem
	words      []word
	comment    string // behind the current statement
}

// ReadFrom is Read of a file. Errors call r by name.
func ReadFrom(name string, r io.Reader, f Form) error {
	b, err := io.ReadAll(io.LimitReader(r, FileMax+1))
	if err != nil {
		return fmt.Errorf("profile: reading %s: %w", name, err)
	}
	return Read(name, string(b), f)
}

// Read reads the text of a file of a form: at most 16 MiB, 64 KiB a line and 262,144 statements. The error
// lists whatever is wrong with it: the line from 1, the column in bytes from 1 or 0 for the whole line, and the
// remedy. A newer version is an error, too.
func Read(name, text string, f Form) error {
	p := reader{name: name, form: f, lines: make(map[string]int)}
	total := 0
	for line := range strings.Lines(text) {
		total += len(line)
		p.line++
		if !p.take(strings.TrimRight(line, "\r\n"), total) {
			break
		}
	}
	if p.bad && !strings.HasSuffix(text, "\n") && p.needsEnd() {
		p.fail(0, "the file ends within this line, without `end`: it was cut off; record it anew")
	}
	p.finish()
	return p.Err()
}

// take reads a line, up to which the file has so many bytes. It returns false if the reader can stop.
func (p *reader) take(line string, total int) bool {
	if p.bad = false; p.line == 1 {
		line = strings.TrimPrefix(line, "\ufeff")
	}
	if total > FileMax {
		p.fail(0, "the file has more than %d bytes: name another file, or record less", FileMax)
		return false
	}
	if len(line) > LineMax {
		p.fail(LineMax, "the line has more than %d bytes: split it, or use shorter names", LineMax)
		return false
	}
	if i := badByte(line); i >= 0 {
		p.fail(i+1, "byte %#02x is not valid text: the file is binary or damaged; name another one, or write such a name in quotes with escapes", line[i])
		return false
	}
	if p.split(line); p.bad {
		return p.begun
	}
	if len(p.words) == 0 {
		return true
	}
	if p.statements++; p.statements > StatementMax {
		p.fail(0, "the file has more than %d statements: record less", StatementMax)
		return false
	}
	if !p.begun {
		p.begin(p.words)
		return !p.bad
	}
	p.statement(p.words[0])
	return true
}

// statement reads the statement that begins with a word.
func (p *reader) statement(first word) {
	if p.ended > 0 {
		p.fail(first.column, "`end` is in line %d already: put statements above it", p.ended)
		return
	}
	i := slices.IndexFunc(p.form.Kinds, func(k Kind) bool { return first.is(k.Word) })
	switch {
	case i >= 0:
		k := &p.form.Kinds[i]
		k.Read(&Cursor{p: p, kind: k, i: 1})
	case first.is("end"):
		c := Cursor{p: p, kind: &Kind{Synopsis: "end"}, i: 1}
		if c.Done("end") {
			p.ended = p.line
		}
	default:
		var known []string
		for _, k := range p.form.Kinds {
			known = append(known, k.Word)
		}
		p.fail(first.column, "%.40q is not a statement: a line begins with %s or end", first.text, strings.Join(known, ", "))
	}
}

// begin reads the first statement.
func (p *reader) begin(words []word) {
	p.begun = true
	if len(words) > 1 && words[0].is("ashlar") && !words[1].is(p.form.Name) {
		p.fail(words[1].column, "the file is an ashlar %.40s, not a %s: name another file", words[1].text, p.form.Name)
		return
	}
	if len(words) < 3 || !words[0].is("ashlar") {
		p.fail(words[0].column, "the file is not a %s: the first line of one is \"ashlar %[1]s %d\"; name another file, or put that line first", p.form.Name, p.form.Version)
		return
	}
	v, err := strconv.ParseUint(words[2].text, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange), err == nil && v > p.form.Version:
		p.fail(words[2].column, "the file has version %.40s, and this program reads up to %d: use a newer ashlar, or record it anew with this one", words[2].text, p.form.Version)
	case err != nil || v < 1:
		p.fail(words[2].column, "%.40q is not a version: the first line is \"ashlar %s %d\"", words[2].text, p.form.Name, p.form.Version)
	case len(words) > 3:
		p.fail(words[3].column, "unexpected %.40q: only a comment may follow the version", words[3].text)
	}
}

// finish adds the problems that only the end of a file shows.
func (p *reader) finish() {
	switch {
	case p.Count() > 0:
	case !p.begun:
		p.fail(0, "the file is empty: the first line of a %s is \"ashlar %[1]s %d\"", p.form.Name, p.form.Version)
	case p.needsEnd():
		p.fail(0, "`end` is missing: the file is cut off below this line; record it anew, or add `end` if it is complete")
	}
}

// needsEnd reports whether the file has statements that only a complete file is good for, and no end
// so far.
func (p *reader) needsEnd() bool { return p.ended == 0 && p.form.Whole != nil && p.form.Whole() }

// fail adds a problem. Column 0 means the line as a whole.
func (p *reader) fail(column int, format string, args ...any) {
	p.bad = true
	p.Add(Problem{p.name, p.line, column, fmt.Sprintf(format, args...)})
}
