package lines

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Words are whole, wherever a line breaks.
func TestLine(t *testing.T) {
	for _, wide := range []string{"x", "é"} {
		for n := 70; n < 90; n++ {
			var b Text
			b.Line(2, "%s y z", strings.Repeat(wide, n))
			for i, l := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
				if utf8.RuneCountInString(l) > max(width, n+2) || i > 0 && !strings.HasPrefix(l, "      y") && l != "      z" {
					t.Errorf("%d: line %q", n, l)
				}
			}
			if got, want := strings.Contains(b.String(), "\n      y z\n"), n+4 > width; got != want {
				t.Errorf("%d: %q", n, b.String())
			}
		}
	}
}
