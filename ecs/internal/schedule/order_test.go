package schedule

import (
	"fmt"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// system is one for tests of the order alone.
func system(name string, p Position) *System {
	return &System{Cursor: &walk.Cursor{Plan: &walk.Plan{Spec: walk.Spec{Name: name}}}, Position: p}
}

func named(list []*System) string {
	var names []string
	for _, x := range list {
		names = append(names, x.Name)
	}
	return strings.Join(names, " ")
}

func TestArrange(t *testing.T) {
	for _, c := range []struct {
		what string
		list []*System
		want string // the order, or words of the error
	}{
		{"none", nil, ""},
		{"as they come", []*System{system("a", Position{}), system("b", Position{})}, "a b"},
		{"of the phase alone", []*System{system("a", Position{Phase: Fixed}), system("b", Position{})}, "b"},
		{"after one that comes later", []*System{system("a", Position{After: []string{"c"}}), system("b", Position{}), system("c", Position{})}, "b c a"},
		{"before one that came", []*System{system("a", Position{}), system("b", Position{}), system("c", Position{Before: []string{"a"}})}, "b c a"},
		{"before a set", []*System{system("a", Position{Sets: []string{"s"}}), system("b", Position{}), system("c", Position{Before: []string{"s"}})}, "b c a"},
		{"after a set", []*System{system("x", Position{After: []string{"s"}}), system("a", Position{Sets: []string{"s"}}), system("b", Position{Sets: []string{"q", "s"}})}, "a b x"},
		{"both", []*System{system("a", Position{After: []string{"b"}, Before: []string{"c"}}), system("b", Position{}), system("c", Position{})}, "b a c"},
		{"twice", []*System{system("a", Position{After: []string{"b", "b"}}), system("b", Position{Before: []string{"a"}})}, "b a"},
		{"a set of its own name", []*System{system("a", Position{After: []string{"b"}}), system("b", Position{Sets: []string{"b"}})}, "b a"},
		{"itself", []*System{system("a", Position{After: []string{"a"}})}, "error: a → a"},
		{"its own set", []*System{system("a", Position{Sets: []string{"s"}, Before: []string{"s"}})}, "error: a → a"},
		{"a circle", []*System{system("z", Position{After: []string{"c"}}), system("a", Position{Before: []string{"b"}}), system("b", Position{Before: []string{"c"}}), system("c", Position{Before: []string{"a"}})}, "error: a → b → c → a"},
		{"unknown", []*System{system("a", Position{After: []string{"nobody"}})}, `error: system "a" is to run after "nobody", which is not the name of a system or a set`},
		{"unknown before", []*System{system("a", Position{Before: []string{"nobody"}})}, `error: system "a" is to run before "nobody"`},
		{"of another phase", []*System{system("a", Position{After: []string{"b"}}), system("b", Position{Phase: Render})}, `"b", which is in phase Render, and it is in EachFrame`},
		{"a set of another phase", []*System{system("a", Position{After: []string{"s"}}), system("b", Position{Phase: Fixed, Sets: []string{"s"}})}, `"s", which is in phase Fixed, and it is in EachFrame`},
	} {
		got, err := arrange(c.list, EachFrame)
		if err != nil {
			if !strings.Contains("error: "+strings.TrimPrefix(err.Error(), "ecs: "), strings.TrimPrefix(c.want, "error: ")) || named(got) != "" {
				t.Errorf("%s: %v, want %s", c.what, err, c.want)
			}
		} else if named(got) != c.want {
			t.Errorf("%s: %s, want %s", c.what, named(got), c.want)
		}
	}
}

// One error has all mistakes of all phases.
func TestArrangeNamesAllMistakes(t *testing.T) {
	s := New(&walk.Base{})
	for i, x := range []*System{
		system("a", Position{After: []string{"b", "x"}}), system("b", Position{After: []string{"a"}, Before: []string{"y"}}),
		system("c", Position{Phase: Render, Before: []string{"z"}}),
	} {
		s.systems.Add(i, x)
	}
	err := s.Begin(1)
	for _, part := range []string{`"a" is to run after "x"`, `"b" is to run before "y"`, "a → b → a", `"c" is to run before "z"`} {
		if err == nil || strings.Count(err.Error(), part) != 1 {
			t.Errorf("%v: %s is not in it once", err, part)
		}
	}
}

// Random orders hold, and are the first valid ones: no system could run earlier
// without one that was registered after it running later.
func TestArrangeRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 1 + r.IntN(12)
		perm := r.Perm(n)
		var list []*System
		for i := range n {
			list = append(list, system(fmt.Sprint(i), Position{}))
		}
		must := map[[2]int]bool{}
		for range r.IntN(2 * n) {
			a, b := r.IntN(n), r.IntN(n)
			if a == b {
				continue
			}
			if perm[a] > perm[b] {
				a, b = b, a
			}
			must[[2]int{a, b}] = true
			if r.IntN(2) == 0 {
				list[a].Before = append(list[a].Before, list[b].Name)
			} else {
				list[b].After = append(list[b].After, list[a].Name)
			}
		}
		got, err := arrange(list, EachFrame)
		if err != nil {
			t.Fatal(err)
		}
		var want []*System // the lowest that waits for nobody, again and again
		for len(want) < n {
			for i, x := range list {
				waits := slices.Contains(want, x)
				for k := range n {
					waits = waits || must[[2]int{k, i}] && !slices.Contains(want, list[k])
				}
				if !waits {
					want = append(want, x)
					break
				}
			}
		}
		if named(got) != named(want) {
			t.Fatalf("%s, want %s, of %v", named(got), named(want), must)
		}
	}
}

