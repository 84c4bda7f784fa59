package pattern

import (
	"strconv"
	"strings"
)

// rle reads comments, the header and the cells.
func (in *reader) rle() (*Pattern, error) {
	p := &Pattern{Rule: Life()}
	if err := in.header(p); err != nil {
		return nil, err
	}
	if err := in.runs(p); err != nil {
		return nil, err
	}
	return p, nil
}

// header reads the lines that begin with #, and "x = m, y = n, rule = r".
func (in *reader) header(p *Pattern) error {
	for {
		line, col := in.line, in.col
		c, ok, err := in.next()
		switch {
		case err != nil:
			return err
		case !ok:
			in.line, in.col = line, col
			return in.fail("the file has no header: a pattern begins with a line such as \"x = 3, y = 3, rule = B3/S23\"")
		case c == '\n':
			in.line, in.col = in.line+1, 0
		case c == ' ' || c == '\t' || c == '\r':
		case c == '#':
			text, err := in.restOfLine()
			if err != nil {
				return err
			}
			in.comment(p, text)
		case c == 'x' || c == 'X':
			text, err := in.restOfLine()
			in.line, in.col = in.line-1, 1
			if err != nil {
				return err
			}
			if err := in.box(p, "x"+text); err != nil {
				return err
			}
			in.line, in.col = in.line+1, 0
			return nil
		default:
			return in.fail("%q where the header should be: a line such as \"x = 3, y = 3, rule = B3/S23\", with comments behind # before it", c)
		}
	}
}

func (in *reader) comment(p *Pattern, text string) {
	kind, rest := "", text
	if text != "" {
		kind, rest = text[:1], strings.TrimSpace(text[1:])
	}
	switch {
	case kind == "N" && p.Name == "":
		p.Name = rest
	case len(p.Comments) < 256 && rest != "" && (kind == "C" || kind == "c" || kind == "O"):
		p.Comments = append(p.Comments, rest)
	}
}

func (in *reader) box(p *Pattern, text string) error {
	var hasX, hasY bool
	for part := range strings.SplitSeq(text, ",") {
		key, value, ok := strings.Cut(part, "=")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		switch {
		case key == "x" && ok || key == "y" && ok:
			n, err := strconv.Atoi(value)
			if err != nil || n < 0 || n > SideMax {
				return in.fail("%s = %q: a side is a number from 0 to %d", key, value, SideMax)
			}
			if key == "x" {
				p.Width, hasX = n, true
			} else {
				p.Height, hasY = n, true
			}
		case key == "rule" && ok:
			rule, why := ParseRule(value)
			if why != "" {
				return in.fail("rule %q: %s", value, why)
			}
			p.Rule = rule
		case strings.TrimSpace(part) == "":
		default:
			return in.fail("%q in the header is not known: it has x, y and rule", strings.TrimSpace(part))
		}
	}
	if !hasX || !hasY {
		return in.fail("the header lacks x or y: a line such as \"x = 3, y = 3, rule = B3/S23\"")
	}
	return nil
}

// runs reads the cells: counts, b or . for dead, o for alive, $ for the end of a
// row, ! for the end.
func (in *reader) runs(p *Pattern) error {
	x, y, count := 0, 0, 0
	counted := false
	for {
		c, ok, err := in.next()
		if err != nil {
			return err
		}
		if !ok {
			return in.fail("the cells end without \"!\": the file is cut off")
		}
		if c >= '0' && c <= '9' {
			if count = count*10 + int(c-'0'); count > SideMax {
				return in.fail("a run longer than %d", SideMax)
			}
			counted = true
			continue
		}
		n := count
		if !counted {
			n = 1
		}
		switch {
		case c == '\n':
			in.line, in.col = in.line+1, 0
			continue
		case c == ' ' || c == '\t' || c == '\r':
			continue
		case c == '!':
			return nil
		case c == '$':
			x, y = 0, y+n
		case c == 'b':
			x += n
		case c == 'o':
			if x+n > p.Width || y >= p.Height {
				return in.fail("cells outside the box of %d by %d that the header gives: correct x and y", p.Width, p.Height)
			}
			if len(p.Cells)+n > CellsMax {
				return in.fail("more than %d live cells", CellsMax)
			}
			for range n {
				p.Cells = append(p.Cells, Point{x, y})
				x++
			}
		case c == '.' || c >= 'A' && c <= 'X' || c >= 'p' && c <= 'y':
			return in.fail("state %q: this is a pattern with more than two states, and only two-state patterns (b, o) are read", c)
		case c == '#':
			return in.fail("a comment among the cells: comments stand before the header")
		default:
			return in.fail("%q among the cells: b, o, $, ! and numbers are known", c)
		}
		count, counted = 0, false
	}
}

// ParseRule reads "B3/S23", "b3s23", or the older "23/3" (survive/born). If it
// can't, why says so.
func ParseRule(s string) (r Rule, why string) {
	if bounded := strings.IndexByte(s, ':'); bounded >= 0 {
		return r, "a bounded grid behind \":\" is not read from the pattern: remove it and use -size and -torus"
	}
	s = strings.ToUpper(strings.TrimSpace(s))
	a, b, slash := strings.Cut(s, "/")
	switch {
	case !slash && strings.HasPrefix(s, "B") && strings.Contains(s, "S"):
		a, b, _ = strings.Cut(s[1:], "S")
	case slash && strings.HasPrefix(a, "B") && strings.HasPrefix(b, "S"):
		a, b = a[1:], b[1:]
	case slash && strings.HasPrefix(a, "S") && strings.HasPrefix(b, "B"):
		a, b = b[1:], a[1:]
	case slash:
		a, b = b, a
	default:
		return r, "only life-like rules are known, written B3/S23 or 23/3"
	}
	var ok bool
	if r.Born, ok = neighbours(a); !ok {
		return r, "only life-like rules are known, written B3/S23 or 23/3"
	}
	if r.Survive, ok = neighbours(b); !ok {
		return r, "only life-like rules are known, written B3/S23 or 23/3"
	}
	if r.Born&1 != 0 {
		return r, "cells are born without neighbours (B0), which would light the whole plane"
	}
	return r, ""
}

func neighbours(digits string) (set uint16, ok bool) {
	for _, d := range digits {
		if d < '0' || d > '8' {
			return 0, false
		}
		set |= 1 << (d - '0')
	}
	return set, true
}
