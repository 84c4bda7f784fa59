package ecs_test

import (
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
)

// TestModelTogether is the commands of TestModel with all that the other models add, at once:
// entities that are held and disabled, puts, changes of all that match, contracts that are
// held meanwhile, components stored in other ways and orders, groups within each other that come
// and go, rows sorted in all ways and row by row each frame, slices, and queries that see what has
// changed.
func TestModelTogether(t *testing.T) {
	t.Parallel()
	// A full run plays 216,000 rounds of five commands and more, with a look after each round in
	// one stream of three and after each fourth in another: more than 1,000,000 commands.
	streams, commands := 9, 4000
	if testing.Short() {
		streams, commands = 3, 800
	}
	if race.Enabled {
		commands = 800
	}
	alike(t, streams, fewer(variants()), func(seed uint64, o ecs.Options) uint64 {
		crowd, every := 12, 1
		switch seed % 3 {
		case 1:
			crowd, every = 300, 100
		case 2:
			every = 4
		}
		return playTogether(t, o, rand.New(rand.NewPCG(seed, 11)).IntN, commands, crowd, every)
	})
}

// alike plays a stream of commands for each seed, under every option, and fails unless all
// options end in the same state.
func alike(t *testing.T, seeds int, options map[string]ecs.Options, play func(seed uint64, o ecs.Options) uint64) {
	t.Helper()
	for seed := range uint64(seeds) {
		want := uint64(0)
		for _, name := range slices.Sorted(mapsKeys(options)) {
			got := play(seed, options[name])
			if want == 0 {
				want = got
			}
			if got != want {
				t.Fatalf("seed %d: digest %x under %q, others %x", seed, got, name, want)
			}
		}
	}
}

func playTogether(t *testing.T, o ecs.Options, next func(int) int, n, crowd, every int) uint64 {
	m := newModel(t, o, next)
	m.puts = &puts{ecs.SpawnerOf[kit](m.w)}
	m.systems()
	m.guard()
	m.kin = newKinsfolk(m, o)
	steps := append(keepers(m), m.kin.step)
	watchers := m.watchers()
	frames := uint64(0)
	catchUp := func() {
		for ; frames < m.w.Frame(); frames++ {
			m.frame()
		}
	}
	for i := range n {
		m.step(crowd)
		catchUp()
		if m.next(5) == 0 {
			m.massStep()
			catchUp()
		}
		if m.next(12) == 0 {
			ecs.Restore(m.w, m.next)
		}
		for _, step := range steps {
			step()
		}
		m.watch(watchers[m.next(len(watchers))], io.Discard)
		if i%every == 0 {
			m.compare()
		}
	}
	m.compare()
	// Watchers keep the rows that they saw. It is no part of the digest: each option
	// sorts in a way of its own, and a sort takes stamps along the way on which rows go.
	d := m.digest()
	if err := m.w.Close(); err != nil {
		t.Fatal(err)
	}
	return d
}
