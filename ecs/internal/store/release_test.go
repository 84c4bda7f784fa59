package store

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// The room for holes that a mass call leaves goes after two looks without another one, and with
// Shrink. Calls in between keep it.
func TestRoomOfHolesGoes(t *testing.T) {
	s := newBroken(t)
	mass := func() {
		var es []Entity
		for range 2000 {
			es = append(es, s.spawnFixed(t))
		}
		if n := s.DestroyBatch(es[:1000]); n != 1000 {
			t.Fatalf("%d were destroyed", n)
		}
	}
	looks := func(n int) {
		t.Helper()
		for range n * (tidyEvery + 1) {
			s.EndFrame()
			if err := s.Tidy(0); err != nil {
				t.Fatal(err)
			}
		}
	}
	kept := func() bool { return cap(s.holes.list) > 0 }
	mass()
	if !kept() {
		t.Error("a call leaves no room: it allocates each time")
	}
	looks(1)
	mass()
	if looks(1); !kept() {
		t.Error("room went, though it was used")
	}
	if looks(2); kept() {
		t.Error("room stays without use")
	}
	mass()
	if _, err := s.Shrink(); err != nil || kept() {
		t.Errorf("Shrink keeps room: %v", err)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	if err := s.manager.Close(); err != nil {
		t.Error(err)
	}
}

// spawnFixed is an entity with one fixed component.
func (s *broken) spawnFixed(t *testing.T) Entity {
	t.Helper()
	e, err := s.Spawn()
	if err != nil {
		t.Fatal(err)
	}
	v := uint64(7)
	if err := s.Add(s.fixed, e, raw.Of(&v)); err != nil {
		t.Fatal(err)
	}
	return e
}
