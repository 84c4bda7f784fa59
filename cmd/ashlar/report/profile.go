package report

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"github.com/ashlar-go/ashlar/profile"
)

// Profile writes a profile as tables of facts per frame and per run, world by world. An absent
// figure is "–".
func Profile(w io.Writer, p profile.Profile) error {
	b := bufio.NewWriter(w)
	runs := p.Runs()
	if reflect.ValueOf(runs[0]).IsZero() {
		fmt.Fprintln(b, "the profile is empty: it has no facts")
	}
	for i, part := range runs {
		if i > 0 {
			fmt.Fprintln(b)
		}
		partOf(b, part)
	}
	return b.Flush()
}

// partOf writes a profile's statements about one world.
func partOf(b io.Writer, p profile.Profile) {
	switch {
	case p.Frames > 0:
		text := fmt.Sprintf("facts over %d frames", p.Frames)
		if p.Sampled > 0 {
			text += fmt.Sprintf(", reads by handle counted in %d of them", p.Sampled)
		}
		if p.Layout != "" {
			text += ", by layout " + p.Layout
		}
		fmt.Fprintln(b, profile.InWorld(p.World, text))
	case p.World != "":
		fmt.Fprintln(b, profile.InWorld(p.World, "no facts"))
	}
	views, uses := viewsOf(p)
	writeTables(b, components(p), stored(p), groupsOf(p), growth(p), systems(p), accesses(p), together(p), lookups(p), views, uses)
}

// writeTables writes tables that have rows, each behind an empty line.
func writeTables(w io.Writer, tables ...table) {
	for _, t := range tables {
		if len(t.rows) > 1 {
			fmt.Fprintln(w)
			t.write(w)
		}
	}
}

// table is rows of cells. All rows are as long as the first, which is the heading. A < before the
// name of a column aligns it left, for columns that are not numbers.
type table struct{ rows [][]string }

