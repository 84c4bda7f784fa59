package layout

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/profile/internal/text"
)

// Comments of statements begin with these words if a tool has written them.
const (
	// Advised marks a statement that `ashlar advise` has written, and may write anew.
	Advised = "advised: "
	// refutedMark begins a statement that `ashlar layout try` has put out of force.
	refutedMark = "refuted: "
)

// line is a statement with its comment.
func (s Statement) line() string {
	if s.Why == "" {
		return s.String()
	}
	return s.String() + "  # " + strings.Join(strings.Fields(s.Why), " ")
}

// String returns the text of a file that states the same, in canonical order: by world, then by word,
// then as they are.
func (l Layout) String() string { return Revise("", l.Statements) }

// Revise returns the text of a layout with the statements that a profile advises. Lines of the old
// text stay, comments too, but for earlier advice: that is replaced. A statement that a person wrote
// is never changed, and one that was refuted does not come back. The old text has to be valid; "" is
// that of a new file.
func Revise(old string, advised []Statement) string {
	parts := partsOf(old)
	rank := func(s Statement) int {
		return slices.IndexFunc(forms(), func(f form) bool { return f.word == s.Word })
	}
	for _, s := range slices.SortedStableFunc(slices.Values(advised), func(a, b Statement) int {
		return cmp.Or(cmp.Compare(a.World, b.World), cmp.Compare(rank(a), rank(b)))
	}) {
		i := slices.IndexFunc(parts, func(p *part) bool { return p.world == s.World })
		if i < 0 {
			i = len(parts)
			last := parts[i-1]
			last.lines = append(last.lines[:last.end()], "")
			parts = append(parts, &part{world: s.World, lines: []string{worldWord + " " + text.Quote(s.World)}})
		}
		parts[i].add(s)
	}
	var lines []string
	for _, p := range parts {
		lines = append(lines, p.lines...)
	}
	return strings.TrimRight(strings.Join(lines, "\n"), " \t\n") + "\n"
}

// part is the lines of a text about one world.
type part struct {
	world  string
	lines  []string
	stated []string // subjects, also of statements out of force
	ends   bool     // the last line that is not blank is a statement
	added  Word     // of the statement that was added last
}

// partsOf cuts a text into its parts, without earlier advice. The first part is about every world.
func partsOf(old string) []*part {
	p := &part{}
	parts := []*part{p}
	if strings.TrimSpace(old) == "" {
		old = header
	}
	l, worlds, _ := parse("", []byte(old)) // which is valid
	left := l.Statements
	for i, line := range strings.Split(old, "\n") {
		if w, begins := worlds[i+1]; begins {
			p = &part{world: w}
			parts = append(parts, p)
		}
		line = strings.TrimRight(line, "\r")
		why, refuted := strings.CutPrefix(strings.TrimSpace(line), "# "+refutedMark)
		var s Statement
		is := len(left) > 0 && left[0].Line == i+1
		if is {
			s, left = left[0], left[1:]
		}
		switch {
		case isEnd(line), is && strings.HasPrefix(s.Why, Advised):
			continue
		case is:
			p.stated = append(p.stated, s.subject())
		case refuted:
			_, line, _ := strings.Cut(why, ": ")
			if l, err := Parse("", []byte(header+"\n"+line)); err == nil && len(l.Statements) == 1 {
				p.stated = append(p.stated, l.Statements[0].subject())
			}
		}
		p.lines = append(p.lines, line)
		p.ends = is || p.ends && strings.TrimSpace(line) == ""
	}
	return parts
}

// end returns how many lines a part has without blank ones at its end.
func (p *part) end() int {
	n := len(p.lines)
	for n > 0 && strings.TrimSpace(p.lines[n-1]) == "" {
		n--
	}
	return n
}

// add adds a statement at the end of a part, unless that states it already.
func (p *part) add(s Statement) {
	if slices.Contains(p.stated, s.subject()) {
		return
	}
	lines := []string{s.line()}
	if p.added == "" && !p.ends || p.added != "" && p.added != s.Word {
		lines = []string{"", s.line()}
	}
	p.lines = slices.Insert(p.lines, p.end(), lines...)
	p.added = s.Word
}

// isEnd reports whether a line ends a file. A layout needs none.
func isEnd(line string) bool {
	words := strings.Fields(line)
	return len(words) > 0 && strings.SplitN(words[0], "#", 2)[0] == "end"
}

// Refute puts a statement of a text out of force: its line becomes a comment that says why.
func Refute(old string, s Statement, why string) string {
	lines := strings.Split(old, "\n")
	if s.Line < 1 || s.Line > len(lines) {
		return old
	}
	lines[s.Line-1] = "# " + refutedMark + strings.ReplaceAll(why, ": ", " ") + ": " + s.String()
	return strings.Join(lines, "\n")
}
