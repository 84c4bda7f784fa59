package pattern

import (
	"fmt"
	"strings"
)

// reader walks the text of a file, and knows where it is for messages.
type reader struct {
	name, text string
	at         int // the byte that is looked at
}

// fail says what is wrong with a byte.
func (in *reader) fail(at int, format string, args ...any) error {
	before := in.text[:at]
	line, col := 1+strings.Count(before, "\n"), at-strings.LastIndexByte(before, '\n')
	return fmt.Errorf("%s:%d:%d: %w", in.name, line, col, fmt.Errorf(format, args...))
}

// restOfLine passes over the line, and returns its text from here on.
func (in *reader) restOfLine() string {
	line, _, _ := strings.Cut(in.text[in.at:], "\n")
	in.at = min(in.at+len(line)+1, len(in.text))
	return line
}
