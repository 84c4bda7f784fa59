package ecs_test

import (
	"errors"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
)

// A parallel system that spawns more entities than there may be gets handle 0 for each that is too many,
// and Run says so.
func TestParallelSpawnsRefused(t *testing.T) {
	w := world(t, ecs.Options{MaxEntities: 1000, Workers: 2})
	ecs.Register[b4](w, "a")
	g := ecs.GroupOf[struct{ A b4 }](w, "as")
	ok(g.Spawn(struct{ A b4 }{}))
	made, none := 0, 0
	ecs.System(w, "spawns", func(c *struct {
		A []b4
		C *ecs.Commands
	}) {
		for range 1200 {
			if e := c.C.Spawn(); e == 0 {
				none++
			} else {
				made++
			}
		}
	}, ecs.Parallel())
	err := w.Run(t.Context())
	if !errors.Is(err, ecs.ErrDropped) || !errors.Is(err, arena.ErrFull) {
		t.Errorf("Run: %v", err)
	}
	if made == 0 || none == 0 || w.Len() != 1+made {
		t.Errorf("%d entities, %d were made, %d not", w.Len(), made, none)
	}
}
