package ecs_test

import (
	"fmt"
	"hash/fnv"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Rows are in one order by a layout with any memory, any number of workers and caches of any size, and on every machine:
// so the digests are constants.
func TestLayoutOrder(t *testing.T) {
	digest := func(o ecs.Options) uint64 {
		w := laidWorld(t, o)
		ecs.GroupOf[struct {
			A laidA
			B laidB
		}](w.World, "all")
		frame := int32(0)
		ecs.System(w.World, "live", func(s *struct {
			Is []ecs.Entity
			A  ecs.Write[laidA]
			B  []laidB
			Do *ecs.Commands
		}) {
			for i, e := range s.Is {
				v := &s.A[i]
				switch v.Key = (v.Key*31+v.N)%101 + int32(i%3); (v.N + frame) % 61 {
				case 0:
					w.c.Later(s.Do).Add(e, laidC{float32(v.N), 1})
				case 1:
					w.c.Later(s.Do).Remove(e)
				case 2:
					s.Do.Destroy(e)
				case 3:
					born := s.Do.Spawn()
					w.a.Later(s.Do).Add(born, laidA{v.Key, v.N + 3000})
					w.b.Later(s.Do).Add(born, laidB{To: s.B[i].To})
				}
			}
		}, ecs.Parallel())
		for ; frame < 40; frame++ {
			check(t, w.Run(t.Context()))
		}
		h := fnv.New64a()
		for e, v := range w.a.All() {
			fmt.Fprint(h, e, *v, w.c.Has(e))
		}
		for e, v := range w.b.All() {
			fmt.Fprint(h, e, v.To)
		}
		for e := range w.c.All() {
			fmt.Fprint(h, e)
		}
		check(t, w.Check())
		return h.Sum64()
	}
	for _, tt := range []struct {
		lines []string
		want  uint64
	}{
		{[]string{"cold nobody"}, 0x8315223518ce5c85},
		{[]string{"stored c ordered", "sort a by b.To every 7", "rows table/a+b 100000", "cold table/a+b~c", "near table/a+b~c table/a+b", "view live a.Key cached"}, 0xa568e0155dbc78f6},
		{[]string{"stored c volatile", "apart all", "sort all by a.Key every 5", "sort c by c every 3"}, 0x36c9f1d5e4207da8},
	} {
		n := 0
		for _, caches := range machines {
			for _, workers := range []int{1, 2, 8} {
				for name, memory := range map[string]memmgr.Options{"plain": {}, "heap": {Arena: arena.Options{Backend: arena.Heap}}, "stress": {Stress: true}} {
					if n++; (testing.Short() || race.Enabled) && n%4 > 0 {
						continue
					}
					memory = caches.of(memory)
					if got := digest(ecs.WithPieces(ecs.Options{Layout: laid(tt.lines...), Workers: workers, Memory: memory}, 64)); got != tt.want {
						t.Errorf("%v, %d workers, %s, %+v: digest %#x, want %#x", tt.lines, workers, name, caches, got, tt.want)
					}
				}
			}
		}
	}
}
