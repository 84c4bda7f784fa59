package store

import (
	"fmt"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Entities have rows in more places than a set of one plane has bits for: in groups and thin.
// They die with all of them, one by one and with the rest.
func TestManyPlaces(t *testing.T) {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := New(m, Options{MaxEntities: 1 << 16})
	const each = placeBits + 3
	var comps []*Component
	for k := range 2 * each {
		c := new(Component)
		way := Thin
		if k >= each {
			way = Fixed
		}
		s.Register(c, fmt.Sprint("c", k), chunk.Spec{Size: 8, Align: 8}, way, true)
		if comps = append(comps, c); way == Fixed {
			if _, err := s.Declare(fmt.Sprint("g", k), []*Component{c}, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	var es []Entity
	for range rareSpan + 100 { // so many that few are in a map
		e, err := s.Spawn()
		if err != nil {
			t.Fatal(err)
		}
		es = append(es, e)
	}
	all := es[rareSpan:]
	fill := func() {
		for _, e := range all {
			for _, c := range comps {
				if err := s.Add(c, e, at(make([]byte, 8))); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
	}
	empty := func() {
		t.Helper()
		for _, p := range s.planes {
			if err := p.sets.each(func(i uint32, set uint64) error { return fmt.Errorf("index %d has places %#x", i, set) }); err != nil {
				t.Error(err)
			}
		}
		for _, c := range comps {
			if c.Len() > 0 {
				t.Errorf("%d have %q", c.Len(), c.Name)
			}
		}
		if s.others.n > 0 {
			t.Errorf("%d indexes may have rows that planes note", s.others.n)
		}
		if err := s.Check(); err != nil {
			t.Error(err)
		}
	}
	fill()
	if len(s.planes) != 4 {
		t.Errorf("%d planes for twice %d places", len(s.planes), each)
	}
	for _, e := range all {
		if err := s.Destroy(e); err != nil {
			t.Fatal(err)
		}
	}
	empty()
	for i := range all {
		if all[i], err = s.Spawn(); err != nil {
			t.Fatal(err)
		}
	}
	fill()
	s.Clear()
	empty()
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}
