package ecs_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// One program with panics, cancelled contexts and chunks that move has the same end with 1 to 64 workers and in
// 1,000 legal orders of its systems and pieces.
func TestSchedules(t *testing.T) {
	t.Parallel()
	const seed = 1 // of a program with systems that panic
	orders := uint64(1000)
	if testing.Short() || race.Enabled {
		orders = 50
	}
	end := func(o ecs.Options) uint64 {
		o.Memory = memmgr.Options{Stress: true}
		m := newMedley(t, seed, ecs.WithPieces(o, 64), 300)
		m.panicky, m.quieter = 41, 3
		digest, _ := m.run(t, 6)
		return digest
	}
	want := end(ecs.Options{Workers: 1})
	for _, n := range crews {
		if got := end(ecs.Options{Workers: n}); got != want {
			t.Errorf("%d workers: digest %x, want %x", n, got, want)
		}
	}
	for n := range orders {
		if got := end(ecs.Options{Shuffle: n + 1}); got != want {
			t.Fatalf("shuffled by %d: digest %x, want %x", n+1, got, want)
		}
	}
}
