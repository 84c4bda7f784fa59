package profile

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/profile/internal/text"
)

// unordered forgets the order of systems and accesses.
func unordered(p Profile) Profile {
	p = p.canonical()
	for i, w := range p.Worlds {
		p.Worlds[i] = unordered(w)
	}
	slices.SortFunc(p.Systems, func(s, t System) int { return cmp.Compare(s.Name, t.Name) })
	for _, s := range p.Systems {
		slices.SortFunc(s.Access, func(a, b Access) int {
			return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Component, b.Component), cmp.Compare(fmt.Sprint(a.Write, a.Scattered), fmt.Sprint(b.Write, b.Scattered)))
		})
	}
	return p
}

// mustMerge is Join, which must succeed.
func mustMerge(t *testing.T, a, b Profile) Profile {
	t.Helper()
	m, err := Join(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func same(t *testing.T, what string, a, b Profile) {
	t.Helper()
	if !reflect.DeepEqual(a, b) {
		t.Fatalf("%s:\n%s\nand\n%s", what, written(t, a), written(t, b))
	}
}

func TestMergeLaws(t *testing.T) {
	r := seeded(t)
	for range 60 {
		a, b, c := invent(r, steady), invent(r, steady), invent(r, steady)
		ab := mustMerge(t, a, b)
		same(t, "a·b and b·a", ab, mustMerge(t, b, a))
		same(t, "(a·b)·c and a·(b·c)", unordered(mustMerge(t, ab, c)), unordered(mustMerge(t, a, mustMerge(t, b, c))))
		same(t, "a·nothing and a", mustMerge(t, a, Profile{}), a.canonical())
		if err := ab.check(); err != nil {
			t.Fatal(err)
		}
	}
}

// Shapes that contradict each other are refused in whatever order they meet.
func TestMergeLawsOfConflicts(t *testing.T) {
	r := seeded(t)
	refused := 0
	for range 60 {
		some := func() Profile { return invent(r, func(i int) int { return 8 + r.IntN(40)/39*i }) }
		a, b, c := some(), some(), some()
		all := func(a, b, c Profile) bool {
			ab, err := Join(a, b)
			if err == nil {
				_, err = Join(ab, c)
			}
			return err == nil
		}
		good := all(a, b, c)
		if !good {
			refused++
		}
		if good != all(b, c, a) || good != all(c, b, a) {
			t.Fatal("one order of merging is refused and another is not")
		}
	}
	if refused == 0 || refused == 60 {
		t.Fatalf("%d of 60 were refused: the test shows nothing", refused)
	}
}

func TestMerge(t *testing.T) {
	a := Profile{
		Frames: 10, Groups: []Group{{"g", nil, 1, 2, 9, 4}},
		Systems: []System{{Name: "first", Frames: 10, Timed: 1, Times: Times{1, 2, 3, 4}}, {Name: "last", Access: []Access{{Group: "g", Component: "c", Rows: 1, Chunks: 2, Bytes: 3}}}},
	}
	b := Profile{
		Frames: 30, Groups: []Group{{"g", nil, 10, 20, 3, 40}},
		Systems: []System{{Name: "before"}, {Name: "first", Frames: 1, Timed: 2, Times: Times{5, 6, 7, 8}}, {Name: "between"},
			{Name: "last", Access: []Access{{Group: "g", Component: "c", Write: true, Rows: 5}, {Group: "g", Component: "c", Rows: 10, Chunks: 20, Bytes: 30}}}},
	}
	want := Profile{
		Frames: 40, Groups: []Group{{"g", nil, 11, 22, 9, 40}},
		Systems: []System{{Name: "before"}, {Name: "first", Frames: 11, Timed: 2, Times: Times{5, 6, 7, 8}}, {Name: "between"},
			{Name: "last", Access: []Access{{Group: "g", Component: "c", Write: true, Rows: 5}, {Group: "g", Component: "c", Rows: 11, Chunks: 22, Bytes: 33}}}},
	}
	same(t, "merged", mustMerge(t, a, b), want)

	// The order is that of more frames, and systems of the other stand behind their predecessors there.
	a.Frames, want.Frames = 100, 130
	a.Systems[0], a.Systems[1] = a.Systems[1], a.Systems[0]
	w := want.Systems
	want.Systems = []System{w[0], w[3], w[1], w[2]}
	same(t, "merged by a's order", mustMerge(t, a, b), want)
}

func TestMergeConflicts(t *testing.T) {
	a := Profile{
		Components: []Component{{"c", 8, 8}}, Groups: []Group{{Name: "g", Owns: []string{"c", "d"}}},
	}
	b := Profile{
		Components: []Component{{"c", 16, 4}}, Groups: []Group{{Name: "g", Owns: []string{"d"}}},
	}
	_, err := Merge(a, b)
	if ps, ok := errors.AsType[*text.Problems](err); !ok || ps.Count() != 2 {
		t.Fatalf("%v", err)
	}
	for _, want := range []string{
		"component c: one profile states `component c size 8 align 8` and the other `component c size 16 align 4`: leave one of them",
		"`group g owns c,d rows 0 chunks 0 peak 0 last 0` and the other `group g owns d",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in\n%v", want, err)
		}
	}
}

// Figures of views are sums. A system's choice is the longer run's, with
// the order of that run, and between equals the order of merging makes no difference.
func TestMergeViews(t *testing.T) {
	with := func(c Choice, v Shared) Profile {
		c.Group, c.Component, v.Group, v.Component = "g", "c.X", "g", "c.X"
		return Profile{Frames: 1, Shared: []Shared{v}, Systems: []System{{Name: "s", Choices: []Choice{c}}}}
	}
	for _, tt := range []struct{ a, b, want Choice }{
		{Choice{Use: "cached", Frames: 3, Chunks: 5, Stale: 1}, Choice{Use: "gathered", Frames: 2, Chunks: 2, Stale: 2},
			Choice{Use: "cached", Frames: 3, Chunks: 7, Stale: 3}},
		{Choice{Use: "cached", Frames: 3}, Choice{Use: "gathered", Frames: 3}, Choice{Use: "gathered", Frames: 3}},
		{Choice{Use: "cached", Frames: 3, Order: 7}, Choice{Use: "cached", Frames: 3}, Choice{Use: "cached", Frames: 3, Order: 7}},
	} {
		a := with(tt.a, Shared{Readers: 1, Built: 2, Refreshed: 3, Reused: 4, Bytes: 5, Dropped: 6})
		b := with(tt.b, Shared{Readers: 7, Built: 1, Refreshed: 1, Reused: 1, Bytes: 1, Dropped: 1})
		want := with(tt.want, Shared{Readers: 7, Built: 3, Refreshed: 4, Reused: 5, Bytes: 6, Dropped: 7})
		want.Frames = 2
		same(t, "a·b", mustMerge(t, a, b), want)
		same(t, "b·a", mustMerge(t, b, a), want)
	}
}

// Of how a component was stored, the run counts in which more entities had it.
func TestMergeStored(t *testing.T) {
	alone := Profile{Stored: []Stored{{Component: "c", Way: "thin", Reason: "few have it", Entities: 3, Tables: 1}}}
	if back := mustParse(t, written(t, alone)); len(back.Stored) != 1 || !reflect.DeepEqual(back.Stored, alone.Stored) {
		t.Errorf("alone, it is read as %+v", back)
	}
	if !alone.hasFacts() {
		t.Error("it is taken for nothing")
	}
	few, many := Stored{Component: "c", Way: "thin", Reason: "few have it", Entities: 3, Tables: 1}, Stored{Component: "c", Way: "optional", Reason: "removed often", Entities: 40, Tables: 2}
	for _, order := range [][2]Stored{{few, many}, {many, few}} {
		m, err := Merge(Profile{Frames: 9, Stored: order[:1]}, Profile{Frames: 1, Stored: order[1:]})
		if err != nil || len(m.Stored) != 1 || !reflect.DeepEqual(m.Stored[0], many) {
			t.Errorf("%+v, %v", m.Stored, err)
		}
	}
}

// Adds and removes of all runs add up, frame by frame. The frame of the last change-over is that of the longer run.
func TestMergeStoredRemoves(t *testing.T) {
	of := func(entities, since uint64, removes ...uint64) Profile {
		return Profile{Frames: 1, Stored: []Stored{{Component: "c", Way: "ordered", Reason: "x", Entities: entities, Since: since, Adds: removes[1:], Removes: removes}}}
	}
	if s := mustMerge(t, of(3, 90, 5, 1), of(4, 64, 7, 2, 9)).Stored[0]; s.Since != 64 || !slices.Equal(s.Adds, []uint64{3, 9}) || !slices.Equal(s.Removes, []uint64{12, 3, 9}) {
		t.Errorf("%+v", s)
	}
}

// A joined profile shares no list with those that it was made of.
func TestMergeCopiesLists(t *testing.T) {
	a := Profile{Frames: 1, Stored: []Stored{{Component: "c", Way: "ordered", Reason: "x", Removes: []uint64{5, 7}}}}
	m := mustMerge(t, a, Profile{Frames: 1})
	if a.Stored[0].Removes[0] = 9; !slices.Equal(m.Stored[0].Removes, []uint64{5, 7}) {
		t.Errorf("%d changes with the profile that was merged", m.Stored[0].Removes)
	}
}

// A system that changed a value in one of the runs has changed one.
func TestMergeUnchanged(t *testing.T) {
	of := func(n uint64) Profile {
		return Profile{Frames: 1, Systems: []System{{Name: "s", Access: []Access{{Group: "g", Component: "c", Unchanged: n}}}}}
	}
	for _, tt := range [][3]uint64{{5, 0, 0}, {0, 5, 0}, {5, 3, 3}} {
		if m := mustMerge(t, of(tt[0]), of(tt[1])); m.Systems[0].Access[0].Unchanged != tt[2] {
			t.Errorf("%d and %d are %d", tt[0], tt[1], m.Systems[0].Access[0].Unchanged)
		}
	}
}

// A copy shares no memory with its profile.
func TestCanonicalIsACopy(t *testing.T) {
	p := Profile{Groups: []Group{{Name: "g", Owns: []string{"a"}}}}
	if p.canonical().Groups[0].Owns[0] = "b"; p.Groups[0].Owns[0] != "a" {
		t.Errorf("%+v", p.Groups)
	}
}

// Profiles that have a world in common and no name in it are of different programs. Merge refuses
// them, and names the remedy.
func TestMergeUnrelated(t *testing.T) {
	village := Profile{Frames: 1, Components: []Component{{"c", 8, 8}}, Groups: []Group{{Name: "g"}}, Systems: []System{{Name: "s"}}}
	space := Profile{Frames: 1, Components: []Component{{"d", 8, 8}}, Groups: []Group{{Name: "h"}}, Systems: []System{{Name: "t"}}}
	in := func(world string, p Profile) Profile {
		p.World = world
		return p
	}
	both := in("level", village)
	both.Worlds = []Profile{in("menu", space)}
	for _, tt := range []struct {
		name string
		a, b Profile
		want bool
	}{
		{"one program twice", village, village, true},
		{"a component in common", village, Profile{Components: village.Components, Systems: space.Systems}, true},
		{"systems of common names", village, Profile{Components: space.Components, Systems: village.Systems}, false},
		{"half of the components in common", Profile{Components: []Component{{"c", 8, 8}, {"e", 8, 8}}}, Profile{Components: []Component{{"c", 8, 8}, {"f", 8, 8}, {"g", 8, 8}}}, true},
		{"a third of them", Profile{Components: []Component{{"c", 8, 8}, {"e", 8, 8}, {"h", 8, 8}}}, Profile{Components: []Component{{"c", 8, 8}, {"f", 8, 8}, {"g", 8, 8}}}, false},
		{"a third of them, in worlds of other names", in("level", Profile{Components: []Component{{"c", 8, 8}, {"e", 8, 8}, {"h", 8, 8}}}), in("menu", Profile{Components: []Component{{"c", 8, 8}, {"f", 8, 8}, {"g", 8, 8}}}), true},
		{"a group in common", village, Profile{Groups: village.Groups, Systems: space.Systems}, true},
		{"a system in common", village, Profile{Groups: space.Groups, Systems: village.Systems}, true},
		{"two programs", village, space, false},
		{"two programs with a world of one name", in("level", village), in("level", space), false},
		{"two worlds of one program", in("level", village), in("menu", space), true},
		{"a world that has a name and one that has none", village, in("menu", space), true},
		{"one of two worlds in common", both, in("menu", space), true},
		{"a world of one name among others", both, in("level", space), false},
		{"a word is no name", Profile{Components: []Component{{"x", 8, 8}}}, Profile{Groups: []Group{{Name: "x"}}}, false},
		{"a lookup alone", village, Profile{Lookups: []Lookup{{Component: "h"}}}, true},
		{"frames alone", village, Profile{Frames: 3}, true},
		{"nothing", village, Profile{}, true},
	} {
		for _, order := range [][2]Profile{{tt.a, tt.b}, {tt.b, tt.a}} {
			_, err := Merge(order[0], order[1])
			if Related(order[0], order[1]) != tt.want || (err == nil) != tt.want {
				t.Errorf("%s: %v", tt.name, err)
			}
			if err != nil && !strings.Contains(err.Error(), "less than half of their components in common") {
				t.Errorf("%s: %v", tt.name, err)
			}
			if _, err := Join(order[0], order[1]); err != nil {
				t.Errorf("%s: joined: %v", tt.name, err)
			}
		}
	}
}

// A profile of runs that went by different layouts went by no one.
func TestMergeOfLayouts(t *testing.T) {
	for _, tt := range []struct{ a, b, want string }{{"0123456789abcdef", "0123456789abcdef", "0123456789abcdef"}, {"0123456789abcdef", "fedcba9876543210", ""}, {"0123456789abcdef", "", ""}} {
		if m := mustMerge(t, Profile{Frames: 5, Layout: tt.a}, Profile{Frames: 3, Layout: tt.b}); m.Layout != tt.want || m.Frames != 8 {
			t.Errorf("%q and %q: %q of %d frames", tt.a, tt.b, m.Layout, m.Frames)
		}
	}
}
