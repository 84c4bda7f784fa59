package ecs_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// play carries n commands out and returns the digest.
func play(t testing.TB, o ecs.Options, next func(int) int, n, crowd, every int) uint64 {
	m := newModel(t, o, next)
	m.systems()
	return m.play(n, crowd, every)
}

func (m *model) play(n, crowd, every int) uint64 {
	frames := uint64(0)
	for i := range n {
		m.step(crowd)
		for ; frames < m.w.Frame(); frames++ {
			m.frame()
		}
		m.guardStep()
		if i%every == 0 {
			m.compare()
		}
	}
	m.compare()
	d := m.digest()
	m.w.Reset()
	clear(m.alive)
	m.unguard()
	m.compare()
	if err := m.w.Close(); err != nil {
		m.t.Fatal(err)
	}
	return d
}

func variants() map[string]ecs.Options {
	return map[string]ecs.Options{
		"plain":   {},
		"heap":    {Memory: memmgr.Options{Arena: arena.Options{Backend: arena.Heap}}},
		"stress":  {Memory: memmgr.Options{Stress: true}},
		"nohuge":  {Memory: memmgr.Options{Arena: arena.Options{SmallPages: true, Reserve: 1 << 30}}},
		"batches": ecs.WithRunLength(ecs.Options{Memory: memmgr.Options{Stress: true, Arena: arena.Options{Backend: arena.Heap}}}, 1),
		"gather":  ecs.WithRunLength(ecs.Options{Memory: machines[1].of(memmgr.Options{})}, 1<<20),
	}
}

// fewer leaves out, in race builds, variants like the rest where all memory is on the Go heap,
// and some that the plain run has.
func fewer(v map[string]ecs.Options) map[string]ecs.Options {
	if race.Enabled {
		for _, name := range []string{"heap", "nohuge", "onstress", "noadapt", "off"} {
			delete(v, name)
		}
	}
	return v
}

func TestModel(t *testing.T) {
	t.Parallel()
	// Small worlds with a look after each command, or after each fourth, and large ones that span
	// regions with fewer looks. A look costs ten commands, and finds a fault of an earlier one. A full run plays 500,000 commands; TestModelTogether plays more,
	// with everything else beside them.
	streams, commands := 14, 6000
	if testing.Short() {
		streams = 2
	}
	if race.Enabled {
		commands = 2000
	}
	for i := range streams {
		crowd, every := 12, 4
		switch i % 7 {
		case 0:
			every = 1
		case 6:
			crowd, every = 500, 100
		}
		seed := uint64(i)
		want := uint64(0)
		for _, name := range slices.Sorted(mapsKeys(fewer(variants()))) {
			r := rand.New(rand.NewPCG(seed, 1))
			o := variants()[name]
			got := play(t, o, r.IntN, commands, crowd, every)
			if want == 0 {
				want = got
			}
			if got != want {
				t.Fatalf("seed %d: digest %x under %q, others %x", seed, got, name, want)
			}
		}
		r := rand.New(rand.NewPCG(seed, 1))
		play(t, ecs.Options{FIFO: true, Tag: 10}, r.IntN, commands/6, crowd, every)
	}
}

func mapsKeys[K comparable, V any](m map[K]V) func(func(K) bool) {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func FuzzCommands(f *testing.F) {
	f.Add([]byte("ashlar"))
	f.Add([]byte{0, 1, 2, 3, 32, 33, 200, 100, 7, 5, 34, 35, 36})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4096 {
			data = data[:4096]
		}
		stream := func() func(int) int {
			at := 0
			return func(n int) int {
				if at >= len(data) {
					return 0
				}
				at++
				return int(data[at-1]) % n
			}
		}
		plain := play(t, ecs.Options{}, stream(), len(data)/3, 12, 1)
		if stress := play(t, ecs.WithRunLength(ecs.Options{Memory: memmgr.Options{Stress: true}}, 1), stream(), len(data)/3, 12, 1); stress != plain {
			t.Fatalf("digest %x, under stress %x", plain, stress)
		}
	})
}

// The same stream of commands ends in the same state on every machine, in every build and
// with every memory: handles, order of rows and values. A change of these constants is a
// change of results, to be told in the CHANGELOG.
func TestModelDigest(t *testing.T) {
	for _, c := range []struct {
		seed     uint64
		commands int
		crowd    int
		want     uint64
	}{
		{2026, 3000, 40, 0x79691075ba96227f},
		{9, 4000, 400, 0x6244bf84a9b3a6f6},
	} {
		for _, o := range []ecs.Options{{}, {Memory: machines[1].of(memmgr.Options{})}, ecs.WithRunLength(ecs.Options{Memory: machines[2].of(memmgr.Options{Arena: arena.Options{Backend: arena.Heap}})}, 1)} {
			if got := play(t, o, rand.New(rand.NewPCG(c.seed, 1)).IntN, c.commands, c.crowd, 1000); got != c.want {
				t.Errorf("seed %d: digest %#x, want %#x", c.seed, got, c.want)
			}
		}
	}
}
