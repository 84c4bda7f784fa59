package profile

import (
	"fmt"
	"strings"
)

// problem is one thing that is wrong with a file.
type problem struct {
	file         string // "" if the text is not in a file
	line, column int    // from 1, the column in bytes; 0 if unknown
	text         string // the fault and its remedy
}

// Error returns "file:line:column: text", without the parts that are unknown.
func (p problem) Error() string {
	where := p.file
	if p.line > 0 {
		where += fmt.Sprintf(":%d", p.line)
	}
	if p.column > 0 {
		where += fmt.Sprintf(":%d", p.column)
	}
	if where == "" {
		return "profile: " + p.text
	}
	return where + ": " + p.text
}

// problems is an error that lists everything that is wrong with a file.
type problems struct {
	first []problem // at most 20
	more  int       // number of further problems
}

const problemsMax = 20

// Error returns a line for each problem.
func (ps *problems) Error() string {
	lines := make([]string, len(ps.first))
	for i, p := range ps.first {
		lines[i] = p.Error()
	}
	if ps.more > 0 {
		lines = append(lines, problem{file: ps.first[0].file, text: fmt.Sprintf("and %d more problems", ps.more)}.Error())
	}
	return strings.Join(lines, "\n")
}

// add adds a problem.
func (ps *problems) add(p problem) {
	if len(ps.first) == problemsMax {
		ps.more++
		return
	}
	ps.first = append(ps.first, p)
}

// count returns the number of problems.
func (ps *problems) count() int { return len(ps.first) + ps.more }

// err returns the problems as an error, or nil if the list is empty.
func (ps *problems) err() error {
	if ps.count() == 0 {
		return nil
	}
	return ps
}
