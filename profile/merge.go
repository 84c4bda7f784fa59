package profile

import (
	"cmp"
	"slices"

	"github.com/ashlar-go/ashlar/profile/internal/text"
)

// Merge is Join of profiles that are Related. Others are an error.
func Merge(a, b Profile) (Profile, error) {
	if !Related(a, b) {
		var ps text.Problems
		ps.Add(text.Problem{Text: "the profiles have less than half of their components in common: merge profiles of one program, and name each of its worlds"})
		return Profile{}, ps.Err()
	}
	return Join(a, b)
}

// Related reports whether two profiles may be of one program. They are if, in the worlds that both have facts about,
// half of the components of the one with fewer are in the other; if one has none there, a group or a system in both
// is enough. Names of systems alone, such as move, are not. Without a common world they are related as well:
// worlds of one program need have nothing in common.
func Related(a, b Profile) bool {
	x, y := a.shape(), b.shape()
	few, both, meet, any := min(x.components(y), y.components(x)), 0, false, false
	for about, s := range y.named {
		meet = meet || x.worlds[s.world]
		if _, is := x.named[about]; is {
			any = true
			if s.word == "component" {
				both++
			}
		}
	}
	if few > 0 {
		return 2*both >= few
	}
	return any || !meet
}

// shape is the statements that introduce parts of a program, by subject, and their worlds.
type shape struct {
	named  map[string]statement
	worlds map[string]bool
}

func (p Profile) shape() shape {
	x := shape{make(map[string]statement), make(map[string]bool)}
	for _, s := range p.statements() {
		if s.namesPart() {
			x.named[s.about()], x.worlds[s.world] = s, true
		}
	}
	return x
}

// components counts components in worlds that the other profile is about, too.
func (x shape) components(other shape) (n int) {
	for _, s := range x.named {
		if s.word == "component" && other.worlds[s.world] {
			n++
		}
	}
	return n
}

// namesPart reports whether the statement is the one that introduces a part of a program.
func (s statement) namesPart() bool {
	return s.word == "component" || s.word == "group" || s.word == "system"
}

// Join combines two profiles. It adds sums, so a profile's weight is its number of frames. Of
// peaks, last rows and readers it keeps the larger. It keeps the choices of the longer run and the
// times of the run with more timed runs. A layout stays if both went by it.
//
// Join is commutative, and associative except for the order of systems and accesses. That order
// comes from the profile of more frames. A statement that it lacks follows the one that precedes
// it in the other profile.
//
// Profiles that contradict each other are an error that lists each contradiction.
// Examples are a component of two sizes, and a group that owns other components. Statements about different worlds never do.
func Join(a, b Profile) (Profile, error) {
	var ps text.Problems
	var merged []statement
	for _, world := range worldsOf(a, b) {
		merged = append(merged, mergeWorld(a.ofWorld(world), b.ofWorld(world), &ps)...)
	}
	if err := ps.Err(); err != nil {
		return Profile{}, err
	}
	return assemble(merged).canonical(), nil
}

// worldsOf lists the worlds that either of two profiles is about.
func worldsOf(a, b Profile) (names []string) {
	for _, p := range append(a.byWorld(), b.byWorld()...) {
		names = append(names, p.World)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// mergeWorld merges two profiles' statements about one world.
func mergeWorld(a, b Profile, ps *text.Problems) []statement {
	x, y := a.statements(), b.statements()
	if precedes(b.Frames, y, a.Frames, x) {
		x, y = y, x
	}
	return join(x, y, func(s, t statement) statement {
		m, ok := s.merge(t)
		if !ok {
			ps.Add(text.Problem{Text: text.Cut(s.about()) + ": one profile states `" + text.Cut(s.line()) + "` and the other `" + text.Cut(t.line()) + "`: leave one of them"})
		}
		return m
	})
}

// precedes is a total order, so that Join is commutative.
func precedes(n uint64, a []statement, m uint64, b []statement) bool {
	return cmp.Or(cmp.Compare(m, n), slices.CompareFunc(a, b, func(s, t statement) int {
		return cmp.Compare(s.subject, t.subject)
	})) < 0
}

// join merges two lists by subject, in the order of the first. A statement that only the second
// has follows the one that precedes it there.
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
