package order

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
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

// Rows of several chunks come into order in one frame, if it may swap all of them.
func TestSorterCrossesChunks(t *testing.T) {
	f := newFixture(t, 2*chunk.MaxRows)
	f.give(0, shuffled(rand.New(rand.NewPCG(5, 6)), f.es[100:]))
	f.give(1, f.es) // so that chunks of the two end at different entities
	ss := NewSorters(&f.Base)
	ss.Set(f.of[0], f.of[1], len(f.es))
	ss.EndFrame()
	if !slices.Equal(f.rows(0), f.es[100:]) {
		t.Error("not in order")
	}
	f.check()
}