// Phases run in their order: the first once, the fixed one as often as it is told.
func TestPhases(t *testing.T) {
	f := newFixture(t)
	for _, p := range []Phase{Render, EachFrame, Fixed, Startup} {
		f.put(p.String(), f.b, Position{Phase: p})
	}
	safe := func() error { return nil }
	for i, want := range []string{"Startup Fixed EachFrame Render", "EachFrame Render", "Fixed Fixed Fixed EachFrame Render"} {
		if err := f.Begin([]int{1, 0, 3}[i]); err != nil {
			t.Fatal(err)
		}
		if err := f.Run(t.Context(), safe, nil); err != nil {
			t.Fatal(err)
		}
		f.End()
		f.expect(t, fmt.Sprint("frame ", i), want)
		if r, _ := f.visits(f.b); r != len(strings.Fields(want)) {
			t.Errorf("frame %d: %d rows met", i, r)
		}
	}
}

// After a frame that was abandoned, the first phase goes on behind the system that panicked,
// and it is told which one runs.
func TestStartupOfAbandonedFrame(t *testing.T) {
	f := newFixture(t)
	fail := true
	for _, name := range []string{"one", "two", "three"} {
		f.addTo(name, f.b, false, func() {
			if f.Running() != name {
				t.Errorf("%q runs, told of %q", name, f.Running())
			}
			if fail && name == "two" {
				panic(name)
			}
		}, Position{Phase: Startup, When: []func() bool{func() bool { return f.Running() == name }}})
	}
	safe := func() error {
		if f.Running() != "" {
			t.Errorf("%q runs at a safe point", f.Running())
		}
		return nil
	}
	for range 3 {
		func() {
			defer func() { recover() }()
			if err := f.frame(t.Context(), safe, nil); err != nil {
				t.Error(err)
			}
			f.End()
		}()
		if f.Running() != "" {
			t.Errorf("%q runs behind the frame", f.Running())
		}
	}
	f.expect(t, "startup", "one two three")
}

