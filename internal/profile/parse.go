package profile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Parse reads a file, at most 16 MiB, 64 KiB a line and 262,144 statements of it. name
// stands for r in errors. The error is a *[Problems] that names everything that is wrong,
// with file, line and column, or wraps what r returned.
//
// A file of a newer version is refused if mode is Strict. Otherwise the statements that
// this version knows are used, and those that it does not are dropped and counted in
// Unknown; writing such a file would lose them.
func Parse(name string, r io.Reader, mode Mode) (*File, error) {
	raw, err := io.ReadAll(io.LimitReader(r, fileMax+1))
	if err != nil {
		return nil, fmt.Errorf("profile: reading %s: %w", name, err)
	}
	p := parser{
		f: &File{Name: name, Comments: Comments{At: map[string]Comment{}}, lines: map[string]int{}}, mode: mode, systems: map[string]int{},
	}
	p.forms = p.allForms()
	text := strings.TrimPrefix(string(raw), "\ufeff")
	if len(raw) > fileMax {
		p.line = strings.Count(text, "\n") + 1
		p.fail(0, "it has more than %d bytes up to here, and no profile has: name another file, or record less", fileMax)
		return nil, p.ps.err()
	}
	for line := range strings.Lines(text) {
		p.line++
		if !p.take(line) {
			break
		}
	}
	p.finish()
	if err := p.ps.err(); err != nil {
		return nil, err
	}
	return p.f, nil
}

// ReadFile is Parse of a file, which may be a pipe.
func ReadFile(path string, mode Mode) (*File, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, &Problems{First: []Problem{{File: path, Text: "it is a directory: name the profile in it"}}}
	}
	r, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("profile: %w: name a file that is there and can be read, or record one", err)
	}
	defer r.Close()
	return Parse(path, r, mode)
}

type parser struct {
	f       *File
	mode    Mode
	forms   map[string]form
	line    int
	begun   bool // the version has been read
	newer   bool // it is a newer one
	bad     bool // the statement at hand is
	facts   string
	above   []string       // comments whose statement has not come yet
	systems map[string]int // index in the profile, or -1: it was stated badly
	ps      Problems
}

// fail notes a problem. Column 0 is the line as a whole. What is wrong with a
// statement of a newer version is that we don't know it.
func (p *parser) fail(column int, format string, args ...any) {
	p.bad = true
	if p.newer {
		return
	}
	p.refuse(column, format, args...)
}

// refuse notes a problem of files of any version.
func (p *parser) refuse(column int, format string, args ...any) {
	p.bad = true
	p.ps.add(Problem{File: p.f.Name, Line: max(p.line, 1), Column: column, Text: fmt.Sprintf(format, args...)})
}

// take reads a line; false: there is no point in going on.
func (p *parser) take(line string) bool {
	text, whole := strings.CutSuffix(line, "\n")
	text = strings.TrimSuffix(text, "\r")
	if !whole && p.cutOff(text) {
		return false
	}
	if i := badByte(text); i >= 0 {
		p.refuse(i+1, "byte %#02x is none of a text: the file is binary or damaged; name another one, record it anew, or write such a name in quotes with escapes", text[i])
		return false
	}
	if len(text) > lineMax {
		p.refuse(lineMax, "the line has %d bytes, and at most %d are taken: split it up, or use shorter names", len(text), lineMax)
		return p.begun
	}
	if !p.begun {
		return p.begin(text)
	}
	words, comment, column, problem := splitLine(text)
	p.bad = false
	if column > 0 {
		p.fail(column, "%s", problem)
		p.dropped()
		return true
	}
	if len(words) == 0 {
		p.aside(comment)
		return true
	}
	if p.f.Statements++; p.f.Statements > statementMax {
		p.refuse(0, "it has more than %d statements: record less", statementMax)
		return false
	}
	p.statement(words, comment)
	return true
}

// cutOff tells whether the last line, which has no end, shows that the file was cut off.
func (p *parser) cutOff(text string) bool {
	words, _, _, _ := splitLine(text)
	if _, stated := p.f.lines["end"]; stated || p.facts == "" || len(words) == 1 && words[0].is("end") {
		return false
	}
	p.refuse(0, "the file is cut off in this line: record it anew, or mend the line and put `end` below")
	return true
}

