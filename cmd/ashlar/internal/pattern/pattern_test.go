package pattern

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/ashlar-go/ashlar/arena/race"
)

func Example() {
	p, err := Parse("glider.cells", strings.NewReader("!Name: Glider\n.O.\n..O\nOOO\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Name, p.Width, p.Height, p.Rule, p.Cells)
	// Output: Glider 3 3 B3/S23 [{1 0} {2 1} {0 2} {1 2} {2 2}]
}

func TestParse(t *testing.T) {
	glider := []Point{{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}}
	tests := []struct {
		name, file, text string
		want             []Point
		rule             string
	}{
		{"rle", "a.rle", "#N Glider\n#C one\nx = 3, y = 3, rule = B3/S23\nbo$2bo$3o!", glider, "B3/S23"},
		{"rle, broken over lines, trailing text", "a.rle", "x=3,y=3\nb\no$\n2\nbo $3o! and so on\n#x", glider, "B3/S23"},
		{"rle, carriage returns, upper case", "a.rle", "X = 3, Y = 3, RULE = b3/s23\r\nbo$2bo$3o!\r\n", glider, "B3/S23"},
		{"rle, upper case extension", "A.RLE", "x = 3, y = 3\nbo$2bo$3o!", glider, "B3/S23"},
		{"rle, byte order mark", "a.rle", "\ufeffx = 3, y = 3\nbo$2bo$3o!", glider, "B3/S23"},
		{"rle, empty rows", "a.rle", "x = 1, y = 4\no3$o!", []Point{{0, 0}, {0, 3}}, "B3/S23"},
		{"rle, comment among the cells", "a.rle", "x = 3, y = 3\nbo$\n#C here\n2bo$3o!", glider, "B3/S23"},
		{"rle, dead cells and rows beyond the box", "a.rle", "x = 3, y = 3\nbo7b$2bo$3o9$40b!", glider, "B3/S23"},
		{"rle, no cells", "a.rle", "x = 0, y = 0\n!", nil, "B3/S23"},
		{"rle, other rules", "a.rle", "x = 1, y = 1, rule = 23/36\no!", []Point{{0, 0}}, "B36/S23"},
		{"rle, compact rule", "a.rle", "x = 1, y = 1, rule = b36s23\no!", []Point{{0, 0}}, "B36/S23"},
		{"rle, rule by #r", "a.rle", "#r 23/36\nx = 1, y = 1\no!", []Point{{0, 0}}, "B36/S23"},
		{"rle, the first #r", "a.rle", "#r 23/36\n#r 1/1\nx = 1, y = 1\no!", []Point{{0, 0}}, "B36/S23"},
		{"rle, the header's rule before #r", "a.rle", "#r 1/1\nx = 1, y = 1, rule = B3/S23\no!", []Point{{0, 0}}, "B3/S23"},
		{"rle, words behind #", "a.rle", "#ready\n#\nx = 1, y = 1,\no!", []Point{{0, 0}}, "B3/S23"},
		{"rle by content", "a", "#N Glider\nx = 3, y = 3\nbo$2bo$3o!", glider, "B3/S23"},
		{"cells", "a.cells", "!Name: Glider\n.O.\n..O\nOOO\n", glider, "B3/S23"},
		{"cells, other letters, spaces", "a.CELLS", ".* .\r\n..o\r\n***\r\n", glider, "B3/S23"},
		{"cells, empty row", "a.cells", "O\n\nO", []Point{{0, 0}, {0, 2}}, "B3/S23"},
		{"cells by content, comment", "a.txt", "!Name: Glider\n.O\n..O\nOOO", glider, "B3/S23"},
		{"cells by content, dead", "a.txt", ".O\n..O\nOOO", glider, "B3/S23"},
		{"cells by content, star", "a.txt", "*\n", []Point{{0, 0}}, "B3/S23"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Parse(tt.file, strings.NewReader(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(p.Cells, tt.want) || p.Rule.String() != tt.rule {
				t.Errorf("got %v, %v; want %v, %v", p.Cells, p.Rule, tt.want, tt.rule)
			}
			if err := p.check(); err != nil {
				t.Error(err)
			}
		})
	}
}

// The first name counts, and other comments do not.
func TestNames(t *testing.T) {
	for _, tt := range []struct{ file, text, name string }{
		{"a.rle", "#O Bill, 1970\n#N  A gun \n#C one\n#CXRLE Pos=1,2\n#N more\n#D words\nx = 0, y = 0\n!", "A gun"},
		{"a.rle", "#\n#r 23/3\n#C one\nx = 0, y = 0\n!", ""},
		{"a.cells", "!Author: Bill, 1970\r\n!\r\n!Name: A gun\r\n! one \r\n!Name: two\r\n", "A gun"},
		{"a.cells", "!Name:" + strings.Repeat("é", nameMax), strings.Repeat("é", nameMax/2)},
	} {
		p, err := Parse(tt.file, strings.NewReader(tt.text))
		if err != nil || p.Name != tt.name {
			t.Errorf("%.40q: name %q, %v; want %q", tt.text, p.Name, err, tt.name)
		}
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "a.rle:1:1: the file has no header",
		"#C x\n":                            "a.rle:2:1: the file has no header",
		"hello":                             "a.rle:1:1: 'h' where the header should be",
		"\n [M2] (golly 4.0)":               "a.rle:2:2: '[' where the header should be",
		"x = 3\n3o!":                        "a.rle:1:1: the header lacks x or y",
		"x = 3, y = z\n3o!":                 "a.rle:1:8: y = \"z\": a side is a number",
		"x = -3, y = 1\n3o!":                "a.rle:1:1: x = \"-3\": a side is a number",
		"x = 99999, y = 1\n3o!":             "a side is a number from 0 to 32768",
		"x = 3, x = 4, y = 1\n3o!":          "a.rle:1:8: the header says x twice",
		"x = 3, y = 1, colour = red\n3o!":   "a.rle:1:15: \"colour = red\" in the header is not known",
		"x = 3, y = 1, rule = WireWorld\n!": "a.rle:1:15: rule \"WireWorld\": only rules that count live neighbours",
		"x = 3, y = 1, rule = B3/S23:T100,200\n!": "rule \"B3/S23:T100,200\": a bounded grid",
		"x = 3, y = 1, rule = B03/S23\n!":         "rule \"B03/S23\": cells are born without neighbours (B0)",
		"#r Brian\nx = 3, y = 1\n!":               "a.rle:1:1: rule \"Brian\": only rules",
		"x = 3, y = 1\nbbA!":                      "a.rle:2:3: state 'A': this is a pattern with more than two states",
		"x = 3, y = 1\n2B!":                       "a.rle:2:2: state 'B'",
		"x = 3, y = 1\nO!":                        "a.rle:2:1: state 'O'",
		"x = 3, y = 1\n.!":                        "a.rle:2:1: state '.'",
		"x = 3, y = 1\npA!":                       "a.rle:2:1: state 'p'",
		"x = 3, y = 1\n4o!":                       "a.rle:2:2: cells outside the box of 3 by 1",
		"x = 3, y = 1\no$o!":                      "a.rle:2:3: cells outside the box",
		"x = 3, y = 1\n3o":                        "a.rle:2:3: the cells end without",
		"x = 3, y = 1\n999999999999999999999o":    "a.rle:2:5: a run longer than 32768",
		"x = 3, y = 1\n0o!":                       "a.rle:2:2: a run of 0",
		"x = 3, y = 1\n3z!":                       "a.rle:2:2: 'z' among the cells",
		"x = 3, y = 1\n3o #\n!":                   "a.rle:2:4: '#' among the cells",
		// sums of runs past 32 bits do not come back into the box
		"x = 3, y = 1\n" + strings.Repeat("32768b", 1<<17-1) + "32767b2o!": "cells outside the box",
		"x = 3, y = 1\n" + strings.Repeat("32768$", 1<<17) + "2o!":         "cells outside the box",
	} {
		if _, err := Parse("a.rle", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: got %v, want %q", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"!x\n.O\n.Q":                          "a.cells:3:2: 'Q' is no cell",
		".O!":                                 "a.cells:1:3: '!' is no cell",
		strings.Repeat(".", SideMax+1):        "a.cells:1:32769: the pattern is larger than 32768 by 32768",
		strings.Repeat("\n", SideMax) + "O":   "a.cells:32769:1: the pattern is larger",
		strings.Repeat("\n", SideMax) + "\n.": "a.cells:32769:1: the pattern is larger",
	} {
		if _, err := Parse("a.cells", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: got %v, want %q", text, err, want)
		}
	}
}

// Files beyond the bounds are refused, and files just inside them are read.
func TestBounds(t *testing.T) {
	if race.Enabled {
		t.Skip("four million cells take 15 s under the race detector, and one goroutine reads them")
	}
	row := "32768o$"
	full := "x = 32768, y = 32768\n" + strings.Repeat(row, CellsMax/SideMax)
	p, err := Parse("a.rle", strings.NewReader(full+"!"))
	if err != nil || len(p.Cells) != CellsMax {
		t.Fatalf("as many cells as are allowed: %v", err)
	}
	if _, err := Parse("a.rle", strings.NewReader(full+"o!")); err == nil || !strings.Contains(err.Error(), "more than 4194304 live cells") {
		t.Errorf("one cell more: %v", err)
	}
	tall := strings.Repeat("\n", SideMax-1) + "O\n"
	if p, err := Parse("a.cells", strings.NewReader(tall)); err != nil || p.Height != SideMax {
		t.Errorf("as many rows as are allowed: %v", err)
	}
	endless := io.MultiReader(strings.NewReader("x = 1, y = 1\n"), forever{})
	if _, err := Parse("a.rle", endless); err == nil || !strings.Contains(err.Error(), "the file is larger than 64 MiB") {
		t.Errorf("a file without end: %v", err)
	}
}

// forever is a file of spaces.
type forever struct{}

func (forever) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// A reader's error is passed on from wherever it comes.
func TestReadError(t *testing.T) {
	broken := errors.New("the disk is on fire")
	for _, text := range []string{"", "#C", "#C x\n", "x = 3", "x = 3, y = 3\nbo$", "x = 3, y = 3\nbo$\n#"} {
		_, err := Parse("a.rle", io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)))
		if !errors.Is(err, broken) {
			t.Errorf("%q: got %v", text, err)
		}
	}
	for _, text := range []string{"", "!", ".O"} {
		if _, err := Parse("a.cells", io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))); !errors.Is(err, broken) {
			t.Errorf("cells %q: got %v", text, err)
		}
	}
}

