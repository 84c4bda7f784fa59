package pattern

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// columnsMax is the longest line of runs, as other programs expect.
const columnsMax = 70

// WriteRLE writes the pattern as RLE, with lines of cells of at most 70 characters.
// Parse reads an equal pattern back. It returns w's first error, or that of Check,
// before which nothing is written.
func (p *Pattern) WriteRLE(w io.Writer) error {
	if err := p.Check(); err != nil {
		return err
	}
	b := bufio.NewWriter(w) // keeps the first error for Flush
	if p.Name != "" {
		fmt.Fprintf(b, "#N %s\n", p.Name)
	}
	if p.Author != "" {
		fmt.Fprintf(b, "#O %s\n", p.Author)
	}
	for _, c := range p.Comments {
		fmt.Fprintf(b, "#C %s\n", c)
	}
	fmt.Fprintf(b, "x = %d, y = %d, rule = %v\n", p.Width, p.Height, p.Rule)
	col := 0
	run := func(n int, c byte) {
		s := string(c)
		if n > 1 {
			s = strconv.Itoa(n) + s
		}
		if col+len(s) > columnsMax {
			b.WriteByte('\n')
			col = 0
		}
		b.WriteString(s)
		col += len(s)
	}
	x, y := 0, 0
	for i := 0; i < len(p.Cells); {
		c := p.Cells[i]
		if c.Y > y {
			run(c.Y-y, '$')
			x, y = 0, c.Y
		}
		if c.X > x {
			run(c.X-x, 'b')
		}
		n := 1
		for i+n < len(p.Cells) && p.Cells[i+n] == (Point{c.X + n, c.Y}) {
			n++
		}
		run(n, 'o')
		x, i = c.X+n, i+n
	}
	run(1, '!')
	b.WriteByte('\n')
	return b.Flush()
}
