package walk

import (
	"testing"
)

// Walks end in any order, and the last that is under way is named.
func TestWalksEndInAnyOrder(t *testing.T) {
	var w Walks
	a, b, c := w.Begin("a"), w.Begin("b"), w.Begin("c")
	for _, x := range []struct {
		number uint64
		busy   string
	}{{b, "c"}, {c, "a"}, {a, ""}} {
		if w.End(x.number); w.Busy != x.busy {
			t.Errorf("%q iterates, want %q", w.Busy, x.busy)
		}
	}
}
