package text

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is one word of a line.
type word struct {
	text   string // unquoted
	column int    // of its first byte, from 1
	quoted bool   // so it is a name, not a keyword
}

func (w word) comma() bool { return w.text == "," && !w.quoted }

// is reports whether the word is this keyword.
func (w word) is(keyword string) bool { return w.text == keyword && !w.quoted }

// split cuts a line into words, up to a comment.
func (p *reader) split(line string) {
	p.words, p.comment = p.words[:0], ""
	for i := 0; i < len(line); {
		switch c := line[i]; c {
		case ' ', '\t':
			i++
		case '#':
			p.comment = strings.TrimSpace(line[i+1:])
			return
		case ',':
			p.words = append(p.words, word{text: ",", column: i + 1})
			i++
		case '"':
			quoted, err := strconv.QuotedPrefix(line[i:])
			if err != nil {
				p.fail(i+1, "the quote is not closed, or has an unknown escape: close it, and write \\\\ for a backslash")
				return
			}
			name, _ := strconv.Unquote(quoted) // QuotedPrefix has checked it
			p.words = append(p.words, word{name, i + 1, true})
			i += len(quoted)
		default:
			n := strings.IndexAny(line[i:], " \t#\",")
			if n < 0 {
				n = len(line) - i
			}
			w := word{text: line[i : i+n], column: i + 1}
			if Quote(w.text) != w.text {
				p.fail(w.column, "%.40q has an invisible character: put it in quotes if it is meant", w.text)
				return
			}
			p.words = append(p.words, w)
			i += n
		}
	}
}

// badByte returns where a line has a control character or broken UTF-8, or -1.
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

// Quote makes a name one word of a line.
func Quote(name string) string {
	odd := func(r rune) bool {
		return r == utf8.RuneError || r == '#' || r == '"' || r == ',' || unicode.IsSpace(r) || !strconv.IsPrint(r)
	}
	if name == "" || strings.ContainsFunc(name, odd) {
		return strconv.Quote(name)
	}
	return name
}

// QuoteList makes names a list with commas.
func QuoteList(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = Quote(n)
	}
	return strings.Join(quoted, ",")
}

// BadName describes the fault of a name, or returns "".
func BadName(name string) string {
	switch {
	case name == "":
		return "a name is empty: give it one"
	case len(name) > nameMax:
		return fmt.Sprintf("a name has %d bytes, more than %d: use a shorter one", len(name), nameMax)
	}
	return ""
}

// badNames is BadName for a list. A repeated name is a problem too.
func badNames(names ...string) string {
	seen := make(map[string]bool, len(names))
	for _, n := range names {
		if bad := BadName(n); bad != "" {
			return bad
		}
		if seen[n] {
			return fmt.Sprintf("%s is named twice: leave one", Quote(n))
		}
		seen[n] = true
	}
	return ""
}
