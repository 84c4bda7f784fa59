package profile

import (
	"cmp"
	"slices"
)

// Merge returns what two profiles know together. Sums are added, so each profile weighs as much as
// the frames that it stands for. Of peaks, last rows and readers the larger one counts. How a
// system gets a shared component is what the longer run chose. Times are those of the run that timed more. Hints are what either asks for.
//
// Merge is commutative, and associative except for the order of systems and accesses. That order is
// the one of the profile of more frames; what it lacks stands behind what precedes it in the other.
//
// Profiles that contradict each other are refused, with a *[Problems] that names each
// contradiction: a component of two sizes, a group that owns other components, hints that differ.
func Merge(a, b Profile) (Profile, error) {
	x, y := a.statements(), b.statements()
	if precedes(b.Frames, y, a.Frames, x) {
		x, y = y, x
	}
	var ps Problems
	merged := join(x, y, func(s, t statement) statement {
		m, ok := s.merge(t)
		if !ok {
			ps.Add(Problem{Text: cut(s.subject) + ": one profile states `" + cut(s.subject+s.rest()) + "` and the other `" + cut(t.subject+t.rest()) + "`: leave one of them"})
		}
		return m
	})
	if err := ps.Err(); err != nil {
		return Profile{}, err
	}
	return assemble(merged).Canonical(), nil
}

// overlay is both, where the statements of the upper one overrule those of the lower one.
func overlay(lower, upper Profile) Profile {
	return assemble(join(lower.statements(), upper.statements(), func(_, s statement) statement { return s })).Canonical()
}

// precedes is a total order, so that Merge is commutative.
func precedes(n uint64, a []statement, m uint64, b []statement) bool {
	return cmp.Or(cmp.Compare(m, n), slices.CompareFunc(a, b, func(s, t statement) int {
		return cmp.Compare(s.subject, t.subject)
	})) < 0
}

// join merges two lists by subject, in the order of the first. What only the second has stands
// behind what precedes it there.
func join(a, b []statement, merge func(x, y statement) statement) []statement {
	inA := make(map[string]bool, len(a))
	for _, x := range a {
		inA[x.subject] = true
	}
	inB := make(map[string]statement, len(b))
	behind := make(map[string][]statement) // "": before all
	last := ""
	for _, y := range b {
		s := y.subject
		if inB[s] = y; inA[s] {
			last = s
		} else {
			behind[last] = append(behind[last], y)
		}
	}
	m := behind[""]
	for _, x := range a {
		s := x.subject
		if y, both := inB[s]; both {
			x = merge(x, y)
		}
		m = append(append(m, x), behind[s]...)
	}
	return m
}
