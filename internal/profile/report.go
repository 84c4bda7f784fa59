package profile

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Report writes a profile for people: facts per frame and per run, what is absent as "–". It is not
// read back; WriteTo writes what is.
func (p Profile) Report(w io.Writer) error {
	p = p.Canonical()
	b := bufio.NewWriter(w)
	if p.hasFacts() {
		fmt.Fprintf(b, "facts over %d frames\n", p.Frames)
	}
	for _, t := range []table{p.Intent.table(), p.componentTable(), p.storedTable(), p.groupTable(), p.sharedTable(), p.systemTable(), p.accessTable(), p.choiceTable()} {
		if len(t.rows) > 1 {
			fmt.Fprintln(b)
			t.write(b)
		}
	}
	return b.Flush()
}

// table is rows of cells: all rows as long as the first, which is the heading.
type table struct {
	rows [][]string
	left []int // columns that are not numbers
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) write(w io.Writer) {
	width := make([]int, len(t.rows[0]))
	for _, row := range t.rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range t.rows {
		var line strings.Builder
		for i, cell := range row {
			blanks := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if slices.Contains(t.left, i) {
				line.WriteString(cell + blanks + "  ")
			} else {
				line.WriteString(blanks + cell + "  ")
			}
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
}

// perText is a mean, "–" where there is none.
func perText(sum, n uint64) string {
	if n == 0 {
		return "–"
	}
	return figureText(float64(sum) / float64(n))
}

func (in *Intent) table() table {
	t := table{rows: [][]string{{"intent"}}, left: []int{0}}
	in.state(func(_, format string, args ...any) { t.add(fmt.Sprintf(format, args...)) })
	return t
}

func (p *Profile) componentTable() table {
	t := table{rows: [][]string{{"component", "size", "align"}}, left: []int{0}}
	for _, c := range p.Components {
		t.add(quote(c.Name), fmt.Sprint(c.Size), fmt.Sprint(c.Align))
	}
	return t
}

func (p *Profile) groupTable() table {
	t := table{rows: [][]string{{"group", "rows", "chunks", "rows/chunk", "most rows", "last rows", "owns"}}, left: []int{0, 6}}
	for _, g := range p.Groups {
		t.add(quote(g.Name), perText(g.Rows, p.Frames), perText(g.Chunks, p.Frames), perText(g.Rows, g.Chunks), fmt.Sprint(g.Peak), fmt.Sprint(g.Last), quoteList(g.Owns))
	}
	return t
}

func (p *Profile) systemTable() table {
	t := table{rows: [][]string{{"system", "runs/frame", "median run", "p10", "p90", "p99", "cache misses/run", "TLB misses/run"}}, left: []int{0}}
	for i := range p.Systems {
		s := &p.Systems[i]
		cells := append([]string{quote(s.Name), perText(s.Frames, p.Frames)}, s.cells()...)
		t.add(append(cells, perText(s.Misses.Cache, s.Misses.Runs), perText(s.Misses.TLB, s.Misses.Runs))...)
	}
	return t
}

func (p *Profile) accessTable() table {
	t := table{rows: [][]string{{"access by", "group", "component", "how", "rows", "chunks", "bytes", "bytes/row"}}, left: []int{0, 1, 2, 3}}
	for i := range p.Systems {
		s := &p.Systems[i]
		for _, a := range s.Access {
			how := "read"
			if a.Write {
				how = "write"
			}
			if a.Scattered {
				how += " scattered"
			}
			if a.Unchanged > 0 {
				how += ", nothing changed"
			}
			t.add(quote(s.Name), quote(a.Group), quote(a.Component), how,
				perText(a.Rows, p.Frames), perText(a.Chunks, p.Frames), perText(a.Bytes, p.Frames), perText(a.Bytes, a.Rows))
		}
	}
	return t
}