func TestParseRule(t *testing.T) {
	for s, want := range map[string]string{
		"B3/S23": "B3/S23", "b3/s23": "B3/S23", "S23/B3": "B3/S23", "B3S23": "B3/S23", "s23b3": "B3/S23", "23/3": "B3/S23",
		"Life": "B3/S23", " 23/36 ": "B36/S23", "B2/S": "B2/S", "/2": "B2/S", "B/S": "B/S", "B8765/S0": "B5678/S0", "B33/S22": "B3/S2",
	} {
		r, err := ParseRule(s)
		if err != nil || r.String() != want {
			t.Errorf("%q: got %v, %v; want %s", s, r, err, want)
		}
		if again, err := ParseRule(r.String()); again != r || err != nil {
			t.Errorf("%q: written %v and read %v, %v", s, r, again, err)
		}
	}
	for _, s := range []string{"", "B3", "S23", "3", "B3/S9", "B3/23", "3/S23", "B3/S23/C3", "345/2/4", "B3/S23V", "B2-a/S12", "B0/S", "B3/S23:T9", "W110"} {
		if r, err := ParseRule(s); err == nil {
			t.Errorf("%q was read as %v", s, r)
		}
	}
}

// check returns an error unless the package comment's invariants of a Pattern are true.
func (p *Pattern) check() error {
	if p.Width < 0 || p.Width > SideMax || p.Height < 0 || p.Height > SideMax || len(p.Cells) > CellsMax {
		return fmt.Errorf("a box of %d by %d, %d cells", p.Width, p.Height, len(p.Cells))
	}
	last := Point{-1, 0}
	for _, c := range p.Cells {
		if c.X < 0 || c.X >= p.Width || c.Y < 0 || c.Y >= p.Height || c.Y < last.Y || c.Y == last.Y && c.X <= last.X {
			return fmt.Errorf("cell %v comes after %v in a box of %d by %d", c, last, p.Width, p.Height)
		}
		last = c
	}
	return nil
}

