package ecs_test

import (
	"runtime"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
)

// Memory of commands goes back some frames after a burst, whoever asked for them: pieces of a Parallel system, for the next
// safe point or the end of the frame, or an observer.
func TestMemoryOfBursts(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector keeps memory of its own; without it this is tested")
	}
	const n = 200_000
	type row struct {
		A c0
		B c1
	}
	for name, add := range map[string]func(w *ecs.World, sp *ecs.Spawner[row], burst *bool){
		"set by pieces": func(w *ecs.World, _ *ecs.Spawner[row], burst *bool) {
			ecs.System(w, "s", func(c *struct {
				E   []ecs.Entity
				_   ecs.With[c1]
				Set ecs.Later[c0]
			}) {
				for i := range c.E {
					if i == 0 || *burst {
						c.Set.Set(c.E[i], c0{7})
					}
				}
			}, ecs.Parallel())
		},
		"born by pieces, at the end": func(w *ecs.World, sp *ecs.Spawner[row], burst *bool) {
			ecs.System(w, "s", func(c *struct {
				E  []ecs.Entity
				_  ecs.With[c1]
				At ecs.AtEnd
			}) {
				for i := range c.E {
					if i == 0 || *burst {
						c.At.Do().Destroy(c.E[i])
						sp.Later(c.At.Do()).Spawn(row{})
					}
				}
			}, ecs.Parallel())
		},
		"answered": func(w *ecs.World, sp *ecs.Spawner[row], burst *bool) {
			ecs.Observe(w, "answers", func(c *struct {
				Set ecs.Arrived[ecs.Set[c0]]
				B   ecs.Later[c1]
			}) {
				for es := range c.Set.All() {
					for _, e := range es {
						c.B.Set(e, c1{3})
					}
				}
			})
			ecs.System(w, "s", func(c *struct {
				Ents []ecs.Entity
				A    []c0
				Set  ecs.Later[c0]
			}) {
				for _, e := range c.Ents {
					if *burst {
						c.Set.Set(e, c0{9})
					}
				}
			})
		},
		"told of components": func(w *ecs.World, sp *ecs.Spawner[row], burst *bool) {
			q := ecs.QueryOf[struct{ A []c0 }](w)
			c := ecs.Register[c2](w, "c2")
			ecs.Observe(w, "told", func(c *struct {
				In  ecs.Arrived[c2]
				Out ecs.Left[c2]
			}) {
			})
			ecs.System(w, "s", func(*struct{}) {
				if *burst {
					ok(c.AddAll(q, c2{V: 9}))
					ok(c.RemoveAll(q))
				}
			})
		},
	} {
		w := world(t, ecs.WithPieces(ecs.Options{Workers: 2}, 4096))
		ecs.Register[c0](w, "c0")
		ecs.Register[c1](w, "c1")
		sp := ecs.SpawnerOf[row](w)
		ok(0, sp.SpawnN(make([]ecs.Entity, n), make([]row, 1)))
		burst := false
		add(w, sp, &burst)
		heap := func(frames int) int {
			for range frames {
				ok(0, w.Run(t.Context()))
			}
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			if a := w.Manager().Arena(); a.Backend() == arena.Heap { // chunks lie there, too
				return int(m.HeapAlloc - a.Stats().Committed)
			}
			return int(m.HeapAlloc)
		}
		before := heap(3)
		burst = true
		most := heap(2) - before
		burst = false
		if left := heap(300) - before; most < n*16 || left > most/16 {
			t.Errorf("%s: %d KiB of %d are left", name, left>>10, most>>10)
		}
		ok(0, w.Close())
	}
}
