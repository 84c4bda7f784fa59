// Package advice says what only code can change to make a program faster or smaller: a
// pure function of what a run has recorded.
//
//	profile ─┬─→ rules ─→ lines, the best first
//	map ─────┘     sortAs   rows in the order in which their readers come
//	machine ─┘     view     a kept view that intent asks for, and that costs more than it saves
//	               unused   groups that no system touches
//	               idle     memory that is free and resident
//
// A line says what was seen, what is to be gained, and what to write.
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
	Time  time.Duration // that a frame would be shorter, as far as that is known
	Bytes uint64        // that would be given back, or lie apart
	Text  string        // what was seen, the gain, and what to write
}

// Of returns the advice for a program that a profile and a map of its end are about, on
// a machine with so many bytes of cache for each processor: lines that save time first,
// the most first, then those that save memory, then the others. An empty map leaves out
// what only it tells.
func Of(p profile.Profile, m profile.Map, cached uint64) (lines []Line) {
	for _, rule := range [...]func(in) []Line{sortAs, view, unused, idle} {
		lines = append(lines, rule(in{p, m, cached})...)
	}
	slices.SortStableFunc(lines, func(a, b Line) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(b.Bytes, a.Bytes))
	})
	return lines
}

// in is what advice is given from.
type in struct {
	p      profile.Profile
	m      profile.Map
	cached uint64
}

// rateOf is how often a system runs in 1,000 frames: as intent says, else as seen.
func (x in) rateOf(s *profile.System) uint64 {
	for _, e := range x.p.Intent.Every {
		if e.System == s.Name && e.Frames > 0 {
			return max(1, 1000/uint64(e.Frames))
		}
	}
	return min(share(1000, s.Frames, x.p.Frames), rateMax)
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

// inTime is a number of picoseconds, to be read by people.
func inTime(ps uint64) time.Duration {
	return time.Duration(ps / 1000).Round(100 * time.Nanosecond)
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
