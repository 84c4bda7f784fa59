package advice

import (
	"fmt"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/profile"
)

// Line is one piece of advice.
type Line struct {
	Rule   string        // its name, as in the package comment
	World  string        // its name, or ""
	System string        // the slow system, or ""
	Group  string        // or component
	Time   time.Duration // saved in a frame
	Bytes  uint64        // that would be purged
	Why    string        // the evidence of the run
	Code   string        // the code to write
}

// The least savings that are reported.
const (
	timeLeast  = 2 * time.Microsecond // a frame
	bytesLeast = 1 << 20
)

// String returns the line for people: the savings, the evidence of the run, and the code to write, a line each.
func (l Line) String() string {
	var saves []string
	if l.Time > 0 {
		saves = append(saves, fmt.Sprintf("%v a frame", rounded(l.Time)))
	}
	if l.Bytes > 0 {
		saves = append(saves, size(l.Bytes))
	}
	return profile.InWorld(l.World, fmt.Sprintf("%s: saves %s\n    %s\n    → %s\n", l.Rule, strings.Join(saves, " and "), l.Why, l.Code))
}

// ident returns a variable name for a group, and title a type name for a component.
func ident(group string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" .-/+~", r) {
			return '_'
		}
		return r
	}, group)
}

func title(component string) string {
	s := ident(component)
	return strings.ToUpper(s[:1]) + s[1:]
}

// size writes bytes in KiB, or in MiB with one decimal.
func size(n uint64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%d.%d MiB", n>>20, n%(1<<20)*10>>20)
	case n >= 1<<10:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}

// rounded keeps two digits of a time: predictions are good for no more.
func rounded(t time.Duration) time.Duration {
	return t.Round(rounding(t))
}

// rounded2 rounds up to two digits, so that runs that differ little advise the same.
func rounded2(n uint64) uint64 {
	unit := rounding(n)
	return min((n+unit-1)/unit*unit, 1<<31-1)
}

// rounding returns the unit in which a number has two digits.
func rounding[N uint64 | time.Duration](n N) N {
	unit := N(1)
	for n/unit >= 100 {
		unit *= 10
	}
	return unit
}
