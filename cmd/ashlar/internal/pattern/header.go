package pattern

import (
	"strconv"
	"strings"
)

// header reads the lines that begin with #, and "x = m, y = n, rule = r".
func (in *reader) header(p *Pattern) error {
	const example = "a line such as \"x = 3, y = 3, rule = B3/S23\""
	old, oldAt := "", -1 // the rule of a line "#r 23/3", which counts unless the header has one
	for in.at < len(in.text) {
		begin := in.at
		switch c := in.text[begin]; c {
		case '\n', ' ', '\t', '\r':
			in.at++
		case '#':
			text := in.restOfLine()
			if name, is := strings.CutPrefix(text, "#N"); is {
				p.setName(name)
			} else if rule, is := strings.CutPrefix(text, "#r "); is && oldAt < 0 {
				old, oldAt = strings.TrimSpace(rule), begin
			}
		case 'x', 'X':
			hasRule, err := in.box(p, in.restOfLine(), begin)
			if err != nil || hasRule || oldAt < 0 {
				return err
			}
			return in.rule(p, old, oldAt)
		default:
			return in.fail(begin, "%q where the header should be: put %s there, with comments behind # before it (plaintext patterns end in .cells)", c, example)
		}
	}
	return in.fail(in.at, "the file has no header: put %s before the cells", example)
}

// rule reads a rule that stands at a place.
func (in *reader) rule(p *Pattern, text string, at int) (err error) {
	if p.Rule, err = ParseRule(text); err != nil {
		return in.fail(at, "rule %q: %w", text, err)
	}
	return nil
}

// box reads the header's fields, which begin at a place, and reports whether one is the rule.
func (in *reader) box(p *Pattern, text string, begin int) (hasRule bool, err error) {
	seen := map[string]bool{}
	for rest, more := text, true; more; {
		at := begin + len(text) - len(rest)
		var field string
		field, rest, more = strings.Cut(rest, ",")
		key, value, ok := strings.Cut(field, "=")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		at += len(field) - len(strings.TrimLeft(field, " \t"))
		switch {
		case seen[key] && key != "":
			return false, in.fail(at, "the header says %s twice: take one out", key)
		case ok && (key == "x" || key == "y"):
			n, err := strconv.Atoi(value)
			if err != nil || n < 0 || n > SideMax {
				return false, in.fail(at, "%s = %q: a side is a number from 0 to %d", key, value, SideMax)
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
			if err := in.rule(p, strings.TrimRight(value, ", \t"), at); err != nil {
				return false, err
			}
		case strings.TrimSpace(field) == "":
		default:
			return false, in.fail(at, "%q in the header is not known: it has x, y and rule alone", strings.TrimSpace(field))
		}
		seen[key] = true
	}
	if !seen["x"] || !seen["y"] {
		return false, in.fail(begin, "the header lacks x or y: write a line such as \"x = 3, y = 3, rule = B3/S23\"")
	}
	return seen["rule"], nil
}
