package store

import (
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
)

// Memory for values of before follows how many there are: room of a peak goes back, and so do addresses within it. Numbers
// of values that only vary keep their room.
func TestPriorGivesRoomBack(t *testing.T) {
	s := newBroken(t)
	var es []Entity
	for range 50_000 {
		es = append(es, s.spawnFixed(t))
	}
	b := NewPrior(s.fixed)
	peak := len(b.values)
	if peak < len(es) {
		t.Fatalf("room for %d words of %d values", peak, len(es))
	}
	destroy := func(list []Entity) {
		t.Helper()
		if n := s.DestroyBatch(list); n != len(list) {
			t.Fatalf("%d were destroyed", n)
		}
		b.Begin()
		b.Copy(0, 1)
	}
	destroy(es[20_000:])
	if len(b.values) != peak {
		t.Errorf("%d values have room for %d words, and had %d", 20_000, len(b.values), peak)
	}
	destroy(es[100:20_000])
	if len(b.values) > 1000 {
		t.Errorf("%d values keep room for %d words", 100, len(b.values))
	}
	chunks := 0
	b.chunks(func(_ chunk.ID, _ int) { chunks++ })
	for _, p := range b.at {
		if p != nil {
			chunks--
		}
	}
	if chunks != 0 {
		t.Errorf("addresses of %d chunks are kept that are gone", -chunks)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	if err := s.manager.Close(); err != nil {
		t.Error(err)
	}
}

// A chunk that waits for rows has a place, and no value of before.
func TestPriorBesideASpare(t *testing.T) {
	s := newBroken(t)
	var es []Entity
	for range 50_000 {
		es = append(es, s.spawnFixed(t))
	}
	for left := len(es); left > 100; left /= 2 {
		s.DestroyBatch(es[left/2 : left])
		b := NewPrior(s.fixed)
		for _, e := range es[:left/2] {
			if FindPrior(&b.dir, uint64(e)) == nil {
				t.Fatalf("%d rows: no value", left/2)
			}
		}
	}
	if err := s.manager.Close(); err != nil {
		t.Error(err)
	}
}
