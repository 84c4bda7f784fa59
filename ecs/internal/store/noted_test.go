package store

import (
	"errors"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// C5: A value that changes over from one way of storing to another takes along when it was
// written and added.
func TestWatchedValuesChangeOver(t *testing.T) {
	for from := Fixed; from <= Thin; from++ {
		for to := Fixed; to <= Thin; to++ {
			if from == to {
				continue
			}
			m, err := memmgr.New(memmgr.Options{})
			if err != nil {
				t.Fatal(err)
			}
			s, v, c, other := New(m, Options{MaxEntities: 1000}), uint64(1), new(Component), new(Component)
			s.Register(c, "watched", chunk.Spec{Size: 8, Align: 8}, from, false)
			s.Register(other, "other", chunk.Spec{Size: 8, Align: 8}, Fixed, true)
			s.Watch(c)
			var es []Entity
			for i := range 40 {
				e, err := s.Spawn()
				if err == nil && i%2 == 0 {
					err = s.Add(other, e, raw.Of(&v))
				}
				if err == nil {
					err = s.Add(c, e, raw.Of(&v))
				}
				if err != nil {
					t.Fatal(err)
				}
				es = append(es, e)
			}
			added := s.manager.Tick()
			l, _ := c.Loc(es[7])
			written := s.manager.Advance() + 1
			c.Dir.CellOf(l).Stamp = written
			s.manager.Advance()
			s.Change(c, to)
			for s.Moving() > 0 {
				s.EndFrame()
			}
			if c.Way() != to {
				t.Fatalf("from %v it came to %v, want %v", from, c.Way(), to)
			}
			for i, e := range es {
				l, has := c.Loc(e)
				if !has || c.AddedAt(l) != added || c.ChangedAt(l) > written || i == 7 && c.ChangedAt(l) != written {
					t.Errorf("%v to %v: entity %d has it: %v; added at %d, want %d; changed at %d, of %d", from, to, i, has, c.AddedAt(l), added, c.ChangedAt(l), written)
				}
			}
			if err := s.Check(); err != nil {
				t.Error(err)
			}
			if err := m.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// A chunk that Mut has marked is not so any more when it begins again with the stamps of a row that
// moves there, and when ticks are asked for by row.
func TestMarkedChunkBeginsAgain(t *testing.T) {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	s, v, c, other := New(m, Options{MaxEntities: 1000}), uint64(1), new(Component), new(Component)
	s.Register(c, "watched", chunk.Spec{Size: 8, Align: 8}, Fixed, true)
	s.Register(other, "other", chunk.Spec{Size: 8, Align: 8}, Fixed, true)
	s.Watch(c)
	spawn := func(comps ...*Component) Entity {
		e, err := s.Spawn()
		for _, c := range comps {
			if err == nil {
				err = s.Add(c, e, raw.Of(&v))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	mut := func(e Entity) uint64 {
		if c.Dir.LookupMarked(FindMut, uint64(e), 8) != c.Reach(e, false) {
			t.Error("Mut has found another value")
		}
		l, _ := c.Loc(e)
		return c.ChangedAt(l)
	}
	first, second := spawn(other, c), spawn(c)
	tick := m.Advance() + 1
	if at := mut(first); at != tick {
		t.Errorf("Mut has stamped %d in tick %d", at, tick)
	}
	if err := errors.Join(s.Destroy(first), s.Add(other, second, raw.Of(&v))); err != nil {
		t.Fatal(err)
	}
	if l, _ := c.Loc(second); c.ChangedAt(l) >= tick {
		t.Fatal("the chunk has not begun again")
	}
	if at := mut(second); at != tick {
		t.Errorf("after it began again: Mut has stamped %d in tick %d", at, tick)
	}
	s.AskRows(c, false)
	if mut(second); c.RowChangedAt(second) != m.Tick() {
		t.Errorf("Mut has noted %d for the row in tick %d", c.RowChangedAt(second), m.Tick())
	}
}
