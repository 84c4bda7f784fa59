package layout

import (
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/profile/internal/text"
)

// Comments of statements begin with these words if a tool has written them.
const (
	// Advised marks a statement that `ashlar advise` has written, and may write anew.
	Advised = "advised: "
	// Refuted marks a statement that `ashlar layout try` has put out of force.
	Refuted = "refuted: "
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
	have := make(map[string]bool) // world and subject
	var kept []string
	world := ""
	for line := range strings.Lines(old) {
		line = strings.TrimRight(line, "\r\n")
		s, is, refuted := statementOf(line, &world)
		if is && !refuted && strings.HasPrefix(s.Why, Advised) || isEnd(line) {
			continue
		}
		if is {
			have[world+"\n"+s.subject()] = true
		}
		kept = append(kept, line)
	}
	for len(kept) > 0 && strings.TrimSpace(kept[len(kept)-1]) == "" {
		kept = kept[:len(kept)-1]
	}
	if len(kept) == 0 {
		kept = []string{header}
	}
	var come []Statement
	for _, s := range advised {
		if !have[s.World+"\n"+s.subject()] {
			come = append(come, s)
		}
	}
	rank := func(s Statement) int {
		return slices.IndexFunc(forms(), func(f form) bool { return f.word == s.Word })
	}
	slices.SortStableFunc(come, func(a, b Statement) int {
		if a.World != b.World {
			return strings.Compare(a.World, b.World)
		}
		return rank(a) - rank(b)
	})
	for len(come) > 0 {
		n := 1
		for n < len(come) && come[n].World == come[0].World {
			n++
		}
		kept = insert(kept, come[0].World, come[:n])
		come = come[n:]
	}
	return strings.Join(kept, "\n") + "\n"
}

// insert puts statements at the end of the part about their world, which it begins if there is none.
func insert(lines []string, world string, list []Statement) []string {
	at, now, found := len(lines), "", world == ""
	for i, line := range lines {
		before := now
		if statementOf(line, &now); now == before {
			continue
		}
		if before == world && found {
			at = i
			break
		}
		found = found || now == world
	}
	for at > 1 && at < len(lines) && strings.TrimSpace(lines[at-1]) == "" {
		at-- // blank lines before the next world stay there
	}
	var come []string
	if !found {
		at, come = len(lines), []string{"", worldWord + " " + text.Quote(world)}
	}
	if before := lines[at-1]; found && !isStatement(before) && strings.TrimSpace(before) != "" {
		come = append(come, "")
	}
	last := Word("")
	for i, s := range list {
		if i > 0 && s.Word != last || !found && i == 0 {
			come = append(come, "")
		}
		last = s.Word
		come = append(come, s.line())
	}
	return slices.Insert(lines, at, come...)
}

// isEnd reports whether a line ends a file. A layout needs none.
func isEnd(line string) bool {
	words := strings.Fields(line)
	return len(words) > 0 && strings.SplitN(words[0], "#", 2)[0] == "end"
}

func isStatement(line string) bool {
	world := ""
	_, is, refuted := statementOf(line, &world)
	return is && !refuted
}

// statementOf reads the statement in a line, also one that is out of force. A line `world NAME` changes
// world.
func statementOf(line string, world *string) (s Statement, is, refuted bool) {
	if why, out := strings.CutPrefix(strings.TrimSpace(line), "# "+Refuted); out {
		_, line, _ = strings.Cut(why, ": ")
		refuted = true
	}
	before := *world
	l, err := Parse("", []byte(header+"\n"+line))
	switch {
	case err != nil:
	case len(l.Statements) == 1:
		s = l.Statements[0]
		s.World = before
		return s, true, refuted
	default:
		if words := strings.Fields(line); !refuted && len(words) > 1 && words[0] == worldWord {
			if one, err := Parse("", []byte(header+"\n"+line+"\ncold x")); err == nil {
				*world = one.Statements[0].World
			}
		}
	}
	return Statement{}, false, false
}

// Refute puts a statement of a text out of force: its line becomes a comment that says why.
func Refute(old string, s Statement, why string) string {
	lines := strings.Split(old, "\n")
	if s.Line < 1 || s.Line > len(lines) {
		return old
	}
	lines[s.Line-1] = "# " + Refuted + strings.ReplaceAll(why, ": ", " ") + ": " + s.String()
	return strings.Join(lines, "\n")
}
