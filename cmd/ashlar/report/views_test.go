package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/profile"
)

// The verdict on a view says how its readers get it, and whether builds are read twice.
func TestViewVerdict(t *testing.T) {
	for _, tt := range []struct {
		use    string
		reused int
		want   string
	}{
		{"cached", 100, "cached by 2"},
		{"cached", 4, "cached by 2: few builds are read twice"},
		{"gathered", 0, "gathered by 2"},
		{"direct", 0, "passed directly to 2"},
	} {
		p := profile.Profile{Frames: 10, Shared: []profile.Shared{{Group: "g", Component: "c", Readers: 2, Built: 100, Reused: uint64(tt.reused)}}}
		for i := range 2 {
			name := fmt.Sprint("s", i)
			p.Systems = append(p.Systems, profile.System{
				Name: name, Frames: 10,
				Access:  []profile.Access{{Group: "g", Component: "own", Rows: 10_000}},
				Choices: []profile.Choice{{Group: "g", Component: "c", Use: tt.use, Chunks: 10, Stale: 10}},
			})
		}
		var b strings.Builder
		err := Views(&b, p)
		if text := b.String(); err != nil || !strings.Contains(text, "  "+tt.want+"\n") || strings.Count(text, "  "+tt.use+"  ") != 2 {
			t.Errorf("%+v: %v\n%s", tt, err, text)
		}
	}
}
