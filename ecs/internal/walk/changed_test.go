package walk

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/match"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// A write of a walk after a walk within it has looked for changes is new to the next one.
func TestWrittenAroundALook(t *testing.T) {
	s := newStage(t, 19, memmgr.Options{}, 32)
	c := s.comps[1]
	s.Store.Watch(c)
	q := s.one(c, false)
	q.Changes = []match.Change{{Comp: c}}
	look := NewCursor(NewPlan(&s.Base, q))
	count := func() (n int) {
		look.Each(raw.Of(&probe{}), func(at raw.Ptr) bool {
			n += len(raw.As[probe](at).Values[0])
			return true
		})
		return n
	}
	s.Manager.Advance()
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

// Rows that are noted one by one are marked by each walk that writes them, whatever its cursor has
// noted.
func TestNotedWalksMarkRows(t *testing.T) {
	s := newStage(t, 19, memmgr.Options{}, 32)
	c := s.comps[1]
	s.Store.Watch(c)
	x := NewCursor(NewPlan(&s.Base, s.one(c, true)))
	walk := func() { x.Each(raw.Of(&probe{}), func(raw.Ptr) bool { return true }) }
	walk()
	walk()
	s.Store.AskRows(c, false)
	for range 3 {
		tick := s.Manager.Advance() + 1
		walk()
		for _, e := range s.es {
			if c.Has(e) && c.RowChangedAt(e) != tick {
				t.Fatalf("%v is marked in tick %d, want %d", e, c.RowChangedAt(e), tick)
			}
		}
	}
}

// A walk within another sees changes since the last whole one, not since it was made
// itself. Writes after the end of parallel walks are new to them.
func TestChangesWithinAndAfter(t *testing.T) {
	s := newStage(t, 19, memmgr.Options{}, 32)
	c := s.comps[1]
	s.Store.Watch(c)
	q := s.one(c, false)
	q.Changes = []match.Change{{Comp: c}}
	p := NewPlan(&s.Base, q)
	x, y := NewCursor(p), NewParallel(p)
	count := func(c *Cursor, each func()) (n int) {
		c.Each(raw.Of(&probe{}), func(at raw.Ptr) bool {
			n += len(raw.As[probe](at).Values[0])
			each()
			return true
		})
		return n
	}
	apart := func() int {
		defer s.Parallel("apart")()
		return count(y, func() {})
	}
	if all := count(x, func() {}); all != c.Len() || apart() != all {
		t.Fatalf("%d rows at first, want %d", all, c.Len())
	}
	e := s.want(&q)[0]
	l, _ := c.Loc(e)
	c.Written(e, l) // in the tick in which the walks have ended
	within, n := -1, 0
	n = count(x, func() {
		if within < 0 {
			within = count(x, func() {})
		}
	})
	if n == 0 || n == c.Len() || within != n || apart() != n || apart() != 0 {
		t.Errorf("%d rows of %d are new, and %d within", n, c.Len(), within)
	}
}

// Sources that a walk has are not written when the plan is made anew.
func TestSourcesStay(t *testing.T) {
	s := newStage(t, 19, memmgr.Options{}, 32)
	c := s.comps[changing]
	p := NewPlan(&s.Base, s.one(c, false))
	for _, to := range []store.Way{store.Thin, store.Fixed} {
		list := p.Tables()
		var was []*store.Table
		for i := range list {
			was = append(was, list[i].Table)
		}
		if !s.Store.Change(c, to) {
			t.Fatalf("it does not change over to %v", to)
		}
		for range 4000 { // until tables have gone
			s.Store.EndFrame()
			p.Tables()
		}
		for i := range list {
			if list[i].Table != was[i] {
				t.Fatalf("to %v: source %d of a walk has another table", to, i)
			}
		}
	}
	if s.Store.Dropped == 0 {
		t.Error("no table has gone")
	}
}
