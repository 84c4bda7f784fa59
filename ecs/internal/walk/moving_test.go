package walk

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// While a component changes over, its values lie in two ways, and rows of a table that has
// bits of it may have it elsewhere. Walks meet whom they are to all the same.
func TestWalksWhileChangingOver(t *testing.T) {
	s := newStage(t, 11, memmgr.Options{}, 8)
	r := rand.New(rand.NewPCG(5, 6))
	var cursors []*Cursor
	for range 40 {
		cursors = append(cursors, NewCursor(NewPlan(&s.Base, s.spec(r, false))))
	}
	total := 0
	for _, to := range []store.Way{store.Thin, store.Optional, store.Fixed, store.Thin, store.Optional} {
		if !s.Store.Change(s.comps[changing], to) {
			t.Fatalf("it does not change over to %v", to)
		}
		for range 25 { // a few rows a frame
			s.change(r, 100)
			s.Store.EndFrame()
			for _, c := range cursors {
				s.Manager.Advance()
				met := s.walk(c)
				slices.Sort(met)
				if want := s.want(&c.Spec); !slices.Equal(met, want) {
					t.Fatalf("to %v: %d entities met, want %d, of %+v", to, len(met), len(want), c.Spec)
				}
				total += len(met)
			}
		}
	}
	if total < 20_000 || s.Store.Moving() > 0 {
		t.Errorf("%d entities met in all, and %d components change over still", total, s.Store.Moving())
	}
	if err := s.Store.Check(); err != nil {
		t.Error(err)
	}
}
