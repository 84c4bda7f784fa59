package profile

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Merge is what two profiles know together. Sums are added (and stay at their
// highest value rather than overflow), so that each profile weighs as much as the frames that it
// stands for; of peaks, last rows and readers the larger one counts; how a system gets a
// shared component is what the longer run chose, and
// times are those of the run that timed more; intent is what either asks for.
//
// It is commutative, and associative up to the order of systems and of
// accesses. That order is the one of the profile of more frames, and what it has not
// stands behind what precedes it in the other one.
//
// Profiles that contradict each other are refused, with a *[Problems] that names each
// contradiction: a component of two shapes, a group that owns other components, intent that disagrees. For facts
// of one program that has changed see [Resolve], for intent that overrules [Overlay].
func Merge(a, b Profile) (Profile, error) {
	a, b = a.Canonical(), b.Canonical()
	if before(b, a) {
		a, b = b, a
	}
	var ps Problems
	m := Profile{Frames: add(a.Frames, b.Frames)}
	m.Components = mergeNamed(a.Components, b.Components, func(c Component) string { return c.Name }, func(c, d Component) Component {
		if c != d {
			ps.add(Problem{Text: fmt.Sprintf("component %s has size %d align %d in one profile and size %d align %d in the other: take the one of the program as it is now",
				quote(c.Name), c.Size, c.Align, d.Size, d.Align)})
		}
		return c
	})
	m.Stored = mergeNamed(a.Stored, b.Stored, func(s Stored) string { return s.Component }, mergeStored)
	m.Groups = mergeNamed(a.Groups, b.Groups, func(g Group) string { return g.Name }, func(g, h Group) Group {
		if !slices.Equal(g.Owns, h.Owns) {
			ps.add(Problem{Text: fmt.Sprintf("group %s owns %s in one profile and %s in the other: take the one of the program as it is now",
				quote(g.Name), quoteList(g.Owns), quoteList(h.Owns))})
		}
		return Group{g.Name, g.Owns, add(g.Rows, h.Rows), add(g.Chunks, h.Chunks), max(g.Peak, h.Peak), max(g.Last, h.Last)}
	})
	m.Shared = mergeNamed(a.Shared, b.Shared, sharedKey, mergeShared)
	m.Systems = mergeNamed(a.Systems, b.Systems, func(s System) string { return s.Name }, func(s, t System) System {
		timed, times := mergeTimes(s, t)
		return System{
			s.Name, add(s.Frames, t.Frames), timed, times,
			Misses{add(s.Misses.Runs, t.Misses.Runs), add(s.Misses.Cache, t.Misses.Cache), add(s.Misses.TLB, t.Misses.TLB)},
			mergeNamed(s.Access, t.Access, accessKey, func(x, y Access) Access {
				x.Rows, x.Chunks, x.Bytes = add(x.Rows, y.Rows), add(x.Chunks, y.Chunks), add(x.Bytes, y.Bytes)
				x.Unchanged = min(x.Unchanged, y.Unchanged) // a run that changed some has 0
				return x
			}),
			mergeNamed(s.Choices, t.Choices, choiceKey, mergeChoice),
		}
	})
	m.Intent = mergeIntent(a.Intent, b.Intent, &ps)
	if err := ps.err(); err != nil {
		return Profile{}, err
	}
	return m.Canonical(), nil
}

// MergeFiles is Merge of files with their comments, into a new file without a name.
func MergeFiles(a, b *File) (*File, error) {
	p, err := Merge(a.Profile, b.Profile)
	if err != nil {
		return nil, err
	}
	return &File{Profile: p, Comments: mergeComments(a.Comments, b.Comments), Unknown: a.Unknown + b.Unknown}, nil
}

// before is a total order up to facts that don't matter for order, so that Merge is commutative.
func before(a, b Profile) bool {
	if a.Frames != b.Frames {
		return a.Frames > b.Frames
	}
	return slices.CompareFunc(a.Systems, b.Systems, compareWalk) < 0
}

func compareWalk(s, t System) int {
	return cmp.Or(cmp.Compare(s.Name, t.Name), slices.CompareFunc(s.Access, t.Access, func(x, y Access) int {
		return cmp.Compare(accessSubject("", x), accessSubject("", y))
	}))
}

// accessKey is an access without its figures.
func accessKey(a Access) Access {
	a.Rows, a.Chunks, a.Bytes, a.Unchanged = 0, 0, 0, 0
	return a
}

// add stays at the highest value, which keeps it associative.
func add(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}

// mergeNamed joins two lists without duplicates, in the order of the first; what only the second has stands behind what
// precedes it there.
func mergeNamed[T any, K comparable](a, b []T, key func(T) K, join func(x, y T) T) []T {
	inB := make(map[K]T, len(b))
	for _, y := range b {
		inB[key(y)] = y
	}
	inA := make(map[K]bool, len(a))
	for _, x := range a {
		inA[key(x)] = true
	}
	var first []T
	behind := make(map[K][]T)
	var last *K
	for _, y := range b {
		switch k := key(y); {
		case inA[k]:
			last = &k
		case last == nil:
			first = append(first, y)
		default:
			behind[*last] = append(behind[*last], y)
		}
	}
	m := first
	for _, x := range a {
		k := key(x)
		if y, both := inB[k]; both {
			x = join(x, y)
		}
		m = append(append(m, x), behind[k]...)
	}
	return m
}

// mergeIntent is what either asks for.
func mergeIntent(a, b Intent, ps *Problems) Intent {
	disagree := func(subject string, was, is any) {
		ps.add(Problem{Text: fmt.Sprintf("%s: one profile asks for %v and the other for %v: leave one of them", subject, was, is)})
	}
	m := Intent{
		Off:      a.Off || b.Off,
		Together: union(a.Together, b.Together, quoteList),
		Pinned:   union(a.Pinned, b.Pinned, quote),
	}
	m.Every = mergeNamed(a.Every, b.Every, func(e Every) string { return e.System }, func(e, f Every) Every {
		if e != f {
			disagree(subject("expect", e.System), e.Frames, f.Frames)
		}
		return e
	})
	m.Heat = mergeNamed(a.Heat, b.Heat, func(h Heat) string { return h.Group }, func(h, i Heat) Heat {
		if h != i {
			disagree(subject("heat", h.Group), "hot", "cold")
		}
		return h
	})
	m.Views = mergeNamed(a.Views, b.Views, viewKey, func(v, w View) View {
		if v != w {
			disagree(subject("view", v.System, v.Component), v.Choice, w.Choice)
		}
		return v
	})
	x, y := a.Budget, b.Budget
	if x.Time != 0 && y.Time != 0 && x.Time != y.Time {
		disagree("budget time", x.Time, y.Time)
	}
	if x.Bytes != 0 && y.Bytes != 0 && x.Bytes != y.Bytes {
		disagree("budget bytes", x.Bytes, y.Bytes)
	}
	m.Budget = Budget{max(x.Time, y.Time), max(x.Bytes, y.Bytes)}
	return m
}

func viewKey(v View) View { return View{System: v.System, Component: v.Component} }

func union[T any](a, b []T, key func(T) string) []T {
	return mergeNamed(a, b, key, func(x, _ T) T { return x })
}

// Overlay is the intent of two layers, where the upper one overrules the lower one by
// system, by group, by view and by kind of budget. What is off, pinned or used together
// in either one is so in both.
func Overlay(lower, upper Intent) Intent {
	lower, upper = lower.canonical(), upper.canonical()
	return Intent{
		Off:      lower.Off || upper.Off,
		Every:    mergeNamed(lower.Every, upper.Every, func(e Every) string { return e.System }, later),
		Heat:     mergeNamed(lower.Heat, upper.Heat, func(h Heat) string { return h.Group }, later),
		Views:    mergeNamed(lower.Views, upper.Views, viewKey, later),
		Together: union(lower.Together, upper.Together, quoteList),
		Pinned:   union(lower.Pinned, upper.Pinned, quote),
		Budget: Budget{
			Time:  cmp.Or(upper.Budget.Time, lower.Budget.Time),
			Bytes: cmp.Or(upper.Budget.Bytes, lower.Budget.Bytes),
		},
	}.canonical()
}

func later[T any](_, upper T) T { return upper }
