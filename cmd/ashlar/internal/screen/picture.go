package screen

import (
	"fmt"
	"strings"
)

// Color is one of a terminal's 256 colours. The zero value is that of the background.
type Color uint8

// RGB is the colour nearest to the parts of red, green and blue, each from 0 to 5. All 0 is the
// background.
func RGB(r, g, b int) Color {
	if r == 0 && g == 0 && b == 0 {
		return 0
	}
	return Color(16 + 36*r + 6*g + b)
}

// Picture is lines of text that show columns × 2·rows pixels: a character is two pixels, one above
// the other. At returns the colour of each.
func Picture(columns, rows int, at func(x, y int) Color) []string {
	lines := make([]string, rows)
	for row := range lines {
		var b strings.Builder
		ink, paper := Color(0), Color(0) // as the terminal has them
		for x := range columns {
			upper, lower := at(x, 2*row), at(x, 2*row+1)
			switch {
			case upper == lower:
				use(&b, &paper, upper, 48)
				b.WriteByte(' ')
			case upper == 0: // the background can't be an ink
				use(&b, &ink, lower, 38)
				use(&b, &paper, upper, 48)
				b.WriteString("▄")
			default:
				use(&b, &ink, upper, 38)
				use(&b, &paper, lower, 48)
				b.WriteString("▀")
			}
		}
		lines[row] = b.String()
	}
	return lines
}

// use changes the colour of ink (38) or paper (48), unless the terminal has it already.
func use(b *strings.Builder, is *Color, want Color, what int) {
	switch {
	case *is == want:
		return
	case want == 0:
		fmt.Fprintf(b, "\x1b[%dm", what+1)
	default:
		fmt.Fprintf(b, "\x1b[%d;5;%dm", what, want)
	}
	*is = want
}

// Text is a text in a colour.
func Text(c Color, text string) string { return fmt.Sprintf("\x1b[38;5;%dm%s\x1b[39m", c, text) }
