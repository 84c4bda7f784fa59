package ecs

import (
	"errors"
	"fmt"
	"maps"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
)

// Pieces spawn exactly as many entities as Options.MaxEntities allows, the first ones that are asked for, and the same
// ones for any number of workers. If far more are asked for than in the run before, later pieces may have some of the last
// eighth.
func TestPiecesSpawnUpToMax(t *testing.T) {
	type (
		nest struct{ N int32 }
		egg  struct{ Of int32 }
	)
	const nests = 26000 // several pieces
	play := func(workers, most int, runs []int32) (report string) {
		w := New(Options{MaxEntities: uint32(nests + most), Workers: workers})
		defer w.Close()
		Register[nest](w, "nest")
		all := Register[egg](w, "egg")
		list := make([]struct{ nest }, nests)
		for i := range list {
			list[i].N = int32(i)
		}
		if err := SpawnerOf[struct{ nest }](w).SpawnN(make([]Entity, nests), list); err != nil {
			t.Fatal(err)
		}
		spawner := SpawnerOf[struct{ egg }](w)
		every := int32(0) // how many nests for one that has an egg
		System(w, "birth", func(c *struct {
			Nests []nest
			Do    *Commands
		}) {
			for _, n := range c.Nests {
				if n.N%every == 0 {
					if spawner.Later(c.Do).Spawn(struct{ egg }{egg{n.N}}); n.N%2 > 0 {
						c.Do.Spawn()
					}
				}
			}
		}, Parallel())
		wanted, left := map[int32]int{}, most
		for _, every = range runs {
			err := w.Run(t.Context())
			for n := int32(0); n < nests && left > 0; n += every {
				wanted[n]++
				left -= 1 + int(n%2)
			}
			got := map[int32]int{}
			for e, v := range all.All() {
				report += fmt.Sprint(e, v.Of, " ")
				got[v.Of]++
			}
			report += fmt.Sprintln(w.Len(), w.Stats().Dropped)
			burst := every == 3
			if !burst && !maps.Equal(got, wanted) {
				t.Errorf("%d workers, one of %d: others have eggs than the first", workers, every)
			}
			if refused := errors.Is(err, arena.ErrFull); refused && w.Len() < nests+most*7/8 || refused && !burst && w.Len() < nests+most || !refused && left <= 0 {
				t.Errorf("%d workers, one of %d: %d entities of %d, %v", workers, every, w.Len(), nests+most, err)
			}
		}
		if err := w.Check(); err != nil {
			t.Errorf("%d workers: %v", workers, err)
		}
		return report
	}
	for most, runs := range map[int][]int32{1500: {500, 75, 15, 7}, 6000: {500, 3}} {
		want := play(1, most, runs)
		for _, workers := range []int{2, 3, 8} {
			if play(workers, most, runs) != want {
				t.Errorf("%d workers spawn others than 1, of %d", workers, most)
			}
		}
	}
}
