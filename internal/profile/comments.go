package profile

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// settled moves the comments of statements that are not in the list to the tail, which
// is the head where there is no statement at all.
func (c Comments) settled(list []statement) Comments {
	gone := maps.Clone(c.At)
	for _, s := range list {
		delete(gone, s.subject)
	}
	if len(gone) > 0 {
		c.At = maps.Clone(c.At)
	}
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(gone)) {
		delete(c.At, key)
		lines = append(lines, gone[key].Above...)
		if b := gone[key].Behind; b != "" {
			lines = append(lines, b)
		}
	}
	c.Tail = joinBlocks(lines, c.Tail)
	if len(list) == 0 {
		c.Head, c.Tail = joinBlocks(c.Head, c.Tail), nil
	}
	return c
}

// joinBlocks puts two blocks of comments behind each other, an empty line between them.
func joinBlocks(a, b []string) []string {
	if len(a) == 0 || len(b) == 0 {
		return slices.Concat(a, b)
	}
	return slices.Concat(a, []string{""}, b)
}

// check refuses what would be read back as something else than a comment.
func (c *Comments) check(ps *Problems) {
	refuse := func(about, line string) {
		if line == "" || line[0] != '#' || badByte(line) >= 0 || len(line) > lineMax/4 || strings.TrimRight(line, " \t") != line {
			ps.add(Problem{Text: fmt.Sprintf("comment %.40q: one is a line of at most %d bytes of text that begins with # and does not end in blanks", line, lineMax/4), about: about})
		}
	}
	block := func(lines []string) {
		for i, l := range lines {
			// One empty line at a time, and between comments alone.
			if l != "" || i == 0 || i == len(lines)-1 || lines[i-1] == "" {
				refuse("", l)
			}
		}
	}
	block(c.Head)
	for _, key := range slices.Sorted(maps.Keys(c.At)) {
		for _, l := range c.At[key].Above {
			refuse(key, l)
		}
		if b := c.At[key].Behind; b != "" {
			refuse(key, b)
		}
	}
	block(c.Tail)
}

// badByte is where a line has what text has not, a control character or broken UTF-8: -1 if nowhere.
func badByte(line string) int {
	for i, r := range line {
		if r < ' ' && r != '\t' || r == 0x7f {
			return i
		}
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(line[i:]); n == 1 {
				return i
			}
		}
	}
	return -1
}

// mergeComments says what either says, and what both say once.
func mergeComments(a, b Comments) Comments {
	m := Comments{Head: mergeBlocks(a.Head, b.Head), Tail: mergeBlocks(a.Tail, b.Tail), At: maps.Clone(a.At)}
	if m.At == nil {
		m.At = make(map[string]Comment, len(b.At))
	}
	for key, c := range b.At {
		was := m.At[key]
		above := slices.Concat(was.Above, unsaid(was.Above, c.Above))
		switch {
		case was.Behind == "":
			was.Behind = c.Behind
		case c.Behind != was.Behind && c.Behind != "":
			above = append(above, unsaid(above, []string{c.Behind})...)
		}
		m.At[key] = Comment{above, was.Behind}
	}
	return m
}

func mergeBlocks(a, b []string) []string {
	if len(unsaid(a, b)) == 0 {
		return slices.Clone(a)
	}
	return joinBlocks(a, b)
}

// unsaid is what b says and a does not.
func unsaid(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(b), func(line string) bool { return line == "" && len(a) > 0 || slices.Contains(a, line) })
}
