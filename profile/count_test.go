package profile

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// A profile counts the statements that a program acts on, and a world takes the same of a profile without names as
// of the same profile said the long way.
func TestCount(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		p := inventWorld(r, func(int) int { return 8 })
		acts := actsOn(p)
		facts := len(acts.Systems)
		if facts > 0 {
			facts++ // frames
		}
		if got, want := p.count(), len(acts.statements())-facts; got != want {
			t.Fatalf("seed %d: %d statements are counted, %d are made", seed, got, want)
		}
		var s Source
		took := s.take(p, "w")
		if want := p.Canonical().inWorld("w"); !reflect.DeepEqual(took.Canonical(), want.Canonical()) {
			t.Fatalf("seed %d: a world takes %+v, want %+v", seed, took, want)
		}
		if s.Statements != p.count() || s.Others != nil {
			t.Fatalf("seed %d: %+v", seed, s)
		}
	}
}
