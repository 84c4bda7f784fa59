package cores

import (
	"testing"

	"github.com/ashlar-go/ashlar/bench/internal/referee"
)

// Two workers come to the same as one, and as two goroutines.
func TestWorkersDoTheSame(t *testing.T) {
	for _, c := range Contests(true) {
		if found, err := referee.Run(t.Context(), c, referee.Options{Samples: 3, Seed: 1}); err != nil || found[0].Rows == 0 {
			t.Errorf("%s: %v", c, err)
		}
	}
}
