package query

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// What a walk writes after a walk within it has looked for changes is new to the next one.
func TestWrittenAroundALook(t *testing.T) {
	s := newStage(t, 19, memmgr.Options{}, 32)
	c := s.comps[1]
	s.S.Watch(c)
	q := s.one(c, false)
	q.Changes = []Change{{Comp: c}}
	look := NewCursor(NewPlan(&s.Base, q))
	count := func() (n int) {
		look.Each(raw.Of(&probe{}), func(at raw.Ptr) bool {
			n += len(raw.As[probe](at).Values[0])
			return true
		})
		return n
	}
	s.M.Advance()
	a := NewCursor(NewPlan(&s.Base, s.one(c, true)))
	for round := range 2 {
		count()
		left, batches := 0, 0
		a.Each(raw.Of(&probe{}), func(at raw.Ptr) bool {
			if batches++; batches > 1 {
				left += len(raw.As[probe](at).Values[0])
			} else {
				count()
			}
			return true
		})
		if n := count(); n < left || batches < 2 {
			t.Errorf("round %d: %d rows are new, of %d that were written since, in %d batches", round, n, left, batches)
		}
	}
}
