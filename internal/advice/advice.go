// Package advice says what only code can change to make a program faster or smaller: a
// pure function of what a run has recorded.
//
//	profile ─┬─→ rules ─→ lines, the best first
//	map ─────┘     sort    rows in the order in which their reader comes
//	               groups  declared groups that make their readers gather
//	               stored  a component that is stated to be thin or volatile, and should not be
//	               write   a column that is declared to be written and never changed
//	               field   a component that is gathered whole
//	               view    a way to get a component that intent asks for, and that costs more
//	               unused  rows that no system touches
//	               idle    memory that is free and resident
//
// A line says what was seen, what a frame or how many bytes it would save, and what to write.
// Predictions of time begin with the median of the system's runs: costs.go has the model.
// `go run ./bench -advice` measures each of them.
package advice

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/internal/profile"
)

// Line is one piece of advice.
type Line struct {
	Rule   string        // its name, as in the package comment
	System string        // that is slow; "" if it is about none
	Group  string        // or component
	Time   time.Duration // that a frame would be shorter
	Bytes  uint64        // that would be given back
	Why    string        // what was seen
	Code   string        // what to write
}

// Of returns the advice for a program that a profile and a map of its end are about, on
// a machine with so many bytes of cache for each processor: lines that save time first,
// the most first, then those that save memory. An empty map leaves out what only it tells.
func Of(p profile.Profile, m profile.Map, cached uint64) (lines []Line) {
	for _, rule := range [...]func(in) []Line{sortAs, groups, stored, write, field, view, unused, idle} {
		lines = append(lines, rule(in{p, m, cached})...)
	}
	lines = slices.DeleteFunc(lines, func(l Line) bool { return l.Time < timeLeast && l.Bytes < bytesLeast })
	slices.SortStableFunc(lines, func(a, b Line) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(b.Bytes, a.Bytes))
	})
	return lines
}

// What is worth a word.
const (
	timeLeast  = 2 * time.Microsecond // a frame
	bytesLeast = 1 << 20
)

// in is what advice is given from.
type in struct {
	p      profile.Profile
	m      profile.Map
	cached uint64
}

// inFrame is picoseconds of a system's run as time of a frame.
func (x in) inFrame(s *profile.System, ps uint64) time.Duration {
	return time.Duration(share(ps, x.rateOf(s), 1000) / 1000).Round(100 * time.Nanosecond)
}

// rateOf is how often a system runs in 1,000 frames.
func (x in) rateOf(s *profile.System) uint64 {
	return min(share(1000, s.Frames, x.p.Frames), rateMax)
}

// size is that of a component's values.
func (x in) size(component string) uint64 {
	for _, c := range x.p.Components {
		if c.Name == component {
			return uint64(c.Size)
		}
	}
	return 0
}

const (
	rateMax = 1e6     // runs in 1,000 frames that are believed
	sumMax  = 1 << 50 // what products are cut to, so that sums can't overflow
)

// times is a product, at most sumMax: a profile may say anything.
func times(a, b uint64) uint64 {
	if hi, lo := bits.Mul64(a, b); hi == 0 {
		return min(lo, sumMax)
	}
	return sumMax
}

// share is n × part / whole, at most sumMax; 0 of nothing.
func share(n, part, whole uint64) uint64 {
	hi, lo := bits.Mul64(n, part)
	switch {
	case whole == 0:
		return 0
	case hi >= whole:
		return sumMax
	}
	q, _ := bits.Div64(hi, lo, whole)
	return min(q, sumMax)
}

// above is a − b, or 0.
func above(a, b uint64) uint64 { return a - min(a, b) }

// declared tells whether a group was declared by the program.
func declared(group string) bool {
	_, table := profile.ParseTable(group)
	return !table
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

// quote puts a name into quotation marks where a profile would.
func quote(name string) string {
	if name == "" || strings.ContainsAny(name, " \t\"#,") {
		return fmt.Sprintf("%q", name)
	}
	return name
}