// rle writes a pattern, each cell by itself.
func (p *Pattern) rle() string {
	var b strings.Builder
	if p.Name != "" {
		fmt.Fprintf(&b, "#N %s\n", p.Name)
	}
	fmt.Fprintf(&b, "x = %d, y = %d, rule = %v\n", p.Width, p.Height, p.Rule)
	at := Point{}
	for _, c := range p.Cells {
		if c.Y > at.Y {
			fmt.Fprintf(&b, "%d$\n", c.Y-at.Y)
			at = Point{0, c.Y}
		}
		if c.X > at.X {
			fmt.Fprintf(&b, "%db", c.X-at.X)
		}
		b.WriteByte('o')
		at.X = c.X + 1
	}
	return b.String() + "!\n"
}

// roundTrip compares a pattern with itself, written and read again.
func roundTrip(t *testing.T, name, text string) {
	p, err := Parse(name, strings.NewReader(text))
	if err != nil {
		if !strings.HasPrefix(err.Error(), name+":") {
			t.Fatalf("an error without a place: %v", err)
		}
		return
	}
	if err := p.check(); err != nil {
		t.Fatal(err)
	}
	again, err := Parse("b.rle", strings.NewReader(p.rle()))
	if err != nil {
		t.Fatalf("%v in what was written:\n%s", err, p.rle())
	}
	if !reflect.DeepEqual(p, again) {
		t.Fatalf("written as\n%s\nand read as %+v, was %+v", p.rle(), again, p)
	}
}

func FuzzRLE(f *testing.F) {
	f.Add("#N Glider\nx = 3, y = 3, rule = B3/S23\nbo$2bo$3o!")
	f.Add("#O me\n#C one\n#r 23/36\nx = 40, y = 9\n24bo$22bobo$12b2o6b2o12b2o!")
	f.Add("x = 3, y = 1, rule = B3/S23:T100,200\n32768b3o!")
	f.Fuzz(func(t *testing.T, text string) { roundTrip(t, "a.rle", text) })
}

func FuzzCells(f *testing.F) {
	f.Add("!Name: Glider\n.O.\n..O\nOOO\n")
	f.Add("!Author: me\n! one\n\n.*\r\n")
	f.Fuzz(func(t *testing.T, text string) { roundTrip(t, "a.cells", text) })
}
