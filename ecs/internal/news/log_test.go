package news

import (
	"reflect"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
	"github.com/ashlar-go/ashlar/memmgr"
)

// stored is a store that tells of a component.
func stored(t *testing.T) (*store.Store, *store.Component) {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	s := store.New(m, store.Options{MaxEntities: 1 << 16})
	s.Observe(store.Observer{Done: func() {}, Panicked: func() {}})
	spec, err := chunk.SpecOf(reflect.TypeFor[uint64]())
	if err != nil {
		t.Fatal(err)
	}
	c := new(store.Component)
	s.Register(c, "c", spec, store.Fixed, true)
	return s, c
}

func spawned(t *testing.T, s *store.Store) store.Entity {
	e, err := s.Spawn()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// A run has the entities that came since the last one and are there still, and the ones that left with the values of before. One
// that came and went is in neither log, one that went and came in both. A log that is not read stays short.
func TestLog(t *testing.T) {
	s, c := stored(t)
	var es [3]store.Entity
	for i := range es {
		es[i] = spawned(t, s)
	}
	add := func(i int, v uint64) {
		if err := s.Add(c, es[i], raw.Of(&v)); err != nil {
			t.Fatal(err)
		}
	}
	remove := func(i int) {
		if err := s.Remove(c, es[i]); err != nil {
			t.Fatal(err)
		}
	}
	var n News
	in := n.Of(s, s.SubjectOf(store.Having, c))
	came, left := in.Log(false), in.Log(true)
	if n.Of(s, s.SubjectOf(store.Having, c)) != in || n.Logs() != 2 || !n.Asked() {
		t.Errorf("a subject has a second interest, or %d logs", n.Logs())
	}
	for _, tt := range []struct {
		what   string
		change func()
		came   map[store.Entity]uint64
		left   map[store.Entity]uint64
	}{
		{"came, and came and went", func() { add(0, 10); add(1, 11); remove(1) }, map[store.Entity]uint64{es[0]: 10}, nil},
		{"nothing", func() {}, nil, nil},
		{"went and came", func() { remove(0); add(0, 20); add(2, 22) }, map[store.Entity]uint64{es[0]: 20, es[2]: 22}, map[store.Entity]uint64{es[0]: 10}},
		{"went, again and again", func() {
			for i := range uint64(3 * walk.PieceRows) {
				remove(2)
				add(2, i)
			}
			remove(2)
			if len(left.log) > walk.PieceRows+8 {
				t.Errorf("%d entries about one entity", len(left.log))
			}
		}, nil, map[store.Entity]uint64{es[2]: 22}},
	} {
		tt.change()
		came.Begin()
		left.Begin()
		got := map[store.Entity]uint64{}
		Arrived(came, func(es []store.Entity, vs []uint64) bool {
			for i, e := range es {
				got[e] = vs[i]
			}
			return true
		})
		gone := map[store.Entity]uint64{}
		Left(left, func(es []store.Entity, vs []uint64) bool {
			for i, e := range es {
				gone[e] = vs[i]
			}
			return true
		})
		same := func(a, b map[store.Entity]uint64) bool {
			return len(a) == len(b) && (len(a) == 0 || reflect.DeepEqual(a, b))
		}
		if !same(got, tt.came) || !same(gone, tt.left) {
			t.Errorf("%s: came %v, left %v", tt.what, got, gone)
		}
	}
	if came.End(); slices.Contains(in.logs, came) || n.Logs() != 1 {
		t.Errorf("%d logs behind the end of one", n.Logs())
	}
}

// An observer has a log for each of its questions, and none is a system's.
func TestObserver(t *testing.T) {
	var n News
	if n.Asked() || n.Observer("o") != nil {
		t.Error("no news have observers")
	}
	o := &Observer{Name: "o"}
	n.Listen(o, store.Ear{})
	if n.Observer("o") != o || o.Hears() {
		t.Error("the observer is not found, or hears")
	}
	if n.Remove(o) || n.Observer("o") != nil {
		t.Error("the observer is there still")
	}
}
