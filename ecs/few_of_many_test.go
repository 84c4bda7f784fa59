package ecs_test

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
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

// Bytes for each of a million entities that has a value of 16, beside the entity itself: little more than the values that are
// there, where an array by index has 1,700 of them if one in 100 has a value.
func TestBytesByFill(t *testing.T) {
	if race.Enabled {
		t.Skip("race builds have chunks on the Go heap, by whole regions: a build without -race counts")
	}
	type filled struct{ A [2]float64 }
	heap := func() float64 {
		var s runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&s)
		return float64(s.HeapAlloc)
	}
	for percent, most := range map[int]float64{1: 60, 10: 40, 100: 40} {
		w := world(t, ecs.Options{})
		pool, es := ecs.Register[filled](w, "value"), make([]ecs.Entity, 1_000_000)
		for i := range es {
			es[i] = ok(w.Spawn())
		}
		held := func() float64 {
			resident, err := w.Manager().Arena().Resident()
			if err != nil || w.Manager().Arena().Backend() != arena.OS {
				t.Skipf("resident memory can't be measured here; linux counts: %v", err)
			}
			return heap() + float64(resident)
		}
		some := rand.New(rand.NewPCG(5, 6)).Perm(len(es))[:len(es)*percent/100]
		before := held()
		for _, i := range some {
			ok(0, pool.Add(es[i], filled{}))
		}
		n := held() - before
		runtime.KeepAlive(es)
		runtime.KeepAlive(some)
		if each := n / float64(len(some)); each > most {
			t.Errorf("%d %%: %.1f bytes for each, want at most %v", percent, each, most)
		} else {
			t.Logf("%d %%: %.1f bytes for each", percent, each)
		}
	}
}
