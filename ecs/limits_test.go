package ecs_test

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// brim plays a program that is often at its limit of memory: it spawns until it is refused, destroys
// few or many, runs some frames, and goes on. It returns a digest of handles, of refusals and
// of the order of rows in the end.
func brim(t *testing.T, o ecs.Options, rounds int) (digest uint64) {
	t.Helper()
	o.Memory.Arena.Limit = 8 << 20
	if o.Layout.Text == nil {
		o.Layout.Off = true
	}
	w := world(t, o)
	wide, tall, flat := ecs.Register[[8]uint64](w, "wide"), ecs.Register[[3]uint32](w, "tall"), ecs.Register[uint16](w, "flat")
	ecs.System(w, "widen", func(q *struct {
		V ecs.Write[[8]uint64]
	}) {
		for i := range q.V {
			q.V[i][0]++
		}
	})
	random, h := rand.New(rand.NewPCG(7, 7)), fnv.New64a()
	var live []ecs.Entity
	for range rounds {
		for n := 0; ; n++ {
			e, err := w.Spawn()
			if err == nil {
				live = append(live, e)
			}
			for j, add := range []func() error{
				func() error { return wide.Add(e, [8]uint64{uint64(e)}) },
				func() error { return tall.Add(e, [3]uint32{}) },
				func() error { return flat.Add(e, 0) },
			} {
				if err == nil && n>>j%2 == 0 {
					err = add()
				}
			}
			fmt.Fprint(h, e, err != nil)
			if errors.Is(err, arena.ErrLimit) {
				break
			}
			ok(0, err)
		}
		random.Shuffle(len(live), func(i, j int) { live[i], live[j] = live[j], live[i] })
		gone := min([]int{100, 2000, 20_000, len(live) * 9 / 10}[random.IntN(4)], len(live))
		for _, e := range live[:gone] {
			ok(0, w.Destroy(e))
		}
		live = slices.Delete(live, 0, gone)
		for range 20 {
			ok(0, w.Run(context.Background()))
		}
	}
	ok(0, w.Check())
	for e := range w.All() {
		fmt.Fprint(h, e, wide.Has(e) && wide.Get(e)[0] != 0)
	}
	return h.Sum64()
}

// At a limit of memory the same calls are refused, whatever a profile says and whatever adapting has
// moved and given back.
func TestRefusedAlike(t *testing.T) {
	t.Parallel()
	rounds, seeds, backends := 12, 3, []arena.Backend{arena.OS, arena.Heap}
	switch {
	case race.Enabled:
		rounds, seeds, backends = 3, 1, backends[1:]
	case testing.Short():
		rounds, seeds = 6, 2
	}
	for _, backend := range backends {
		with := func(o ecs.Options) ecs.Options {
			o.Memory.Arena.Backend = backend
			return o
		}
		want := brim(t, with(ecs.Options{Adapt: memmgr.AdaptOptions{Off: true}, Record: true}), rounds)
		other := brim(t, with(ecs.Options{Adapt: memmgr.AdaptOptions{Off: true}}), rounds-1)
		if other == want {
			t.Fatal("a digest does not tell a program from a shorter one")
		}
		of := map[string]ecs.Options{"adapting": {}, "a layout": {}}
		for i := range seeds {
			of[fmt.Sprint("hurried ", i)] = ecs.Options{Adapt: hurried(rand.New(rand.NewPCG(uint64(i), 1)))}
		}
		for name, o := range of {
			if name == "a layout" {
				o.Layout = hostile(rand.New(rand.NewPCG(1, 2)))
			}
			if got := brim(t, with(o), rounds); got != want {
				t.Errorf("%v, %s: digest %#x, want %#x", backend, name, got, want)
			}
		}
	}
}
