// Package lines writes text of at most 80 columns, for the reports of a world.
package lines

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// width is how many columns a text has.
const width = 80

// Text is lines of at most that many columns, if words allow.
type Text struct{ strings.Builder }

// Line adds a line that is indented so far, and continued further in.
func (t *Text) Line(indent int, format string, args ...any) {
	column := 0
	for i, word := range strings.Fields(fmt.Sprintf(format, args...)) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
			t.WriteString(strings.Repeat(" ", indent))
			column = indent
		case column+1+n > width:
			t.WriteString("\n" + strings.Repeat(" ", indent+4))
			column = indent + 4
		default:
			t.WriteByte(' ')
			column++
		}
		t.WriteString(word)
		column += n
	}
	t.WriteByte('\n')
}

// Count is a number of things, in words.
func Count[N int | uint64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Size is a size in words.
func Size(n uint64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	default:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
}
