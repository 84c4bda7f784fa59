package public

import (
	"fmt"
	"testing"

	"github.com/ashlar-go/ashlar/bench/internal/candidate"
	"github.com/ashlar-go/ashlar/bench/internal/referee"
)

// Every candidate does the same work, at several sizes.
func TestCandidatesDoTheSame(t *testing.T) {
	for _, w := range suite() {
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
	if len(names) != 13 || names["query256arch"] != 6 || names["new_world"] != 1 || ten != 0b1111_1111_1100 || eleven != ten|1 || moving != 3 {
		t.Error(names)
	}
}
