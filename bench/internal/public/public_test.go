package public

import (
	"fmt"
	"testing"

	"github.com/ashlar-go/ashlar/bench/internal/candidate"
	"github.com/ashlar-go/ashlar/bench/internal/referee"
	"github.com/ashlar-go/ashlar/ecs"
)

// Every candidate does the same work, at several sizes.
func TestCandidatesDoTheSame(t *testing.T) {
	for _, w := range append(suite(), beyond()...) {
		for _, n := range []int{1, 70, 600} {
			if w.name == "new_world" && n > 1 {
				continue
			}
			t.Run(fmt.Sprintf("%s-%d", w.name, n), func(t *testing.T) {
				c := candidate.Contest{Name: w.name, Entities: n, Ops: n, Turn: 2}
				for _, p := range Candidates() {
					for _, name := range append(p.only, "") {
						if name == w.name || name == "" && len(p.only) == 0 {
							c.Entries = append(c.Entries, candidate.Entry{Storage: p.storage, Open: func() candidate.Body { return p.body(w, n) }})
						}
					}
				}
				if len(c.Entries) < 4 {
					t.Fatal(len(c.Entries), "entries")
				}
				found, err := referee.Run(t.Context(), c, referee.Options{Samples: 4, Seed: 1})
				if err != nil {
					t.Fatal(err)
				}
				if found[0].Rows == 0 && n > 1 {
					t.Error("nothing was visited")
				}
			})
		}
	}
}

// The names, sizes and sets are those of the suite.
func TestSuite(t *testing.T) {
	names := map[string]int{}
	for _, c := range Contests(false) {
		names[c.Name]++
	}
	if len(names) != 12 || names["query256arch"] != 6 || names["new_world"] != 1 || ten != 0b1111_1111_1100 || eleven != ten|1 || moving != 3 {
		t.Error(names)
	}
}

// A query and a frame visit each entity that a system needs, and no other.
func TestSystemsVisitWhatTheyNeed(t *testing.T) {
	for i, want := range map[System]int{1: 8, Move: 4, Push: 4, Both: 2, 8: 8, 12: 4, 14: 2, 15: 1, Unless: 2, Each: 4} {
		with, without := i.needs()
		n := 0
		for of := Set(1); of < 16; of++ {
			if of&with == with && of&without == 0 {
				n++
			}
		}
		if n != want {
			t.Errorf("system %d: %d of 15 sets, want %d", i, n, want)
		}
		s := openAshlar()
		for of := Set(1); of < 16; of++ {
			s.Create(make([]ecs.Entity, 1), of)
		}
		if i == Move || i == Each {
			if got := s.Run(i); got != want {
				t.Errorf("system %d: a query visits %d, want %d", i, got, want)
			}
		}
		if got := s.Frame([]System{i}); got != want {
			t.Errorf("system %d: a frame visits %d, want %d", i, got, want)
		}
		s.Close()
	}
}

// A store with a thing more or less does the same work.
func TestAblationsDoTheSame(t *testing.T) {
	for _, c := range Ablations(true) {
		if len(c.Entries) < 4 {
			t.Errorf("%s: %d entries", c.Name, len(c.Entries))
		}
		if _, err := referee.Run(t.Context(), c, referee.Options{Samples: 3, Seed: 1}); err != nil {
			t.Error(err)
		}
	}
}
