package ecs_test

import (
	"math/rand/v2"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
)

// A component of 16 bytes that 100 of a million entities have, at random, takes a row each, or 16 bytes for each row of the table
// if it is optional. A group with rows of its own has maps of its members, as a thin component has.
func TestFewOfAMillion(t *testing.T) {
	type few struct{ A [2]float64 }
	for name, c := range map[string]struct {
		how     []ecs.Storage
		apart   bool
		mostKiB int64
	}{
		"as the policy says": {nil, false, 100},
		"fixed":              {[]ecs.Storage{ecs.Stable}, false, 100},
		"optional":           {[]ecs.Storage{ecs.Volatile}, false, 16 << 10},
		"thin":               {[]ecs.Storage{ecs.Thin}, false, 100},
		"group":              {nil, true, 100},
	} {
		w := world(t, ecs.Options{})
		if w.Manager().Arena().Backend() != arena.OS {
			t.Skip("chunks are on the Go heap here, by whole regions; linux without -race tests it")
		}
		ecs.Register[place](w, "place")
		pool := ecs.Register[few](w, "few", c.how...)
		if c.apart {
			ecs.GroupOf[struct{ F few }](w, "group").SortAs(nil, 0)
		}
		es := make([]ecs.Entity, 1_000_000)
		ok(0, ecs.SpawnerOf[struct{ P place }](w).SpawnN(es, []struct{ P place }{{}}))
		resident := func() uint64 {
			n, err := w.Manager().Arena().Resident()
			if err != nil {
				t.Skipf("resident memory can't be measured here; linux tests it: %v", err)
			}
			return n
		}
		before := resident()
		for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(len(es))[:100] {
			ok(0, pool.Add(es[i], few{}))
		}
		for range 300 { // rows move to the tables that they belong in
			ok(0, w.Run(t.Context()))
		}
		ok(w.Purge())
		if grown := int64(resident()-before) >> 10; grown > c.mostKiB {
			t.Errorf("%s: %d KiB, want at most %d", name, grown, c.mostKiB)
		} else {
			t.Logf("%s: %d KiB", name, grown)
		}
	}
}
