package report

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/ashlar-go/ashlar/internal/profile"
)

// letters are those of groups; the groups with the most chunks have one each, and
// all others share the last.
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz*"

// MapText draws a map for a terminal.
func MapText(w io.Writer, m profile.Map, by By) error {
	var b bytes.Buffer
	gs := sorted(groups(m))
	letter := map[string]byte{}
	for i, g := range gs {
		letter[g.name] = letters[min(i, len(letters)-1)]
	}
	scale := scaleOf(m)
	glyph := func(c cell) byte {
		switch {
		case by == ByHeat && (c.state == used || c.state == blocks):
			return '0' + byte(scale.level(c.heat()))
		case c.state != used:
			return ".-~x+?:"[c.state]
		}
		return letter[c.chunk.Group]
	}
	rs := rows(m)
	for i := 0; i < len(rs); i++ {
		r := rs[i]
		if n := untouched(rs[i:]); n >= 3 {
			fmt.Fprintf(&b, "  %-6s regions %d to %d are untouched\n", legible(r.Range), r.Number, rs[i+n-1].Number)
			i += n - 1
			continue
		}
		cells := make([]byte, len(r.cells))
		for i, c := range r.cells {
			cells[i] = glyph(c)
		}
		ends := "  "
		if r.Striped {
			ends = "[]"
		}
		line := fmt.Sprintf("  %-6s region %4d %c%s%c", legible(r.Range), r.Number, ends[0], cells, ends[1])
		if r.inUse > 0 {
			line += fmt.Sprintf(" %2d in use, %3.0f %% full", r.inUse, full(r.bytes, r.inUse))
			if r.Striped {
				line += ", striped"
			}
		}
		b.WriteString(strings.TrimRight(line, " "))
		b.WriteByte('\n')
	}
	if by == ByHeat {
		fmt.Fprintf(&b, "  9 = %s or more asked for per 1,000 frames, each digit less is half of that, 1 all below, 0 nothing\n", size(scale.least(levels)))
	} else {
		tw := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
		for _, g := range gs {
			fmt.Fprintf(tw, "  %c = %s\t%s\t%d rows\t%s\t%3.0f %% full\n", letter[g.name], legible(g.name), g.count(), g.rows, size(g.bytes), full(g.bytes, g.slots))
		}
		if g, list, ok := sharing(m); ok {
			fmt.Fprintf(tw, "  : = %s\t%s\t%d rows\t%s\t%3.0f %% full: %s\n", g.name, g.count(), g.rows, size(g.bytes), full(g.bytes, g.slots), list)
		}
		tw.Flush() // into memory
	}
	fmt.Fprintln(&b, "  . untouched, - free, ~ in quarantine, + spare, ? in use but no chunk's,\n  : shared by chunks of few rows")
	fmt.Fprintln(&b, "  a cell is a slot of 64 KiB, a row a region of 2 MiB;\n  [ ] is striped: the columns of its chunks lie side by side")
	_, err := b.WriteTo(w)
	return err
}

// untouched is how many regions of one range, from the first on, have no memory.
func untouched(rs []row) (n int) {
	for n < len(rs) && rs[n].Range == rs[0].Range && rs[n].Free&^rs[n].Dirty == math.MaxUint32 {
		n++
	}
	return n
}
