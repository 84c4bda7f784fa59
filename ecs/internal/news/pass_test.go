package news

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// Values of rows in no order are gathered, a piece of work at most, and long runs are passed where they lie. One that has
// lost the component since is left out. A loop that ends is not called again.
func TestArrivedInPieces(t *testing.T) {
	s, c := stored(t)
	var n News
	came := n.Of(s, s.SubjectOf(store.Having, c)).Log(false)
	var es []store.Entity
	remove := func(i int) {
		if err := s.Remove(c, es[i]); err != nil {
			t.Fatal(err)
		}
	}
	add := func(n int) {
		for range n {
			v := uint64(len(es))
			if es = append(es, spawned(t, s)); s.Add(c, es[v], raw.Of(&v)) != nil {
				t.Fatal("it has the component")
			}
		}
	}
	const long = 100 // entities at the front and at the end, whose rows lie side by side
	add(3 * walk.PieceRows)
	gone := map[int]bool{}
	for i := long; i < len(es); i += 3 { // rows from the end come into the holes
		remove(i)
		gone[i] = true
	}
	add(long)
	came.Begin()
	remove(long + 1)
	gone[long+1] = true
	var batches []int
	at := 0
	Arrived(came, func(some []store.Entity, vs []uint64) bool {
		if batches = append(batches, len(some)); len(vs) != len(some) || len(some) > walk.PieceRows+store.WarmMost {
			t.Fatalf("%d values of %d entities", len(vs), len(some))
		}
		for i, e := range some {
			for ; gone[at]; at++ {
			}
			if e != es[at] || vs[i] != uint64(at) {
				t.Fatalf("entity %v with %d, want %v with %d", e, vs[i], es[at], at)
			}
			at++
		}
		return true
	})
	for ; gone[at]; at++ {
	}
	if at != len(es) || len(batches) < 5 || batches[0] != long {
		t.Errorf("%d of %d entities, in batches of %v", at, len(es), batches)
	}
	for most := range batches {
		calls := 0
		Arrived(came, func([]store.Entity, []uint64) bool { calls++; return calls <= most })
		if calls != most+1 {
			t.Errorf("%d calls, the last of which ended the loop; want %d", calls, most+1)
		}
	}
}
