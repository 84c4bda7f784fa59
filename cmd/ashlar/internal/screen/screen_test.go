package screen

import (
	"bytes"
	"strings"
	"testing"
)

// A character is two pixels, and colours are only named where they change.
func TestPicture(t *testing.T) {
	r, g := RGB(5, 0, 0), RGB(0, 5, 0)
	for _, tt := range []struct {
		name   string
		pixels []string // rows of r, g and blanks
		want   []string
	}{
		{"nothing", []string{"   ", "   "}, []string{"   "}},
		{"upper", []string{"r  ", "   "}, []string{"\x1b[38;5;196m▀  "}},
		{"lower", []string{"   ", " r "}, []string{" \x1b[38;5;196m▄ "}},
		{"both", []string{"rr", "rr"}, []string{"\x1b[48;5;196m  "}},
		{"both, then none", []string{"r ", "r "}, []string{"\x1b[48;5;196m \x1b[49m "}},
		{"two colours", []string{"rr", "gg"}, []string{"\x1b[38;5;196m\x1b[48;5;46m▀▀"}},
		{"lower on a colour before", []string{"g ", "gr"}, []string{"\x1b[48;5;46m \x1b[38;5;196m\x1b[49m▄"}},
		{"lines begin anew", []string{"r", " ", "r", " "}, []string{"\x1b[38;5;196m▀", "\x1b[38;5;196m▀"}},
	} {
		got := Picture(len(tt.pixels[0]), len(tt.pixels)/2, func(x, y int) Color {
			return map[byte]Color{'r': r, 'g': g, ' ': 0}[tt.pixels[y][x]]
		})
		if strings.Join(got, "|") != strings.Join(tt.want, "|") {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestColors(t *testing.T) {
	if RGB(0, 0, 0) != 0 || RGB(5, 5, 5) != 231 || RGB(1, 2, 3) != 16+36+12+3 {
		t.Errorf("%d %d %d", RGB(0, 0, 0), RGB(5, 5, 5), RGB(1, 2, 3))
	}
	if got := Text(RGB(5, 0, 0), "x"); got != "\x1b[38;5;196mx\x1b[39m" {
		t.Errorf("%q", got)
	}
}

// A drawing replaces the former content, and End undoes Begin.
func TestScreen(t *testing.T) {
	var b bytes.Buffer
	s, err := Begin(&b)
	if err != nil {
		t.Fatal(err)
	}
	begun := b.String()
	b.Reset()
	if err := s.Show([]string{"one", "two"}); err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), "\x1b[?2026h\x1b[1;1Hone\x1b[0m\x1b[K\x1b[2;1Htwo\x1b[0m\x1b[K\x1b[J\x1b[?2026l"; got != want {
		t.Errorf("shown by %q, want %q", got, want)
	}
	b.Reset()
	if err := s.End(); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []struct{ begin, end string }{{"?1049h", "?1049l"}, {"?25l", "?25h"}, {"?7l", "?7h"}} {
		if !strings.Contains(begun, "\x1b["+mode.begin) || !strings.Contains(b.String(), "\x1b["+mode.end) {
			t.Errorf("%s and %s: begins by %q, ends by %q", mode.begin, mode.end, begun, b.String())
		}
	}
}

// The environment tells the size; nonsense there is ignored.
func TestSize(t *testing.T) {
	for _, tt := range []struct {
		columns, lines string
		wide, high     int
	}{
		{"100", "30", 100, 30},
		{"1", "1", 1, 1},
		{"100", "", ColumnsDefault, RowsDefault},
		{"0", "30", ColumnsDefault, RowsDefault},
		{"99999", "30", ColumnsDefault, RowsDefault},
		{"x", "30", ColumnsDefault, RowsDefault},
	} {
		t.Setenv("COLUMNS", tt.columns)
		t.Setenv("LINES", tt.lines)
		t.Setenv("PATH", "") // no stty
		if wide, high := Size(); wide != tt.wide || high != tt.high {
			t.Errorf("COLUMNS=%s LINES=%s: %d × %d, want %d × %d", tt.columns, tt.lines, wide, high, tt.wide, tt.high)
		}
	}
}
