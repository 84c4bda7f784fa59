package ecs_test

import (
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// A system that panics beside others says how many had run before it.
func TestPanicBesideCountsSystems(t *testing.T) {
	type thing struct {
		A c0
		B c1
	}
	run := func(workers int) string {
		w := world(t, ecs.WithPieces(ecs.Options{Workers: workers}, 64))
		ecs.Register[c0](w, "c0")
		ecs.Register[c1](w, "c1")
		ok(0, ecs.SpawnerOf[thing](w).SpawnN(make([]ecs.Entity, 4000), make([]thing, 1)))
		ecs.System(w, "first", func(c *struct{ A ecs.Write[c0] }) {}, ecs.Parallel())
		fail := false
		ecs.System(w, "second", func(c *struct{ B ecs.Write[c1] }) {
			if fail {
				panic("second")
			}
		}, ecs.Parallel())
		for range 3 {
			ok(0, w.Run(t.Context()))
		}
		fail = true
		func() {
			defer func() { _ = recover() }()
			_ = w.Run(t.Context())
		}()
		return w.Stats().Abandoned
	}
	for _, workers := range []int{1, 2, 8} {
		if got := run(workers); !strings.Contains(got, `"second" panicked`) || !strings.Contains(got, "1 of 2 systems had run before it") {
			t.Errorf("%d workers: %q", workers, got)
		}
	}
}
