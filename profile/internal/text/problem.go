package text

import (
	"cmp"
	"fmt"
	"io"
	"strings"
)

// Problem is one thing that is wrong with a file.
type Problem struct {
	File         string // "" if the text is not in a file
	Line, Column int    // from 1, the column in bytes; 0 if unknown
	Text         string // the fault and its remedy
}

// Error returns "file:line:column: text", without the parts that are unknown.
func (p Problem) Error() string {
	where := p.File
	if p.Line > 0 {
		where += fmt.Sprintf(":%d", p.Line)
	}
	if p.Column > 0 {
		where += fmt.Sprintf(":%d", p.Column)
	}
	if where == "" {
		return "profile: " + p.Text
	}
	return where + ": " + p.Text
}

// Problems is an error that lists everything that is wrong with a file.
type Problems struct {
	first []Problem // at most 20
	more  int       // number of further problems
}

const problemsMax = 20

// Error returns a line for each problem.
func (ps *Problems) Error() string {
	lines := make([]string, len(ps.first))
	for i, p := range ps.first {
		lines[i] = p.Error()
	}
	if ps.more > 0 {
		lines = append(lines, Problem{File: ps.first[0].File, Text: fmt.Sprintf("and %d more problems", ps.more)}.Error())
	}
	return strings.Join(lines, "\n")
}

// Add adds a problem.
func (ps *Problems) Add(p Problem) {
	if len(ps.first) == problemsMax {
		ps.more++
		return
	}
	ps.first = append(ps.first, p)
}

// Count returns the number of problems.
func (ps *Problems) Count() int { return len(ps.first) + ps.more }

// Err returns the problems as an error, or nil if the list is empty.
func (ps *Problems) Err() error {
	if ps.Count() == 0 {
		return nil
	}
	return ps
}

// ReadAll is Read that collects the problems. The error lists them, or wraps the error of r.
func ReadAll(name string, r io.Reader, f Form) error {
	var ps Problems
	err := Read(name, r, f, func(line, column int, text string) {
		ps.Add(Problem{File: name, Line: line, Column: column, Text: text})
	})
	return cmp.Or(err, ps.Err())
}
