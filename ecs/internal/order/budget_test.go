package order

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A frame looks at sixteen rows for each that it may swap, however many chunks' parts these are, and in rows
// that are in order at none.
func TestSorterLooksWithinBudget(t *testing.T) {
	const most = 40
	f := newFixture(t, 1000)
	f.give(0, shuffled(rand.New(rand.NewPCG(1, 2)), f.es))
	f.give(1, f.es)
	ss := NewSorters(&f.Base)
	ss.Set(f.of[0], f.of[1], most)
	for range 60 {
		before := ss.Stats()[0]
		ss.EndFrame()
		if st := ss.Stats()[0]; st.Looked+st.Skipped > before.Looked+before.Skipped+most*looksPerSwap {
			t.Fatalf("a frame: %+v, then %+v", before, st)
		}
	}
	if !slices.Equal(f.rows(0), f.es) {
		t.Fatal("not in order")
	}
	before := ss.Stats()[0]
	for range 10 {
		ss.EndFrame()
	}
	if st := ss.Stats()[0]; st.Looked != before.Looked || st.Rounds <= before.Rounds {
		t.Errorf("rows in order are looked at: %+v, then %+v", before, st)
	}
	f.check()
}
