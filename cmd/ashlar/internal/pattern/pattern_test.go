package pattern

import (
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	glider := []Point{{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}}
	tests := []struct {
		name, file, text string
		want             []Point
		rule             string
	}{
		{"rle", "a.rle", "#N Glider\n#C one\nx = 3, y = 3, rule = B3/S23\nbo$2bo$3o!", glider, "B3/S23"},
		{"rle, broken over lines, trailing text", "a.rle", "x=3,y=3\nb\no$\n2\nbo $3o! and so on", glider, "B3/S23"},
		{"rle, carriage returns, upper case", "a.rle", "X = 3, Y = 3, RULE = b3/s23\r\nbo$2bo$3o!\r\n", glider, "B3/S23"},
		{"rle, empty rows", "a.rle", "x = 1, y = 4\no3$o!", []Point{{0, 0}, {0, 3}}, "B3/S23"},
		{"rle, other rules", "a.rle", "x = 1, y = 1, rule = 23/36\no!", []Point{{0, 0}}, "B36/S23"},
		{"rle, compact rule", "a.rle", "x = 1, y = 1, rule = b36s23\no!", []Point{{0, 0}}, "B36/S23"},
		{"cells", "a.cells", "!Name: Glider\n.O.\n..O\nOOO\n", glider, "B3/S23"},
		{"cells by content", "a.txt", "!Name: Glider\n.O\n..O\nOOO", glider, "B3/S23"},
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
		})
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "a.rle:1:1: the file has no header",
		"hello":                                "a.rle:1:1: 'h' where the header should be",
		"x = 3\n3o!":                           "a.rle:1:1: the header lacks x or y",
		"x = 3, y = z\n3o!":                    "a side is a number",
		"x = 99999, y = 1\n3o!":                "a side is a number from 0 to 32768",
		"x = 3, y = 1, rule = WireWorld\n!":    "only rules that count live neighbours are known",
		"x = 3, y = 1, rule = B3/S23:T9,9\n!":  "run with -size WxH",
		"x = 3, y = 1, rule = B03/S23\n!":      "B0",
		"x = 3, y = 1\nbbA!":                   "a.rle:2:3: state 'A': this is a pattern with more than two states",
		"x = 3, y = 1\n4o!":                    "a.rle:2:2: cells outside the box of 3 by 1",
		"x = 3, y = 1\no$o!":                   "outside the box",
		"x = 3, y = 1\n3o":                     "the cells end without",
		"x = 3, y = 1\n999999999999999999999o": "a run longer than",
		"x = 3, y = 1\n3z!":                    "'z' among the cells",
	} {
		if _, err := Parse("a.rle", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
	if _, err := Parse("a.cells", strings.NewReader("!x\n.O\n.Q")); err == nil || !strings.Contains(err.Error(), "a.cells:3:2: 'Q' is no cell") {
		t.Errorf("got %v", err)
	}
}

// roundTrip holds what was read against what is written and read again.
func roundTrip(t *testing.T, name, text string) {
	p, err := Parse(name, strings.NewReader(text))
	if err != nil {
		return
	}
	var b strings.Builder
	if err := p.WriteRLE(&b); err != nil {
		t.Fatal(err)
	}
	again, err := Parse("b.rle", strings.NewReader(b.String()))
	if err != nil {
		t.Fatalf("%v in what was written:\n%s", err, b.String())
	}
	if !slices.Equal(p.Cells, again.Cells) || p.Rule != again.Rule {
		t.Fatalf("written as\n%s\nand read as %v, was %v", b.String(), again.Cells, p.Cells)
	}
	for _, c := range p.Cells {
		if c.X >= p.Width || c.Y >= p.Height {
			t.Fatalf("cell %v outside %d by %d", c, p.Width, p.Height)
		}
	}
}

func FuzzRLE(f *testing.F) {
	f.Add("#N Glider\nx = 3, y = 3, rule = B3/S23\nbo$2bo$3o!")
	f.Add("x = 40, y = 9\n24bo$22bobo$12b2o6b2o12b2o!")
	f.Fuzz(func(t *testing.T, text string) { roundTrip(t, "a.rle", text) })
}

func FuzzCells(f *testing.F) {
	f.Add("!Name: Glider\n.O.\n..O\nOOO\n")
	f.Fuzz(func(t *testing.T, text string) { roundTrip(t, "a.cells", text) })
}