func newTable(heading ...string) table { return table{[][]string{heading}} }

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) write(w io.Writer) {
	width, left := make([]int, len(t.rows[0])), make([]bool, len(t.rows[0]))
	for i, name := range t.rows[0] {
		t.rows[0][i], left[i] = strings.CutPrefix(name, "<")
	}
	for _, row := range t.rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range t.rows {
		var line strings.Builder
		for i, cell := range row {
			blanks := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if left[i] {
				line.WriteString(cell + blanks + "  ")
			} else {
				line.WriteString(blanks + cell + "  ")
			}
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
}

// mean returns a sum divided by a number, or "–" if the number is 0.
func mean(sum, n uint64) string {
	if n == 0 {
		return "–"
	}
	return figure(float64(sum) / float64(n))
}

func components(p profile.Profile) table {
	t := newTable("<component", "size", "align")
	for _, c := range p.Components {
		t.add(legible(c.Name), fmt.Sprint(c.Size), fmt.Sprint(c.Align))
	}
	return t
}

func stored(p profile.Profile) table {
	t := newTable("<stored", "<way", "<reason", "entities", "tables")
	for _, s := range p.Stored {
		t.add(legible(s.Component), s.Way, s.Reason, fmt.Sprint(s.Entities), fmt.Sprint(s.Tables))
	}
	return t
}

func groupsOf(p profile.Profile) table {
	t := newTable("<group", "rows", "chunks", "rows/chunk", "most rows", "last rows", "<owns")
	for _, g := range p.Groups {
		var owns []string
		for _, c := range g.Owns {
			owns = append(owns, legible(c))
		}
		t.add(legible(g.Name), mean(g.Rows, p.Frames), mean(g.Chunks, p.Frames), mean(g.Rows, g.Chunks), fmt.Sprint(g.Peak), fmt.Sprint(g.Last), strings.Join(owns, ","))
	}
	return t
}

func growth(p profile.Profile) table {
	t := newTable("<growth of", "frame", "rows")
	for _, g := range p.Growth {
		t.add(legible(g.Group), fmt.Sprint(g.Frame), fmt.Sprint(g.Rows))
	}
	return t
}

func systems(p profile.Profile) table {
	t := newTable("<system", "runs/frame", "matched", "tested", "median run", "p10", "p90", "p99")
	for _, s := range p.Systems {
		cells, counted := []string{legible(s.Name), mean(s.Frames, p.Frames)}, s.Matched+s.Tested > 0
		cells = append(cells, dashUnless(counted, mean(s.Matched, p.Frames)), dashUnless(counted, mean(s.Tested, p.Frames)))
		for _, d := range []time.Duration{s.Times.P50, s.Times.P10, s.Times.P90, s.Times.P99} {
			cells = append(cells, dashUnless(s.Timed > 0, duration(float64(d))))
		}
		t.add(cells...)
	}
	return t
}

func accesses(p profile.Profile) table {
	t := newTable("<access by", "<group", "<component", "<how", "rows", "chunks", "bytes", "bytes/row", "lines/row")
	for _, s := range p.Systems {
		for _, a := range s.Access {
			how := accessed(a)
			if a.Unchanged > 0 {
				how += ", nothing changed"
			}
			t.add(legible(s.Name), legible(a.Group), legible(a.Component), how,
				mean(a.Rows, p.Frames), mean(a.Chunks, p.Frames), mean(a.Bytes, p.Frames), mean(a.Bytes, a.Rows), dashUnless(a.Lines > 0, mean(a.Lines, a.Rows)))
		}
	}
	return t
}

func lookups(p profile.Profile) table {
	t := newTable("<read by handle", "<by", "reads", "bytes", "contracts")
	for _, l := range p.Lookups {
		by, size := "code between systems", p.Size(l.Component)
		if l.System != "" {
			by = legible(l.System)
		}
		t.add(legible(l.Component), by, mean(l.Reads, p.Frames), dashUnless(size > 0 && p.Frames > 0, figure(per(l.Reads, p.Frames)*float64(size))), dashUnless(l.Contracts > 0, mean(l.Contracts, p.Frames)))
	}
	return t
}

// Changes writes the result of [profile.Diff], one line for each figure.
func Changes(w io.Writer, changes []profile.Change) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, c := range changes {
		kind, text := "changed", c.Is
		switch {
		case c.Was == "":
			kind = "added"
		case c.Is == "":
			kind, text = "removed", c.Was
		case c.Was != c.Is:
			text = c.Was + " → " + c.Is
		}
		fmt.Fprintf(t, "%s  %s\n", kind, text)
		for _, f := range c.Figures {
			switch kind {
			case "added":
				fmt.Fprintf(t, "  %s\t%s\n", f.Unit, figure(f.Is))
			case "removed":
				fmt.Fprintf(t, "  %s\t%s\n", f.Unit, figure(f.Was))
			default:
				fmt.Fprintf(t, "  %s\t%s → %s%s\n", f.Unit, figure(f.Was), figure(f.Is), ratio(f.Was, f.Is))
			}
		}
	}
	return t.Flush()
}

// ratio returns a further cell, or "" if a figure is absent.
func ratio(was, is float64) string {
	switch {
	case math.IsNaN(was) || math.IsNaN(is):
		return ""
	case was == is:
		return "\t1x"
	case was == 0:
		return "\tfrom nothing"
	}
	return fmt.Sprintf("\t%.3gx", is/was)
}

// figure formats a number: – if it is absent, whole from 100 on, and at most two decimals below.
func figure(f float64) string {
	if math.IsNaN(f) {
		return "–"
	}
	if f >= 100 || f == math.Trunc(f) {
		return fmt.Sprintf("%.0f", f)
	}
	if f < 0.01 {
		return fmt.Sprintf("%.2g", f)
	}
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.2f", f), "0"), ".")
}

// accessed returns "read" or "write", followed by "scattered" if rows were reached by entity.
func accessed(a profile.Access) string {
	how := "read"
	if a.Write {
		how = "write"
	}
	if a.Scattered {
		how += " scattered"
	}
	return how
}
