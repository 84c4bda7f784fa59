package questions

import (
	"testing"

	"github.com/ashlar-go/ashlar/bench/internal/referee"
)

// All entries of a question do the same work.
func TestEntriesDoTheSame(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Contests(true) {
		if seen[c.String()] || len(c.Entries) < 3 {
			t.Errorf("%s is there twice, or has %d entries", c, len(c.Entries))
		}
		seen[c.String()] = true
		found, err := referee.Run(t.Context(), c, referee.Options{Samples: 3, Seed: 1})
		if err != nil {
			t.Error(err)
		} else if found[0].Rows == 0 {
			t.Errorf("%s: nothing was visited", c)
		}
	}
}
