// Package pattern reads patterns of cellular automata from the two text formats
// of the pattern collections: RLE (run-length encoded, .rle) and plaintext
// (.cells). Both describe a box of cells, row by row from the top:
//
//	#N Glider            !Name: Glider
//	x = 3, y = 3         .O.
//	bo$2bo$3o!           ..O
//	                     OOO
//
// Only life-like rules with two states are read: B3/S23 and its like. Hostile
// input costs no more memory than its own size and the number of live cells.
package pattern

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"strings"
)

const (
	// SideMax bounds the box, and so every coordinate.
	SideMax = 1 << 15
	// CellsMax bounds the live cells.
	CellsMax = 1 << 22
	// bytesMax bounds the input.
	bytesMax = 64 << 20
)

// Point is a cell, counted from the top left of the box.
type Point struct{ X, Y int }

// Pattern is what a file describes.
type Pattern struct {
	Name          string
	Comments      []string
	Width, Height int
	Rule          Rule
	Cells         []Point // alive, row by row
}

// Rule says with how many live neighbours a cell is born and survives: bit n of
// each stands for n neighbours.
type Rule struct{ Born, Survive uint16 }

// Life is Conway's rule, B3/S23.
func Life() Rule { return Rule{Born: 1 << 3, Survive: 1<<2 | 1<<3} }

func (r Rule) String() string {
	digits := func(set uint16) (s string) {
		for n := range 9 {
			if set>>n&1 != 0 {
				s += string(rune('0' + n))
			}
		}
		return s
	}
	return "B" + digits(r.Born) + "/S" + digits(r.Survive)
}

// Parse reads a pattern. A name that ends in .cells, or text that begins as
// plaintext does, is read as plaintext, everything else as RLE. Errors carry name,
// line and column and say what to do.
func Parse(name string, r io.Reader) (*Pattern, error) {
	in := &reader{name: name, r: bufio.NewReader(io.LimitReader(r, bytesMax+1)), line: 1}
	first, _ := in.r.Peek(1)
	if strings.EqualFold(path.Ext(name), ".cells") || len(first) == 1 && (first[0] == '!' || first[0] == '.' || first[0] == 'O') {
		return in.plaintext()
	}
	return in.rle()
}

// reader counts lines and columns for messages.
type reader struct {
	name      string
	r         *bufio.Reader
	line, col int
	total     int
}

func (in *reader) fail(format string, args ...any) error {
	return fmt.Errorf("%s:%d:%d: %w", in.name, in.line, max(in.col, 1), fmt.Errorf(format, args...))
}

// next returns the next byte; ok is false at the end.
func (in *reader) next() (c byte, ok bool, err error) {
	c, err = in.r.ReadByte()
	if err == io.EOF {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("%s: %w", in.name, err)
	}
	if in.total++; in.total > bytesMax {
		return 0, false, in.fail("the file is larger than %d MiB", bytesMax>>20)
	}
	in.col++
	return c, true, nil
}

// restOfLine reads up to the end of the line, which it consumes.
func (in *reader) restOfLine() (string, error) {
	var b strings.Builder
	for {
		c, ok, err := in.next()
		if err != nil || !ok || c == '\n' {
			in.line, in.col = in.line+1, 0
			return strings.TrimSpace(b.String()), err
		}
		if b.Len() < 4096 { // longer comments are cut
			b.WriteByte(c)
		}
	}
}

// WriteRLE writes the pattern as RLE, in lines of at most 70 characters.
func (p *Pattern) WriteRLE(w io.Writer) error {
	var b strings.Builder
	if p.Name != "" {
		fmt.Fprintf(&b, "#N %s\n", p.Name)
	}
	for _, c := range p.Comments {
		fmt.Fprintf(&b, "#C %s\n", c)
	}
	fmt.Fprintf(&b, "x = %d, y = %d, rule = %v\n", p.Width, p.Height, p.Rule)
	col := 0
	item := func(n int, c byte) {
		s := string(c)
		if n > 1 {
			s = fmt.Sprint(n, s)
		}
		s = strings.ReplaceAll(s, " ", "")
		if col+len(s) > 70 {
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
			item(c.Y-y, '$')
			x, y = 0, c.Y
		}
		if c.X > x {
			item(c.X-x, 'b')
		}
		n := 1
		for i+n < len(p.Cells) && p.Cells[i+n] == (Point{c.X + n, c.Y}) {
			n++
		}
		item(n, 'o')
		x, i = c.X+n, i+n
	}
	item(1, '!')
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}
