package pattern

import (
	"strconv"
	"strings"
)

// header reads the lines that begin with #, and "x = m, y = n, rule = r".
func (in *reader) header(p *Pattern) error {
	const example = "a line such as \"x = 3, y = 3, rule = B3/S23\""
	var old oldRule
	for {
		c, ok, err := in.next()
		switch {
		case err != nil:
			return err
		case !ok:
			return in.fail("the file has no header: put %s before the cells", example)
		case c == '\n' || c == ' ' || c == '\t' || c == '\r':
		case c == '#':
			line, col := in.line, in.col
			text, err := in.restOfLine()
			if err != nil {
				return err
			}
			if text, ok := strings.CutPrefix(text, "r "); ok && old.text == "" {
				old = oldRule{strings.TrimSpace(text), line, col}
			} else if !ok {
				p.hashLine(text)
			}
		case c == 'x' || c == 'X':
			line, col := in.line, in.col
			text, err := in.restOfLine()
			if err != nil {
				return err
			}
			if len(text) >= lineMax {
				return in.failAt(line, col, "the header is longer than %d bytes: it has x, y and rule alone", lineMax)
			}
			return in.box(p, "x"+text, line, col, old)
		default:
			return in.fail("%q where the header should be: put %s there, with comments behind # before it (plaintext patterns end in .cells)", c, example)
		}
	}
}

// oldRule is the rule of a line "#r 23/3", which a rule in the header overrides.
type oldRule struct {
	text      string
	line, col int
}

// hashLine keeps the text of a line behind #, by its letter.
func (p *Pattern) hashLine(text string) {
	kind, rest := "", ""
	if text != "" {
		kind, rest = text[:1], trim(text[1:])
	}
	switch {
	case strings.HasPrefix(text, "CXRLE"): // Golly's place in the plane
	case kind == "N" && p.Name == "":
		p.Name = rest
	case kind == "O" && p.Author == "":
		p.Author = rest
	case kind == "N" || kind == "O" || kind == "C" || kind == "c":
		p.addComment(rest)
	case kind == "" || kind == "P" || kind == "R": // a place in the plane
	default: // no letter that is known, so plain words
		p.addComment(text)
	}
}

// box reads the header's fields. line and col are the position of its first byte.
func (in *reader) box(p *Pattern, text string, line, col int, old oldRule) error {
	seen := map[string]bool{}
	for rest, more := text, true; more; {
		at := col + len(text) - len(rest)
		var field string
		field, rest, more = strings.Cut(rest, ",")
		key, value, ok := strings.Cut(field, "=")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		at += len(field) - len(strings.TrimLeft(field, " \t"))
		switch {
		case seen[key] && key != "":
			return in.failAt(line, at, "the header says %s twice: take one out", key)
		case ok && (key == "x" || key == "y"):
			n, err := strconv.Atoi(value)
			if err != nil || n < 0 || n > SideMax {
				return in.failAt(line, at, "%s = %q: a side is a number from 0 to %d", key, value, SideMax)
			}
			if key == "x" {
				p.Width = n
			} else {
				p.Height = n
			}
		case ok && key == "rule":
			if more { // a rule is the last field, and may hold a comma: B3/S23:T100,200
				value, more = value+","+strings.TrimSpace(rest), false
			}
			value = strings.TrimRight(value, ", \t")
			var err error
			if p.Rule, err = ParseRule(value); err != nil {
				return in.failAt(line, at, "rule %q: %w", value, err)
			}
		case strings.TrimSpace(field) == "":
		default:
			return in.failAt(line, at, "%q in the header is not known: it has x, y and rule alone", strings.TrimSpace(field))
		}
		seen[key] = true
	}
	if !seen["x"] || !seen["y"] {
		return in.failAt(line, col, "the header lacks x or y: write a line such as \"x = 3, y = 3, rule = B3/S23\"")
	}
	if old.text != "" && !seen["rule"] {
		var err error
		if p.Rule, err = ParseRule(old.text); err != nil {
			return in.failAt(old.line, old.col, "rule %q: %w", old.text, err)
		}
	}
	return nil
}
