package walk

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// TestPiecesAreTheWalk: the pieces of a split walk pass the rows that a whole one passes, in its order, wherever the
// pieces end, and whichever tables are whole.
func TestPiecesAreTheWalk(t *testing.T) {
	for _, disables := range []bool{false, true} {
		t.Run(fmt.Sprint("disabled rows ", disables), func(t *testing.T) {
			s := newStage(t, 7, memmgr.Options{}, 32)
			s.disables = disables
			r := rand.New(rand.NewPCG(5, 6))
			split, several, rows := Split{}, 0, 0
			for range 300 {
				s.change(r, 60)
				s.disable(r)
				q := s.spec(r, false)
				if q.Changes = nil; q.Entities < 0 {
					q = s.one(s.comps[r.IntN(len(s.comps))], true)
				}
				for j := range q.Columns {
					q.Columns[j].Write = false
				}
				p := NewPlan(&s.Base, q)
				whole, part := NewCursor(p), NewParallel(p)
				want := met(whole, whole.Each)
				s.PieceRows = 1 << r.IntN(12)
				pieces := split.Cut(NewCursor(p))
				got := met(part, func(into raw.Ptr, call func(raw.Ptr) bool) {
					split.Begin()
					for i := range pieces {
						split.Pass(part, i, into, call)
					}
					split.End(true)
				})
				if !slices.Equal(got, want) {
					t.Fatalf("%d pieces pass %d rows, the walk %d, of %+v", pieces, len(got), len(want), p.Spec)
				}
				if rows += len(want); pieces > 1 {
					several++
				}
			}
			if several < 40 || rows < 10_000 {
				t.Errorf("%d walks were cut, of %d rows in all: too few", several, rows)
			}
		})
	}
}

// met lists the rows that a walk passes: entities, or values where there is no field for entities.
func met(c *Cursor, walk func(into raw.Ptr, call func(raw.Ptr) bool)) (list []uint64) {
	walk(raw.Of(&probe{}), func(at raw.Ptr) bool {
		v := raw.As[probe](at)
		if c.Entities < 0 {
			for _, x := range v.Values[0] {
				list = append(list, x[:]...)
			}
			return true
		}
		for _, i := range v.rows(c) {
			list = append(list, uint64(v.Es[i]))
		}
		return true
	})
	return list
}
