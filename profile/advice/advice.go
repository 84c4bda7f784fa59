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
//
// All other names are for tools, and may change.
package advice

import (
	"cmp"
	"slices"

	"github.com/ashlar-go/ashlar/profile"
)

// Of returns the advice for a program with this profile and this map of its last frame; cached is
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
