// Package screen draws on a terminal: pictures of half-blocks, and lines of text.
//
//	Begin → Show, as often as there is something new → End
//
// A screen of its own is used, so the former content is there again after End.
package screen

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// Screen is a terminal that is drawn on. Use Begin.
type Screen struct{ w io.Writer }

// Begin takes the terminal over: another screen, without cursor, where long lines are cut off.
func Begin(w io.Writer) (*Screen, error) {
	_, err := io.WriteString(w, "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J")
	return &Screen{w}, err
}

// Show draws lines from the top, in one write, and clears the rows below them.
func (s *Screen) Show(lines []string) error {
	var b strings.Builder
	b.WriteString("\x1b[?2026h") // a terminal that knows it shows all at once
	for i, line := range lines {
		fmt.Fprintf(&b, "\x1b[%d;1H%s\x1b[0m\x1b[K", i+1, line)
	}
	b.WriteString("\x1b[J\x1b[?2026l")
	_, err := io.WriteString(s.w, b.String())
	return err
}

// End gives the terminal back as it was.
func (s *Screen) End() error {
	_, err := io.WriteString(s.w, "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l")
	return err
}

// The size of a terminal that does not say how large it is.
const (
	ColumnsDefault = 80
	RowsDefault    = 24
)

// Size is how large the terminal is. COLUMNS and LINES tell it, else the command stty, which asks
// the terminal of the standard input.
func Size() (columns, rows int) {
	if columns, rows = atLeast1(os.Getenv("COLUMNS")), atLeast1(os.Getenv("LINES")); columns > 0 && rows > 0 {
		return columns, rows
	}
	stty := exec.Command("stty", "size")
	stty.Stdin = os.Stdin
	if text, err := stty.Output(); err == nil {
		high, wide, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
		if columns, rows = atLeast1(wide), atLeast1(high); columns > 0 && rows > 0 {
			return columns, rows
		}
	}
	return ColumnsDefault, RowsDefault
}

// atLeast1 is the number that a text is, or 0.
func atLeast1(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 1<<12 {
		return 0
	}
	return n
}
