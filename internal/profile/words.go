package profile

import (
	"fmt"
	"strconv"
	"strings"
)

// word is one word of a line.
type word struct {
	text   string // a quoted one without quotes and escapes
	column int    // of its first byte, from 1
	quoted bool   // so it is a name, not a keyword
}

// comma is the word between the names of a list.
func (w word) comma() bool { return w.text == "," && !w.quoted }

// is tells whether it is this keyword.
func (w word) is(keyword string) bool { return w.text == keyword && !w.quoted }

// splitLine cuts a line into words and the comment at its end. Where it fails, column is
// that of the problem, which is 0 otherwise.
func splitLine(line string) (words []word, comment string, column int, problem string) {
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == ' ' || c == '\t':
			i++
		case c == '#':
			return words, strings.TrimRight(line[i:], " \t"), 0, ""
		case c == ',':
			words = append(words, word{text: ",", column: i + 1})
			i++
		case c == '"':
			quoted, err := strconv.QuotedPrefix(line[i:])
			if err != nil {
				return nil, "", i + 1, "the quote is not closed, or has an escape that Go has not: close it, and write \\\\ for a backslash"
			}
			text, _ := strconv.Unquote(quoted) // what QuotedPrefix takes can be unquoted
			words = append(words, word{text, i + 1, true})
			i += len(quoted)
		default:
			n := strings.IndexAny(line[i:], " \t#\",")
			if n < 0 {
				n = len(line) - i
			}
			w := word{text: line[i : i+n], column: i + 1}
			if quote(w.text) != w.text {
				return nil, "", w.column, fmt.Sprintf("%.40q has a character that can't be seen: put it in quotes if it is meant", w.text)
			}
			words = append(words, w)
			i += n
		}
	}
	return words, "", 0, ""
}
