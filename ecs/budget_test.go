package ecs_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// A shared budget counts the memory of small worlds, in steps of 64 KiB, and no whole regions.
func TestBudgetOfSmallWorlds(t *testing.T) {
	const worlds = 20
	b := arena.NewBudget(worlds * 5 * 64 << 10)
	for range worlds {
		w := world(t, ecs.Options{Memory: memmgr.Options{Arena: arena.Options{Budget: b}}})
		if w.Manager().Arena().Backend() == arena.Heap {
			t.Skip("slabs of the Go heap count as a whole")
		}
		p := ecs.Register[uint64](w, "value")
		e, err := w.Spawn()
		if err == nil {
			err = p.Add(e, 7)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d bytes for a world", b.Used()/worlds)
}
