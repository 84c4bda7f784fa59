package placement

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/ashlar-go/ashlar/profile"
)

// letters are those of groups; the groups with the most chunks have one each, and
// all others share the last.
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz*"

// Text draws a map for a terminal.
func Text(w io.Writer, m profile.Map, by By) error {
	var b bytes.Buffer
	gs := sorted(groups(m))
	letter := map[string]byte{}
	for i, g := range gs {
		letter[g.name] = letters[min(i, len(letters)-1)]
	}
	scale := scaleOf(m)
	glyph := func(c cell) byte {
		switch {
		case c.state != used:
			return ".-~x+?"[c.state]
		case by == Heat:
			return '0' + byte(scale.level(c.chunk.Heat))
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
		fmt.Fprintf(&b, "  %-6s region %4d  %s", legible(r.Range), r.Number, cells)
		if r.inUse > 0 {
			fmt.Fprintf(&b, "  %2d in use, %3.0f %% full", r.inUse, full(r.bytes, r.inUse))
		}
		b.WriteByte('\n')
	}
	if by == Heat {
		fmt.Fprintf(&b, "  9 = %s or more asked for per 1,000 frames, each digit less is half of that, 1 all below, 0 nothing\n", size(scale.least(levels)))
	} else {
		tw := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
		for _, g := range gs {
			fmt.Fprintf(tw, "  %c = %s\t%s\t%d rows\t%s\t%3.0f %% full\n", letter[g.name], legible(g.name), g.count(), g.rows, size(g.bytes), full(g.bytes, g.chunks))
		}
		tw.Flush() // into memory
	}
	fmt.Fprintln(&b, "  . untouched, - free, ~ in quarantine, + spare, ? in use but no chunk's; a cell is a slot of 64 KiB, a row a region of 2 MiB")
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
