package memmgr

import (
	"testing"

	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

// The only chunk of a sequence has the room at once that is expected, and chunks are striped from the first one on
// if more of them are expected than lie in slots of their own. Rows and safe points change nothing about it.
func TestExpectedRows(t *testing.T) {
	for _, tt := range []struct {
		name              string
		rows              func(few, capacity int) int
		block, slot, home int // chunks, with one row
	}{
		{"nothing", nil, 1, 0, 0},
		{"few rows", func(int, int) int { return 10 }, 1, 0, 0},
		{"a chunk", func(_, n int) int { return n }, 0, 1, 0},
		{"as many as are not striped", func(few, n int) int { return few * n }, 0, 1, 0},
		{"one more", func(few, n int) int { return few*n + 1 }, 0, 0, 1},
	} {
		m := open(t, Options{})
		like := sequence(t, m, "like", 8, 100)
		var o AdaptOptions
		if tt.rows != nil {
			o.expected = []expected{{"other", 1 << 30}, {"s", tt.rows(like.shape.Few, int(like.shape.Capacity(spot.Whole)))}}
		}
		if err := m.Adapt(o); err != nil {
			t.Fatal(err)
		}
		s := sequence(t, m, "s", 8, 100)
		fillRows(t, s, 1)
		if block, slot, _, home := formsOf(s); block != tt.block || slot != tt.slot || home != tt.home {
			t.Errorf("%s: %d in blocks, %d in slots, %d in regions", tt.name, block, slot, home)
		}
		fillRows(t, s, 50)
		safePoints(t, m, 3)
		if err := m.Check(); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if _, _, _, home := formsOf(s); home > 0 && tt.home == 0 {
			t.Errorf("%s: it is striped behind safe points", tt.name)
		}
	}
}
