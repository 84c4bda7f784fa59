// Package text reads files of statements, one a line: profiles, maps and layouts.
//
//	ashlar profile 1              the name of the form, and its version
//	# a comment
//	group body rows 12 chunks 1   a kind, names, and figures in any order
//	end
//
// A [Form] lists the kinds of statement that a file may have. [Read] cuts lines into words and
// passes each statement to its kind as a [Cursor], which reads names, keywords and figures.
// Everything that is wrong is reported with its line and column, and reading goes on.
//
// A name is any string. It is quoted with the escapes of Go if it is empty or has blanks, commas,
// #, ", or characters that can't be printed. Commas separate the names of a list. Times have a unit
// (ns, us, ms, s). The suffixes K, M and G of bytes mean 2^10, 2^20 and 2^30.
package text

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
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
	Whole   func() bool // reports whether the file has to end with `end`
}

// Kind is a kind of statement.
type Kind struct {
	Word     string // first word of the statement
	Synopsis string
	Read     func(c *Cursor) // reads the rest of the line
}

// reader is the state of reading a file: before the version (begun), within, behind `end` (ended).
// take changes it line by line; bad, long and words are reset for each line.
type reader struct {
	form       Form
	lines      map[string]int // subject → line; made for the first statement
	line       int
	begun      bool // the version has been read
	ended      int  // line of `end`
	statements int  // lines that are no comment
	bad        bool // the current statement has a problem
	long       bool // the current line is long
	words      []word
	report     func(line, column int, text string)
	problems   int // reported so far
}

// bufferBytes is the size of the first buffer. It grows only for a line that is longer.
const bufferBytes = 8 << 10

// Read reads a file of a form: at most 16 MiB, 64 KiB a line and 262,144 statements. Errors call r
// by name, and are the only ones returned. Whatever is wrong with the text is reported: its line from
// 1, its column in bytes from 1 or 0 for the whole line, and the remedy. A newer version is reported, too.
func Read(name string, r io.Reader, f Form, report func(line, column int, text string)) error {
	p := reader{form: f, report: report}
	total := 0
	open := false // the last line has no newline
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 0, bufferBytes), LineMax+1)
	in.Split(func(data []byte, last bool) (n int, line []byte, err error) {
		n, line, err = bufio.ScanLines(data, last)
		total += n
		open = open || n > 0 && data[n-1] != '\n'
		return n, line, err
	})
	for in.Scan() {
		raw := in.Bytes()
		p.bad = false
		if p.line++; p.line == 1 {
			raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
		}
		switch {
		case total > FileMax:
			p.fail(0, "the file has more than %d bytes: name another file, or record less", FileMax)
		case !p.take(string(raw)): // it has said why
		case p.statements > StatementMax:
			p.fail(0, "the file has more than %d statements: record less", StatementMax)
		default:
			continue
		}
		break
	}
	switch err := in.Err(); {
	case err == bufio.ErrTooLong:
		p.line++
		p.fail(LineMax, "the line has more than %d bytes: split it, or use shorter names", LineMax)
	case err != nil:
		return fmt.Errorf("profile: reading %s: %w", name, err)
	case open && p.bad && p.needsEnd():
		p.fail(0, "the file ends within this line, without `end`: it was cut off; record it anew")
	}
	p.finish()
	return nil
}

// kind returns the kind of statement that begins with a word, or nil.
func (p *reader) kind(word string) *Kind {
	for i := range p.form.Kinds {
		if k := &p.form.Kinds[i]; k.Word == word {
			return k
		}
	}
	return nil
}

// take reads a line. It returns false if the reader can stop.
func (p *reader) take(line string) bool {
	if i := badByte(line); i >= 0 {
		p.fail(i+1, "byte %#02x is not valid text: the file is binary or damaged; name another one, or write such a name in quotes with escapes", line[i])
		return false
	}
	words, column, problem := split(line, p.words[:0])
	p.words, p.bad, p.long = words, false, len(line) > LineMax/16
	switch {
	case column > 0:
		p.fail(column, "%s", problem)
		return p.begun
	case len(words) == 0:
		return true
	}
	if p.statements++; !p.begun {
		return p.begin(words)
	}
	k := p.kind(words[0].text)
	switch {
	case p.ended > 0:
		p.fail(words[0].column, "`end` is in line %d already: put statements above it", p.ended)
	case words[0].is("end"):
		c := Cursor{p: p, kind: &Kind{Synopsis: "end"}, i: 1}
		if c.Done("end") {
			p.ended = p.line
		}
	case k == nil || words[0].quoted:
		p.fail(words[0].column, "%.40q is not a statement: a line begins with %s", words[0].text, p.known())
	default:
		k.Read(&Cursor{p: p, kind: k, i: 1})
	}
	return true
}

// known lists the kinds.
func (p *reader) known() string {
	var words []string
	for _, k := range p.form.Kinds {
		words = append(words, k.Word)
	}
	return strings.Join(words, ", ") + " or end"
}

// begin reads the first statement.
func (p *reader) begin(words []word) bool {
	p.begun = true
	if len(words) > 1 && words[0].is("ashlar") && !words[1].is(p.form.Name) {
		p.fail(words[1].column, "the file is an ashlar %.40s, not a %s: name another file", words[1].text, p.form.Name)
		return false
	}
	if len(words) < 3 || !words[0].is("ashlar") {
		p.fail(words[0].column, "the file is not a %s: the first line of one is \"ashlar %[1]s %d\"; name another file, or put that line first", p.form.Name, p.form.Version)
		return false
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
	return !p.bad
}

// finish adds the problems that only the end of a file shows.
func (p *reader) finish() {
	if p.problems > 0 {
		return
	}
	switch {
	case !p.begun:
		p.fail(0, "the file is empty: the first line of a %s is \"ashlar %[1]s %d\"", p.form.Name, p.form.Version)
	case p.needsEnd():
		p.fail(0, "`end` is missing: the file is cut off below this line; record it anew, or add `end` if it is complete")
	}
}

// needsEnd reports whether the file has statements that only a complete file is good for, and no end
// so far.
func (p *reader) needsEnd() bool { return p.ended == 0 && p.form.Whole() }

// fail reports a problem. Column 0 means the line as a whole.
func (p *reader) fail(column int, format string, args ...any) {
	p.bad = true
	p.problems++
	p.report(p.line, column, fmt.Sprintf(format, args...))
}
