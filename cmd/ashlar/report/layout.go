package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// Layout writes a layout as a table of statements. With a profile it also draws the tables that the program
// had: their rows, and their columns as the layout stores them.
func Layout(w io.Writer, l layout.Layout, p *profile.Profile) error {
	var b strings.Builder
	hash := l.Hash()
	if hash == "" {
		hash = "states nothing"
	}
	fmt.Fprintf(&b, "layout %s  %s\n\n", l.Name, hash)
	t := newTable("<statement", "<why")
	for _, s := range l.Statements {
		t.add(profile.InWorld(s.World, s.String()), s.Why)
	}
	if len(t.rows) > 1 {
		t.write(&b)
	}
	if p != nil {
		if len(l.Statements) > 0 && !names(l, *p) {
			b.WriteString("\nno name of the layout is in the profile: record the program that the layout is for, or check the names\n")
		}
		for _, run := range p.Runs() {
			drawTables(&b, l.In(run.World), run)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// names reports whether a profile has the names of any statement.
func names(l layout.Layout, p profile.Profile) bool {
	var s layout.Shape
	for _, run := range p.Runs() {
		for _, x := range run.Components {
			s.Components = append(s.Components, x.Name)
		}
		for _, x := range run.Groups {
			s.Groups = append(s.Groups, x.Name)
		}
		for _, x := range run.Systems {
			s.Systems = append(s.Systems, x.Name)
		}
	}
	missing, _ := l.Missing(s)
	return len(missing) < len(l.Statements)
}

// drawTables draws each table and group of a run, the largest first.
//
//	table/person+at   2000000 rows, 40 MiB   (2000000 expected)
//	  entity  person  at
//	       8      12   4
func drawTables(b *strings.Builder, l layout.Layout, p profile.Profile) {
	groups := slices.Clone(p.Groups)
	slices.SortStableFunc(groups, func(x, y profile.Group) int { return cmp.Compare(y.Peak, x.Peak) })
	for _, g := range groups {
		row := uint64(8)
		for _, c := range g.Owns {
			row += p.Size(c)
		}
		rows := fmt.Sprintf("%d rows of %d B", g.Peak, row)
		if _, table := profile.ParseTable(g.Name); !table && g.Peak == 0 {
			rows = "no rows of its own"
		}
		fmt.Fprintf(b, "\n%s  %s%s\n", profile.InWorld(p.World, legible(g.Name)), rows, said(l, g.Name))
		t := newTable()
		heads, sizes, ways := []string{"entity"}, []string{"8"}, []string{""}
		for _, c := range g.Owns {
			heads, sizes = append(heads, legible(c)), append(sizes, fmt.Sprint(p.Size(c)))
			s, _ := l.Find(layout.Stored, c)
			ways = append(ways, s.Way)
		}
		t.rows = [][]string{heads, sizes}
		if strings.Join(ways, "") != "" {
			t.rows = append(t.rows, ways)
		}
		t.write(b)
	}
}

// said lists what the layout says of a table or group, beside how components are stored.
func said(l layout.Layout, group string) string {
	var words []string
	for _, s := range l.Statements {
		switch {
		case s.Name != group:
		case s.Word == layout.Rows:
			words = append(words, fmt.Sprint(s.N, " expected"))
		case s.Word == layout.Sort:
			words = append(words, fmt.Sprintf("sorted by %s every %d frames", s.With, s.N))
		case s.Word == layout.Near:
			words = append(words, "beside "+s.With)
		default:
			words = append(words, string(s.Word))
		}
	}
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, ", ") + ")"
}
