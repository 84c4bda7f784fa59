package advice

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ashlar-go/ashlar/profile"
)

const columns = 80 // of text

// String returns the line for people: the savings, the evidence of the run, and the code to write. It
// has at most 80 columns apart from long names.
func (l Line) String() string {
	var b strings.Builder
	var saves []string
	if l.Time > 0 {
		saves = append(saves, fmt.Sprintf("%v a frame", rounded(l.Time)))
	}
	if l.Bytes > 0 {
		saves = append(saves, size(l.Bytes))
	}
	b.WriteString(profile.InWorld(l.World, l.Rule+": saves "+strings.Join(saves, " and ")+"\n"))
	wrap(&b, "    ", l.Why)
	wrap(&b, "    → ", l.Code)
	return b.String()
}

// rounded keeps two digits of a time: predictions are good for no more.
func rounded(t time.Duration) time.Duration {
	return t.Round(rounding(t))
}

// wrap writes words after an indent, and continues lines at that indent.
func wrap(b *strings.Builder, indent, text string) {
	at := 0
	for _, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case at == 0:
			b.WriteString(indent)
			at = utf8.RuneCountInString(indent)
			indent = strings.Repeat(" ", at)
		case at+1+n > columns:
			b.WriteString("\n" + indent)
			at = utf8.RuneCountInString(indent)
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	if at > 0 {
		b.WriteByte('\n')
	}
}
