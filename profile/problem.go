package profile

import (
	"fmt"
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
	First []Problem // at most 20
	More  int       // number of further problems
}

const problemsMax = 20

// Error returns a line for each problem.
func (ps *Problems) Error() string {
	lines := make([]string, len(ps.First))
	for i, p := range ps.First {
		lines[i] = p.Error()
	}
	if ps.More > 0 {
		lines = append(lines, Problem{File: ps.First[0].File, Text: fmt.Sprintf("and %d more problems", ps.More)}.Error())
	}
	return strings.Join(lines, "\n")
}

// add adds a problem.
func (ps *Problems) add(p Problem) {
	if len(ps.First) == problemsMax {
		ps.More++
		return
	}
	ps.First = append(ps.First, p)
}

// Len returns the number of problems. That of nil is 0.
func (ps *Problems) Len() int {
	if ps == nil {
		return 0
	}
	return len(ps.First) + ps.More
}

// err returns the problems as an error, or nil if the list is empty.
func (ps *Problems) err() error {
	if ps.Len() == 0 {
		return nil
	}
	return ps
}
