package profile

import (
	"fmt"
	"io"
	"strings"
)

// File is a profile as a file holds it, with its comments. The zero value is an
// empty file, and File{Profile: p} one without comments.
type File struct {
	Profile
	Comments Comments

	Name       string // stands for the file in errors
	Statements int    // that were read
	Unknown    int    // statements of a newer version that were dropped

	lines map[string]int // subject → line, for messages
}

// Comments are the comments of a file, each line with its # and without a line's end;
// an empty line in Head or Tail keeps paragraphs apart.
type Comments struct {
	Head []string           // below the version
	At   map[string]Comment // by the words that a statement begins with in canonical text, up to its figures
	Tail []string           // behind the last statement, and those whose statement has gone
}

// Comment is what is said of one statement.
type Comment struct {
	Above  []string
	Behind string // in the same line, or ""
}

// WriteTo writes the canonical text: Parse reads the same profile and comments back,
// in canonical order, and writing those gives the same text. What the text form can't carry is
// refused as in [Profile.Check], before anything is written.
func (f *File) WriteTo(w io.Writer) (int64, error) {
	text, err := f.whole()
	if err != nil {
		return 0, err
	}
	n, err := io.WriteString(w, text)
	return int64(n), err
}

// whole is the text if that is all that the file had.
func (f *File) whole() (string, error) {
	if f.Unknown > 0 {
		return "", &Problems{First: []Problem{{File: f.Name, Text: fmt.Sprintf("%d statements of a newer version would be lost: write it with a newer ashlar, or set Unknown to 0 to lose them", f.Unknown)}}}
	}
	return f.text()
}

func (f *File) text() (string, error) {
	p := f.Profile.Canonical()
	list := p.statements()
	ps := p.problems(list)
	f.Comments.check(ps)
	if err := ps.err(); err != nil {
		return "", err
	}
	c := f.Comments.settled(list)
	var b strings.Builder
	fmt.Fprintf(&b, "ashlar profile %d\n", Version)
	block := func(lines []string) {
		for _, l := range lines {
			b.WriteString(l + "\n")
		}
	}
	block(c.Head)
	section := -1
	for _, s := range list {
		if s.section != section {
			b.WriteString("\n")
			section = s.section
		}
		block(c.At[s.subject].Above)
		b.WriteString(s.text)
		if behind := c.At[s.subject].Behind; behind != "" {
			b.WriteString(" " + behind)
		}
		b.WriteString("\n")
	}
	if len(c.Tail) > 0 {
		b.WriteString("\n")
		block(c.Tail)
	}
	if b.Len() > fileMax {
		return "", &Problems{First: []Problem{{File: f.Name, Text: fmt.Sprintf("it would have %d bytes, and a profile has at most %d: record less, or take comments out", b.Len(), fileMax)}}}
	}
	return b.String(), nil
}
