package pattern

import (
	"errors"
	"strings"
)

// Rule says with how many live neighbours, of eight, a cell is born and survives:
// bit n of each stands for n neighbours.
type Rule struct{ Born, Survive uint16 }

// Life is Conway's rule, B3/S23.
func Life() Rule { return Rule{Born: 1 << 3, Survive: 1<<2 | 1<<3} }

// String is the rule as ParseRule reads it: B3/S23.
func (r Rule) String() string {
	return "B" + digits(r.Born) + "/S" + digits(r.Survive)
}

func digits(set uint16) string {
	var b strings.Builder
	for n := range 9 {
		if set>>n&1 != 0 {
			b.WriteByte(byte('0' + n))
		}
	}
	return b.String()
}

var (
	errRuleForm = errors.New("only rules that count live neighbours are known: write B3/S23, or 23/3 (survive/born)")
	errRuleZero = errors.New("cells are born without neighbours (B0), which would light the whole plane: use a rule without B0")
	errRuleGrid = errors.New("a bounded grid behind \":\" is not read from the pattern: take it out and run with -size WxH, and -torus where it says T")
)

// ParseRule reads a rule that counts live neighbours: "B3/S23", "S23/B3", "b3s23",
// the older "23/3" (survive/born), or "Life". Any set of counts is valid but sets
// with B0. Errors name a valid text; they do not name the rule.
func ParseRule(s string) (Rule, error) {
	if strings.Contains(s, ":") {
		return Rule{}, errRuleGrid
	}
	s = strings.ToUpper(strings.TrimSpace(s))
	if s == "LIFE" {
		return Life(), nil
	}
	born, survive, ok := splitRule(s)
	if !ok {
		return Rule{}, errRuleForm
	}
	b, okB := counts(born)
	v, okV := counts(survive)
	switch {
	case !okB || !okV:
		return Rule{}, errRuleForm
	case b&1 != 0:
		return Rule{}, errRuleZero
	}
	return Rule{b, v}, nil
}

// splitRule finds the digits of both halves.
func splitRule(s string) (born, survive string, ok bool) {
	a, b, slash := strings.Cut(s, "/")
	switch {
	case !slash && strings.HasPrefix(s, "B"):
		return strings.Cut(s[1:], "S")
	case !slash && strings.HasPrefix(s, "S"):
		survive, born, ok = strings.Cut(s[1:], "B")
		return born, survive, ok
	case !slash:
		return "", "", false
	case strings.HasPrefix(a, "B") && strings.HasPrefix(b, "S"):
		return a[1:], b[1:], true
	case strings.HasPrefix(a, "S") && strings.HasPrefix(b, "B"):
		return b[1:], a[1:], true
	}
	return b, a, true // letters that are left are no digits, and refused
}

// counts reads a set of neighbour counts, 0 to 8.
func counts(s string) (set uint16, ok bool) {
	for _, d := range s {
		if d < '0' || d > '8' {
			return 0, false
		}
		set |= 1 << (d - '0')
	}
	return set, true
}