// aside takes a line without a statement.
func (p *parser) aside(comment string) {
	switch {
	case comment != "":
		p.above = append(p.above, comment)
	case p.f.Statements == 0 && len(p.above) > 0:
		p.f.Comments.Head = joinBlocks(p.f.Comments.Head, p.above)
		p.above = nil
	case len(p.above) > 0 && p.above[len(p.above)-1] != "":
		p.above = append(p.above, "") // for the tail, if it comes to that
	}
}

func (p *parser) begin(text string) bool {
	words, comment, column, problem := splitLine(text)
	if len(words) == 0 && column == 0 {
		p.aside(comment)
		return true
	}
	p.begun = true
	if len(words) > 1 && words[0].is("ashlar") && !words[1].is("profile") {
		p.refuse(words[1].column, "it is an ashlar %.40s, not a profile: name another file", words[1].text)
		return false
	}
	if len(words) < 3 || !words[0].is("ashlar") {
		p.refuse(max(column, 1), "it is no profile, or not a whole one: a profile begins with \"ashlar profile %d\"; name another file, or put that line first", Version)
		return false
	}
	v, err := strconv.ParseUint(words[2].text, 10, 64)
	rest := words[3:]
	switch {
	case errors.Is(err, strconv.ErrRange), err == nil && v > Version:
		if p.newer = p.mode == Lenient; !p.newer {
			p.refuse(words[2].column, "it has version %.40s, and this program knows up to %d: use a newer ashlar, or record it anew with this one", words[2].text, Version)
		}
	case err != nil || v < 1:
		p.refuse(words[2].column, "%.40q is not a version: the first line is \"ashlar profile %d\"", words[2].text, Version)
	case len(rest) > 0:
		p.refuse(rest[0].column, "%.40q: nothing stands behind the version: begin a new line, or a comment with #", rest[0].text)
	case column > 0:
		p.refuse(column, "%s", problem)
	}
	if comment != "" {
		p.above = append(p.above, comment)
	}
	p.aside("")
	return len(p.ps.First) == 0
}

// statement takes one.
func (p *parser) statement(words []word, comment string) {
	c := &cursor{p: p, words: words, i: 1}
	f, known := p.forms[words[0].text]
	about := ""
	switch line, ended := p.f.lines["end"]; {
	case ended:
		p.fail(words[0].column, "`end` stands in line %d already: put statements above it", line)
	case !known || words[0].quoted:
		p.fail(words[0].column, "%.40q is no statement: a line begins with %s", words[0].text, p.known())
	default:
		c.form = f
		about = f.take(c)
	}
	if p.bad {
		p.dropped()
		return
	}
	if len(p.above) > 0 || comment != "" {
		above := slices.DeleteFunc(p.above, func(line string) bool { return line == "" })
		p.f.Comments.At[about] = Comment{copied(above), comment}
		p.above = nil
	}
}

// dropped counts what a newer version says and this one does not understand.
func (p *parser) dropped() {
	if p.newer {
		p.f.Unknown++
	}
}

// finish finds what only the end of a file shows.
func (p *parser) finish() {
	f := p.f
	switch {
	case len(p.ps.First) > 0:
	case !p.begun && p.line == 0:
		p.refuse(0, "it is empty: a profile begins with \"ashlar profile %d\"", Version)
	case !p.begun:
		p.refuse(0, "it has no statement: a profile begins with \"ashlar profile %d\"", Version)
	}
	if n := len(p.above) - 1; n >= 0 && p.above[n] == "" {
		p.above = p.above[:n]
	}
	if f.Statements == 0 {
		f.Comments.Head = joinBlocks(f.Comments.Head, p.above)
	} else {
		f.Comments.Tail = p.above
	}
	if line, ok := f.lines[p.facts]; ok && p.facts != "frames" && f.lines["frames"] == 0 {
		p.line = line
		p.refuse(0, "facts are sums over frames, and `frames` is nowhere stated: put `frames N` first")
	}
	if p.facts != "" && f.lines["end"] == 0 && len(p.ps.First) == 0 {
		p.refuse(0, "it has facts and no `end`: the file is cut off below this line; record it anew, or put `end` last if it is whole")
	}
	if len(p.ps.First) > 0 {
		return
	}
	f.Profile = f.Profile.Canonical()
	f.Comments = f.Comments.settled(f.Profile.statements())
	// What was read can be written: limits of the canonical text hold as well.
	_, err := f.text()
	if ps, ok := errors.AsType[*Problems](err); ok {
		for _, problem := range ps.First {
			problem.File, problem.Line = f.Name, f.lines[problem.about]
			p.ps.add(problem)
		}
		p.ps.More += ps.More
	}
}
