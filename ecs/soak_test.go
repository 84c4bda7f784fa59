package ecs_test

import (
	"flag"
	"runtime"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/ecs"
)

var soak = flag.Duration("soak", time.Second, "how long TestSoak runs programs with 8 workers")

// TestSoak runs one world, in which parallel systems let things be born and die, for all of the time, and programs at random
// beside it, all with 8 workers: nothing waits for ever, no goroutine is left, memory stays as it is, and the programs end as
// with one worker. The time limit of go test ends a deadlock, with the goroutines.
//
//	go test ./ecs -run TestSoak -soak 10m -timeout 20m -v
func TestSoak(t *testing.T) {
	before := runtime.NumGoroutine()
	tide := newTide(t, 8)
	type part struct {
		heap, resident uint64
		goroutines     int
	}
	const parts = 10
	var seen []part
	programs, frames := 0, 0
	for start := time.Now(); len(seen) < parts; {
		for until := start.Add(time.Duration(len(seen)+1) * *soak / parts); ; {
			seed := uint64(programs % 50)
			programs++
			ends := map[uint64]bool{}
			for _, workers := range []int{8, 1} {
				o := ecs.WithPieces(ecs.Options{Workers: workers}, 64)
				m := newMedley(t, seed, o, 300)
				if seed%2 == 1 {
					m.panicky, m.quieter = 41, 3
				}
				digest, _ := m.run(t, 5)
				ends[digest] = true
			}
			if len(ends) > 1 {
				t.Fatalf("seed %d ends otherwise with 8 workers", seed)
			}
			for range 20 {
				ok(0, tide.Run(t.Context()))
				frames++
			}
			if !time.Now().Before(until) {
				break
			}
		}
		ok(0, tide.Check())
		ok(tide.Purge())
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		seen = append(seen, part{m.HeapAlloc, tide.Manager().Stats().Arena.Dirty, runtime.NumGoroutine()})
	}
	first, last := seen[1], seen[parts-1]
	for _, p := range seen[1 : parts/2] {
		first.heap, first.resident, first.goroutines = max(first.heap, p.heap), max(first.resident, p.resident), max(first.goroutines, p.goroutines)
	}
	const slack = 8 << 20 // regions, and leftovers of other tests
	if last.heap > first.heap+slack || last.resident > first.resident+slack || last.goroutines > first.goroutines {
		t.Errorf("it grows: %+v", seen)
	}
	ok(0, tide.Close())
	for n := 0; runtime.NumGoroutine() > before && n < 1000; n++ {
		time.Sleep(time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines are left of %d", n, before)
	}
	t.Logf("%d programs, %d frames of 20,000 things: %+v", programs, frames, seen)
}

// newTide is a world in which things age, die and are born by commands of parallel systems, as many as before.
func newTide(t *testing.T, workers int) *ecs.World {
	w := ecs.New(ecs.WithPieces(ecs.Options{Workers: workers}, 256))
	ecs.Register[c0](w, "c0")
	ecs.Register[c1](w, "c1")
	ecs.Register[c4](w, "c4")
	type thing struct {
		A c0
		B c1
	}
	things := ecs.SpawnerOf[thing](w)
	all := make([]thing, 20_000)
	for i := range all {
		all[i].A.V = uint64(i)
	}
	check(t, things.SpawnN(make([]ecs.Entity, len(all)), all))
	ecs.System(w, "age", func(c *struct {
		A  ecs.Write[c0]
		B  []c1
		E  []ecs.Entity
		Do *ecs.Commands
	}) {
		for i := range c.A {
			if c.A[i].V += c.B[i].V&3 + 1; c.A[i].V%101 == 0 {
				c.Do.Destroy(c.E[i])
				things.Later(c.Do).Spawn(thing{c0{c.A[i].V * 7}, c1{c.A[i].V}})
			}
		}
	}, ecs.Parallel())
	ecs.System(w, "mark", func(c *struct {
		A    []c0
		E    []ecs.Entity
		Mark ecs.Later[c4]
	}) {
		for i, e := range c.E {
			switch c.A[i].V % 200 {
			case 0:
				c.Mark.Put(e, c4{c.A[i].V})
			case 1:
				c.Mark.Remove(e)
			}
		}
	}, ecs.Parallel())
	ecs.System(w, "swell", func(c *struct{ B ecs.Write[c1] }) {
		for i := range c.B {
			c.B[i].V = c.B[i].V*6364136223846793005 + 1
		}
	}, ecs.Parallel())
	if err := w.Err(); err != nil {
		t.Fatal(err)
	}
	return w
}
