package profile

import (
	"fmt"
	"strings"
)

// Problem is one thing that is wrong with a profile.
type Problem struct {
	File         string // "" for a profile that is not from a file
	Line, Column int    // from 1, the column in bytes; 0 where there is none
	Text         string // what is wrong and what to do

	about string // subject of the statement, if it is one
}

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

// Problems is everything that is wrong with a profile: an error of a line a problem.
type Problems struct {
	First []Problem // at most 20: nobody reads more
	More  int       // problems besides
}

const problemsMax = 20

func (ps *Problems) Error() string {
	lines := make([]string, len(ps.First))
	for i, p := range ps.First {
		lines[i] = p.Error()
	}
	if ps.More > 0 {
		lines = append(lines, Problem{File: ps.First[0].File, Text: fmt.Sprintf("and %d problems more", ps.More)}.Error())
	}
	return strings.Join(lines, "\n")
}

func (ps *Problems) add(p Problem) {
	if len(ps.First) == problemsMax {
		ps.More++
		return
	}
	ps.First = append(ps.First, p)
}

// err is the problems as an error: nil if there are none.
func (ps *Problems) err() error {
	if len(ps.First) == 0 {
		return nil
	}
	return ps
}

// Mode says what is done with what this program can't use: a statement of a newer
// version of the text form; a system, group or component that the program has not; a
// file that can't be read where none has to be.
type Mode uint8

const (
	Lenient Mode = iota // it is dropped, counted and reported, and the rest is used
	Strict              // all of it is an error
)
