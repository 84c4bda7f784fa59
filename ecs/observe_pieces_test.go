package ecs_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// All changes of Parallel systems are told in one order, for any number of workers: commands, and values that systems
// beside each other set by handle.
func TestObserversOfStatesOfPieces(t *testing.T) {
	play := func(workers int) (log []string) {
		w := world(t, ecs.Options{Workers: workers})
		ecs.Register[here](w, "here")
		ecs.Register[there](w, "there")
		ecs.Register[marked](w, "marked")
		ecs.GroupMade[lone](w, "lone")
		bodies := ecs.SpawnerOf[couple](w)
		es := make([]ecs.Entity, 30_000)
		ok(0, bodies.SpawnN(es, []couple{{}}))
		ecs.Observe(w, "all", func(c *struct {
			Old ecs.Left[ecs.Set[here]]
			New ecs.Arrived[ecs.Set[here]]
			N   ecs.Arrived[ecs.Set[there]]
			In  ecs.Arrived[lone]
			Out ecs.Left[lone]
			Off ecs.Arrived[ecs.Disabled[there]]
			On  ecs.Left[ecs.Disabled[there]]
			L   ecs.Later[there]
		}) {
			for es, vs := range c.Old.All() {
				log = append(log, fmt.Sprint("-", es, vs))
			}
			for es, vs := range c.New.All() {
				log = append(log, fmt.Sprint("+", es, vs))
				c.L.Set(es[0], there{vs[0].Value.X})
			}
			for es, vs := range c.N.All() {
				log = append(log, fmt.Sprint("n", es, vs))
			}
			for es, vs := range c.In.All() {
				log = append(log, fmt.Sprint("in", es, vs))
			}
			for es, vs := range c.Out.All() {
				log = append(log, fmt.Sprint("out", es, vs))
			}
			for es, vs := range c.Off.All() {
				log = append(log, fmt.Sprint("off", es, vs))
			}
			for es, vs := range c.On.All() {
				log = append(log, fmt.Sprint("on", es, vs))
			}
		})
		turn := uint64(0)
		ecs.System(w, "split", func(c *struct {
			E []ecs.Entity
			_ ecs.Present[there]
			H ecs.Later[here]
			N ecs.Later[there]
			M ecs.Later[marked]
		}) {
			for _, e := range c.E {
				switch e.Index() % 2000 {
				case 7:
					c.H.Set(e, here{X: turn})
				case 8:
					c.N.SetEnabled(e, turn%2 == 1)
				case 9:
					c.M.Add(e, marked{})
				case 10:
					c.M.Remove(e)
				}
			}
		}, ecs.Parallel())
		ecs.System(w, "left", func(c *struct {
			E []ecs.Entity
			_ ecs.With[here]
			H *ecs.Pool[here]
		}) {
			for _, e := range c.E {
				if e.Index()%3000 == 11 {
					ok(0, c.H.Set(e, here{X: turn + 1}))
				}
			}
		}, ecs.Parallel())
		ecs.System(w, "right", func(c *struct {
			E []ecs.Entity
			_ ecs.With[marked]
			N *ecs.Pool[there]
		}) {
			for _, e := range c.E {
				ok(0, c.N.Set(e, there{turn + 2}))
			}
		}, ecs.Parallel())
		for turn = range 4 {
			ok(0, w.Run(context.Background()))
		}
		return log
	}
	want := play(1)
	if len(want) < 100 {
		t.Errorf("%d changes: %v", len(want), want)
	}
	for _, workers := range []int{2, 8} {
		if !slices.Equal(play(workers), want) {
			t.Errorf("%d workers: others, or in another order", workers)
		}
	}
}