// Paused systems, and systems of paused sets, do not run until every pause of them has ended.
func TestPause(t *testing.T) {
	f := newFixture(t)
	f.put("a", f.b, Position{Sets: []string{"one", "a"}})
	f.put("b", f.b, Position{Sets: []string{"one", "two"}})
	f.put("c", f.b, Position{})
	safePoints := 0
	step := func(what, want string) {
		t.Helper()
		safePoints = 0
		if err := f.frame(t.Context(), func() error { safePoints++; return nil }, nil); err != nil {
			t.Fatal(err)
		}
		f.End()
		if n := len(strings.Fields(want)); safePoints != n {
			t.Errorf("%s: %d safe points for %d systems", what, safePoints, n)
		}
		if r, _ := f.visits(f.b); r != len(strings.Fields(want)) {
			t.Errorf("%s: %d rows were met", what, r)
		}
		f.expect(t, what, want)
	}
	step("all", "a b c")
	for _, x := range []struct {
		name   string
		paused bool
		known  bool
		want   string
	}{
		{"one", true, true, "c"}, {"one", true, true, "c"}, {"two", true, true, "c"}, {"one", false, true, "a c"}, {"two", false, true, "a b c"},
		{"a", true, true, "b c"}, {"one", true, true, "c"}, {"a", false, true, "c"}, {"one", false, true, "a b c"}, {"one", false, true, "a b c"}, {"nobody", true, false, "a b c"},
		{"c", true, true, "a b"}, {"two", true, true, "a"},
	} {
		if f.Pause(x.name, x.paused) != x.known {
			t.Errorf("%q is known: %v", x.name, !x.known)
		}
		step(fmt.Sprint(x.name, " paused: ", x.paused), x.want)
	}
	f.put("d", f.b, Position{Sets: []string{"two"}}) // into a set that is paused
	step("a new one", "a")
	f.Pause("two", false)
	step("its set runs", "a b d")
	for _, name := range []string{"c", "d"} { // a paused name stays paused, and known, when its last system goes
		f.Pause(name, true)
		f.Remove(name)
	}
	step("some are gone", "a b")
	if !f.Pause("c", false) || f.Pause("c", false) {
		t.Error("a paused name is not known, or known when it is not paused")
	}
	f.put("c", f.b, Position{})
	f.put("d", f.b, Position{})
	step("one that is not paused any more", "a b c")
}

// Conditions are asked before each run, and all must hold.
func TestWhen(t *testing.T) {
	f := newFixture(t)
	one, two, asked := true, false, 0
	f.put("a", f.b, Position{When: []func() bool{func() bool { asked++; return one }, func() bool { return two }}})
	f.put("b", f.b, Position{When: []func() bool{func() bool { return !two }}})
	safe := func() error { return nil }
	for i, want := range []string{"b", "a", ""} {
		two, one = i > 0, i < 2
		if err := f.frame(t.Context(), safe, nil); err != nil {
			t.Fatal(err)
		}
		f.End()
		f.expect(t, fmt.Sprint("frame ", i), want)
	}
	if asked != 3 {
		t.Errorf("asked %d times in three frames", asked)
	}
	f.put("breaks", f.b, Position{When: []func() bool{func() bool { panic("no") }}})
	func() {
		defer func() { recover() }()
		f.frame(t.Context(), safe, nil)
	}()
	if err := f.Abandoned(); err == nil || !strings.Contains(err.Error(), `"breaks" panicked`) {
		t.Errorf("a condition panicked: %v", err)
	}
}

// A removed system does not run any more, not even in the frame under way, and its name is
// free.
func TestRemove(t *testing.T) {
	f := newFixture(t)
	f.add("first", f.b, false, func() { f.Remove("second") })
	f.put("second", f.b, Position{})
	f.put("third", f.b, Position{})
	safe := func() error { return nil }
	if err := f.frame(t.Context(), safe, nil); err != nil {
		t.Fatal(err)
	}
	f.End()
	f.expect(t, "the frame in which it went", "first third")
	if r, _ := f.visits(f.b); r != 2 {
		t.Errorf("%d rows met", r)
	}
	if f.Has("second") || f.Remove("second") != nil {
		t.Error("it is there still")
	}
	f.put("second", f.b, Position{})
	if err := f.frame(t.Context(), safe, nil); err != nil {
		t.Fatal(err)
	}
	f.expect(t, "another of its name", "first third") // which was removed by first
}

// A system that asks for no rows is called once.
func TestOnce(t *testing.T) {
	f := newFixture(t)
	c := walk.NewCursor(walk.NewPlan(&f.Base, walk.Spec{Name: "once", Fields: source.Fields{Entities: -1}}))
	n := 0
	f.Add(c, raw.Of(new(int)), func(raw.Ptr) {
		if n++; f.Walks.Busy != "" {
			t.Errorf("%q iterates", f.Walks.Busy)
		}
	}, Position{})
	if err := f.frame(t.Context(), func() error { return nil }, nil); err != nil || n != 1 || c.Passed != 1 {
		t.Errorf("%v; called %d times, counted %d", err, n, c.Passed)
	}
}

// put adds a system that does nothing.
func (f *fixture) put(name string, of *store.Component, p Position) {
	f.addTo(name, of, false, func() {}, p)
}
