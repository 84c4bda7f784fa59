package text

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
	for _, n := range []int{p.Line, p.Column} {
		if n > 0 {
			where += fmt.Sprintf(":%d", n)
		}
	}
	if where == "" {
		where = "profile"
	}
	return where + ": " + p.Text
}

// Problems is an error that lists everything that is wrong with a file.
type Problems struct {
	first  []Problem // at most 20
	more   int       // number of further problems
	stated map[string]bool
}

const problemsMax = 20

// Error returns a line for each problem.
func (ps *Problems) Error() string {
	list := ps.first
	if ps.more > 0 {
		list = append(list, Problem{File: list[0].File, Text: fmt.Sprintf("and %d more problems", ps.more)})
	}
	lines := make([]string, len(list))
	for i, p := range list {
		lines[i] = p.Error()
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

// State notes a statement that is to be written, by its subject, with its fault unless that is "". A second
// statement of a subject is a fault, too.
func (ps *Problems) State(subject, fault string) {
	if ps.stated == nil {
		ps.stated = make(map[string]bool)
	}
	if ps.stated[subject] {
		fault = "it is stated twice: leave one"
	}
	if ps.stated[subject] = true; fault != "" {
		ps.Add(Problem{Text: Cut(subject) + ": " + fault})
	}
}

// Cut returns the beginning of a text.
func Cut(subject string) string { return subject[:min(len(subject), 80)] }

// Count returns the number of problems.
func (ps *Problems) Count() int { return len(ps.first) + ps.more }

// Err returns the problems as an error, or nil if the list is empty.
func (ps *Problems) Err() error {
	if ps.Count() == 0 {
		return nil
	}
	return ps
}
