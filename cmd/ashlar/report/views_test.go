package report

import (
	"testing"

	"github.com/ashlar-go/ashlar/profile"
)

// A view's share of stale chunks is that of all its readers, and no more than all.
func TestStale(t *testing.T) {
	v := profile.Shared{Group: "g", Component: "c"}
	reader := func(component string, chunks, stale uint64) reading {
		return reading{Choice: profile.Choice{Group: "g", Component: component, Chunks: chunks, Stale: stale}}
	}
	for _, tt := range []struct {
		readings []reading
		want     string
	}{
		{nil, "–"},
		{[]reading{reader("c", 10, 2), reader("c", 10, 1), reader("d", 10, 10)}, "30 %"},
		{[]reading{reader("c", 10, 8), reader("c", 8, 8)}, "100 %"},
	} {
		if got := stale(v, tt.readings); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.readings, got, tt.want)
		}
	}
}
