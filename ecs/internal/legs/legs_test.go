package legs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// parse reads a system of a table: its name, and words: +x is a thing to read, =x one to write, *x one that it
// asks to come or go, and ?x one that it sees come or go.
func parse(line string) (s System) {
	s.Parallel = true
	for i, word := range strings.Fields(line) {
		switch {
		case i == 0:
			s.Name = word
		case word == "alone":
			s.Parallel = false
		case word == "asks":
			s.Changes = append(s.Changes, Any)
		case word == "asked":
			s.Asked = true
		case word == "spawns":
			s.Spawns = true
		case word[0] == '*':
			s.Changes = append(s.Changes, word[1:])
		case word[0] == '?':
			s.Sees = append(s.Sees, word[1:])
		case word[0] == '+':
			s.Reads = append(s.Reads, word[1:])
		case word[0] == '=':
			s.Writes = append(s.Writes, word[1:])
		}
	}
	return s
}

// show is legs as a text: "a b<a" for systems a and b, where b waits for a; "|" is a safe point.
func show(list []System, legs []Leg) string {
	var b strings.Builder
	for k, l := range legs {
		if k > 0 {
			fmt.Fprintf(&b, " | ")
		}
		for i := l.First; i < l.End; i++ {
			if i > l.First {
				b.WriteByte(' ')
			}
			b.WriteString(list[i].Name)
			for _, w := range l.Waits[i-l.First] {
				fmt.Fprintf(&b, "<%s", list[l.First+w.On].Name)
			}
		}
	}
	return b.String()
}

// Systems go side by side where their declarations allow it, and wait for the ones that they conflict with.
func TestPlan(t *testing.T) {
	for _, tt := range []struct {
		systems []string
		want    string
	}{
		{nil, ""},
		{[]string{"a"}, "a"},
		{[]string{"a =x", "b =y"}, "a b"},
		{[]string{"a =x", "b =x"}, "a b<a"},
		{[]string{"a =x", "b +x"}, "a b<a"},
		{[]string{"a +x", "b =x"}, "a b<a"},
		{[]string{"a +x", "b +x"}, "a b"},
		{[]string{"a =x +x", "b +x =x"}, "a b<a"},
		{[]string{"a =x", "b +x", "c +x", "d =x"}, "a b<a c<a d<b<c"},
		{[]string{"a =x =y", "b +x +y"}, "a b<a"},
		{[]string{"a =x", "b +x =y", "c +y +x"}, "a b<a c<b<a"},
		{[]string{"a =x alone", "b =y", "c =z", "d alone", "e"}, "a | b c | d | e"},
		{[]string{"a =x", "b =y asks", "c =z", "d"}, "a b | c d"},
		{[]string{"a asks", "b asks", "c"}, "a | b | c"},
		{[]string{"a *x", "b ?y", "c ?x", "d ?x"}, "a | b c d"},
		{[]string{"a *x", "b *y", "c ?x", "d ?y"}, "a b | c d"},
		{[]string{"a *x", "b ?x *y", "c ?x", "d ?y"}, "a | b | c d"},
		{[]string{"a spawns", "b", "c spawns", "d asks spawns", "e"}, "a | b c | d | e"},
		{[]string{"a spawns", "b ?x", "c *x"}, "a b c"},
		{[]string{"a *x *y", "b ?z ?y"}, "a | b"},
		{[]string{"a *x", "b *y", "c ?z", "d ?z ?x"}, "a | b c d"},
		{[]string{"a *x", "b ?*", "c asks", "d ?z"}, "a | b c | d"},
		{[]string{"a *x", "b alone", "c ?x"}, "a | b | c"},
		{[]string{"a", "b asked", "c", "d asked asks", "e"}, "a | b c | d | e"},
		{[]string{"a asked", "b alone asked"}, "a | b"},
		{[]string{"a =x", "b =x", "c =x"}, "a b<a c<b"},
	} {
		var list []System
		for _, line := range tt.systems {
			list = append(list, parse(line))
		}
		if got := show(list, Plan(list)); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.systems, got, tt.want)
		}
	}
}

// The reason of a safe point is the first that there is.
func TestWhy(t *testing.T) {
	var list []System
	for _, line := range []string{"a", "b alone", "c asks", "d", "e asked", "f alone"} {
		list = append(list, parse(line))
	}
	var got []Reason
	for _, l := range Plan(list) {
		got = append(got, l.Why)
	}
	if want := []Reason{Begins, Alone, AfterAlone, AfterAsks, Asked, Alone}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	asks := []System{{Name: "a", Parallel: true, Changes: []string{"x"}}, {Name: "b", Parallel: true, Sees: []string{"x"}}}
	if got, want := Plan(asks)[1].Reason(), "a asks for changes of x, which b would see"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	asks = append(asks, System{Name: "c", Parallel: true, Sees: []string{"x"}})
	if got := Plan(asks)[1].Seer; got != "b" {
		t.Errorf("the first that would see changes is b, not %s", got)
	}
	for r := Begins; r <= Asked; r++ {
		if r.String() == "" {
			t.Errorf("reason %d has no words", r)
		}
	}
}

// Any order that keeps the waits has the results of the order of systems: each sets things that it writes from all that it uses.
func TestAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		list := make([]System, 2+r.IntN(30))
		for i := range list {
			x := &list[i]
			x.Name, x.Parallel = fmt.Sprint("s", i), r.IntN(8) > 0
			if r.IntN(8) == 0 {
				x.Changes = []string{Any}
			}
			for range r.IntN(4) {
				x.Reads = append(x.Reads, fmt.Sprint("t", r.IntN(12)))
			}
			for range r.IntN(3) {
				x.Writes = append(x.Writes, fmt.Sprint("t", r.IntN(12)))
			}
		}
		legs := Plan(list)
		run := func(state map[string]uint64, i int) {
			h := uint64(i) + 1
			for _, thing := range slices.Concat(list[i].Reads, list[i].Writes) {
				h = (h ^ state[thing]) * 0x9E3779B97F4A7C15
			}
			for k, thing := range list[i].Writes {
				state[thing] = h + uint64(k)
			}
		}
		want := map[string]uint64{}
		for i := range list {
			run(want, i)
		}
		for range 10 {
			got := map[string]uint64{}
			at := 0
			for _, l := range legs {
				if l.First != at {
					t.Fatalf("a leg begins at %d, not at %d", l.First, at)
				}
				at = l.End
				done := make([]bool, l.End-l.First)
				for slices.Contains(done, false) {
					i := r.IntN(len(done))
					if !done[i] && !slices.ContainsFunc(l.Waits[i], func(w Wait) bool { return !done[w.On] }) {
						run(got, l.First+i)
						done[i] = true
					}
				}
			}
			if at != len(list) || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("round %d: %v, want %v", round, got, want)
			}
		}
	}
}
