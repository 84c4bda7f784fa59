package report

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/profile"
)

// The verdict on a view never contradicts the figures beside it.
func TestViewVerdict(t *testing.T) {
	for _, tt := range []struct {
		readers, reused  int
		cached, gathered float64 // by the trial
		row              time.Duration
		want             string
	}{
		{1, 100, 2, 4, 3, "cached by 1: it pays"},
		{1, 100, 4, 2, 3, "cached by 1: it does not pay"},
		{1, 0, 2, 4, 5, "cached by 1: it pays, though few builds are read twice"},
		{1, 0, 4, 2, 1, "cached by 1: it does not pay, because few builds are read twice"},
		{1, 0, 4, 0, 1, "cached by 1: few builds are read twice"},
		{2, 100, 2, 4, 5, "cached by 2: it pays"},
		{2, 0, 2, 4, 5, "cached by 2: it does not pay, because few builds are read twice"}, // each reader builds, and was charged for half
		{2, 0, 2, 4, 3, "cached by 2: it pays, though few builds are read twice"},
		{2, 0, 2, 4, 0, "cached by 2: few builds are read twice"},
	} {
		p := profile.Profile{Frames: 10, Shared: []profile.Shared{{Group: "g", Component: "c", Readers: tt.readers, Built: 100, Reused: uint64(tt.reused)}}}
		for i := range tt.readers {
			s := profile.System{
				Name: fmt.Sprint("s", i), Frames: 10,
				Access:  []profile.Access{{Group: "g", Component: "own", Rows: 10_000}},
				Choices: []profile.Choice{{Group: "g", Component: "c", Use: "cached", Chunks: 10, Stale: 10, Costs: profile.Costs{Cached: profile.RowCostOf(tt.cached), Gathered: profile.RowCostOf(tt.gathered)}}},
			}
			if tt.row > 0 {
				s.Timed, s.Times.P50 = 10, 1000*tt.row
			}
			p.Systems = append(p.Systems, s)
		}
		var b strings.Builder
		if err := Views(&b, p); err != nil || !strings.Contains(b.String(), tt.want+"\n") {
			t.Errorf("%+v: %v\n%s", tt, err, b.String())
		}
	}
}
