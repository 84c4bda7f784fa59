package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/ashlar-go/ashlar/profile"
)

// letters stand for groups; the groups with the most chunks have one each, and
// all others share the last.
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz*"

// alike is how many lines that look the same are folded into one.
const alike = 3

// MapText draws a map for a terminal. Lines of regions that look the same are folded into one.
// With a Top, as many regions share a line as it takes to have at most MapTop lines of them.
// It fails if no group's name matches.
func MapText(w io.Writer, m profile.Map, o MapOptions) error {
	s, err := sceneOf(m, o)
	if err != nil {
		return err
	}
	each := 1
	lines := s.lines(each)
	for o.Top > 0 && len(lines) > MapTop {
		each *= 2
		lines = s.lines(each)
	}
	var b bytes.Buffer
	for _, l := range lines {
		b.WriteString(l + "\n")
	}
	if o.Group != nil {
		fmt.Fprintf(&b, "  _ of groups whose name does not match %q; regions without the others: %d\n", o.Group, s.without)
	}
	if s.By == ByHeat {
		fmt.Fprintf(&b, "  9 = %s or more asked for per 1,000 frames, each digit less is half of that, 1 all below, 0 nothing\n", size(s.scale.least(levels)))
	} else {
		s.legend(&b)
	}
	fmt.Fprintln(&b, "  . untouched, - free, ~ in quarantine, + spare, : shared by chunks of few rows")
	if slices.ContainsFunc(s.rs, row.unnamed) {
		fmt.Fprintln(&b, "  ? in use, and the map states no use")
	}
	if each == 1 {
		fmt.Fprintln(&b, "  a cell is a slot of 64 KiB, a row a region of 2 MiB;")
	} else {
		fmt.Fprintf(&b, "  a cell is %d slots of 64 KiB, drawn as %s; a row %[1]d regions of 2 MiB;\n", each, s.standsFor())
	}
	fmt.Fprintln(&b, "  [ ] is striped: the columns of its chunks lie side by side")
	switch {
	case s.more > 0 && s.By == ByGroup:
		fmt.Fprintf(&b, "  * %s: `ashlar map FILE -top 0` lists all, -group REGEXP some\n", plural(s.more, "more group"))
	case each > 1:
		fmt.Fprintln(&b, "  `ashlar map FILE -top 0` shows each region")
	}
	_, err = b.WriteTo(w)
	return err
}

// legend names the groups of the letters.
func (s *scene) legend(w io.Writer) {
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	line := func(letter byte, g group, list string) {
		fmt.Fprintf(tw, "  %c = %s\t%s\t%s\t%s\t%3.0f %% full%s\n", letter, brief(g.name), g.count(), plural(int(g.rows), "row"), size(g.bytes), full(g.bytes, g.slots), list)
	}
	for i, g := range s.listed {
		line(letterAt(i), g, "")
	}
	if s.more > 0 {
		line(letterAt(-1), s.rest, "")
	}
	if s.shared.slots > 0 {
		line(':', s.shared, ": "+s.sharingList())
	}
	tw.Flush() // into memory
}

// letterAt is the letter of the group listed there; unlisted groups, at -1, share the last.
func letterAt(i int) byte {
	if i < 0 {
		i = len(letters)
	}
	return letters[min(i, len(letters)-1)]
}

// glyph draws a cell.
func (s *scene) glyph(c cell) byte {
	switch {
	case s.By == ByHeat && (c.state == used || c.state == blocks):
		return '0' + byte(s.scale.level(c.heat()))
	case c.state != used:
		return c.state.look().glyph
	}
	return letterAt(s.place(c.chunks[0].Group))
}

// lines draws bands of so many regions each.
func (s *scene) lines(each int) []string {
	var lines []line
	for bands := s.fold(each); len(bands) > 0; {
		b, glyphs, n := bands[0], s.glyphs(bands[0]), 1
		for n < len(bands) && bands[n].like(b) && s.glyphs(bands[n]) == glyphs {
			n++
		}
		if n < alike {
			n = 1
		}
		for _, o := range bands[1:n] {
			b.add(o.rows)
		}
		lines = append(lines, lineOf(b, n, glyphs))
		bands = bands[n:]
	}
	return text(lines)
}

func (s *scene) glyphs(b band) (glyphs string) {
	for _, c := range b.cells {
		glyphs += string(s.glyph(c.cell))
	}
	return glyphs
}

// line is the text about bands that look the same.
type line struct{ name, cells, note string }

// lineOf is the line of so many bands, taken together.
func lineOf(b band, n int, glyphs string) line {
	name, several := brief(b.rows[0].Range), len(b.rows) > 1
	if several && b.untouched() {
		return line{name: fmt.Sprintf("  %-6s regions %s are untouched", name, b.numbers())}
	}
	l := line{name: fmt.Sprintf("  %-6s region %4s", name, b.numbers()), cells: fmt.Sprintf(" %-32s ", glyphs)}
	if several {
		l.name = fmt.Sprintf("  %-6s %s", name, b.numbers())
	}
	if n > 1 {
		l.note = fmt.Sprintf(" %d alike,", n)
	}
	if b.inUse > 0 {
		l.note += fmt.Sprintf(" %2d in use, %3.0f %% full", b.inUse, full(b.bytes, b.inUse))
	}
	switch {
	case b.striped == len(b.rows):
		l.cells = fmt.Sprintf("[%-32s]", glyphs)
		if b.inUse > 0 {
			l.note += ", striped"
		}
	case b.striped > 0 && b.inUse > 0:
		l.note += fmt.Sprintf(", %d striped", b.striped)
	}
	return l
}

// text puts the cells of lines below each other.
func text(lines []line) []string {
	width := 0
	for _, l := range lines {
		if l.cells != "" {
			width = max(width, utf8.RuneCountInString(l.name))
		}
	}
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l.name
		if l.cells != "" {
			out[i] = fmt.Sprintf("%-*s %s%s", width, l.name, l.cells, l.note)
		}
		out[i] = strings.TrimRight(out[i], " ,")
	}
	return out
}
