// Package advice finds changes of code that would make a program faster or smaller. It is a
// pure function of a run's record.
//
//	profile ─┬─→ rules ─→ lines, the best first
//	map ─────┘     sort    rows in another order than that of their reader
//	               groups  declared groups that make systems gather, from them or over them
//	               apart   declared groups without rows of their own, that systems walk in many tables
//	               stored  a component that is declared thin or volatile, and should not be
//	               write   a column that is declared written and never changes
//	               field   a large component that is gathered whole
//	               split   a component of which systems ask for fields, over rows that have it
//	               handle  values read one by one that a system could walk
//	               unused  rows that no system touches
//	               unread  a component that nobody reads
//	               idle    memory that is free and resident
//
// A line has the evidence of the run, the savings of the change, and the code to write. Savings are time
// per frame or bytes. Predictions of time start from the median of the system's runs: costs.go has
// the model. `go -C bench run . -advice` measures each prediction.
//
// # For programs
//
//	Of Line
package advice

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
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

// Of returns the advice for a program with this profile and this map of its last frame. cache is
// the bytes of cache of each processor. Lines that save time come first, then lines that save
// memory, each by size. Without a map, advice that needs one is left out. Each world of a
// profile is advised alone. The map is of one of them.
func Of(p profile.Profile, m profile.Map, cached uint64) (lines []Line) {
	for _, x := range inputs(p, m, cached) {
		for _, rule := range [...]func(in) []Line{sortAs, groups, apartRows, stored, write, field, split, handle, unused, unread, idle} {
			for _, l := range rule(x) {
				l.World = x.p.World
				lines = append(lines, l)
			}
		}
	}
	lines = slices.DeleteFunc(lines, func(l Line) bool { return l.Time < timeLeast && l.Bytes < bytesLeast })
	slices.SortStableFunc(lines, func(a, b Line) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(b.Bytes, a.Bytes))
	})
	return lines
}

// The least savings that are reported.
const (
	timeLeast  = 2 * time.Microsecond // a frame
	bytesLeast = 1 << 20
)

// in is the input of the rules, about one world.
type in struct {
	p      profile.Profile
	m      profile.Map
	cached uint64
	walks  []walk // of the systems
}

// inputs are the worlds of a profile, each with its systems. A map is of one of them.
func inputs(p profile.Profile, m profile.Map, cached uint64) (list []in) {
	runs := p.Runs()
	for _, run := range runs {
		x := in{p: run, cached: cached}
		if len(runs) == 1 || run.World == m.World {
			x.m = m
		}
		for i := range run.Systems {
			x.walks = append(x.walks, walkOf(&run.Systems[i], run.Frames))
		}
		list = append(list, x)
	}
	return list
}

const (
	rateMax = 1e6     // highest plausible number of runs in 1,000 frames
	sumMax  = 1 << 50 // limit of products, so that sums can't overflow
)

// times returns a product, at most sumMax, because a profile may have any figures.
func times(a, b uint64) uint64 {
	if hi, lo := bits.Mul64(a, b); hi == 0 {
		return min(lo, sumMax)
	}
	return sumMax
}

// share returns n × part / whole, at most sumMax, and 0 if whole is 0.
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

// above returns a − b, at least 0.
func above(a, b uint64) uint64 { return a - min(a, b) }

// rounding returns the unit in which a number has two digits.
func rounding[N uint64 | time.Duration](n N) N {
	unit := N(1)
	for n/unit >= 100 {
		unit *= 10
	}
	return unit
}

// declared reports whether the program declared the group.
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
