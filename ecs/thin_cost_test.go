package ecs_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
)

// A hundred rows of a thin component cost 16 KiB at most, however many entities there are
// among which they are spread. The cost of an array by index is many times that.
func TestThinCostsItsRows(t *testing.T) {
	const entities, components, rows = 500_000, 50, 100
	w := world(t, ecs.Options{})
	if w.Manager().Arena().Backend() == arena.Heap {
		t.Skip("chunks lie among all else on the Go heap")
	}
	es := make([]ecs.Entity, entities)
	for i := range es {
		es[i] = ok(w.Spawn())
	}
	ok(ecs.Register[speed](w, "speed").AddAll(ecs.Handles(es), speed{}))
	size := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc + w.Manager().Stats().Arena.Live
	}
	before := size()
	r := rand.New(rand.NewPCG(5, 6))
	for i := range components {
		pool := ecs.Register[uint64](w, fmt.Sprint("rare", i), ecs.Thin)
		for k := range rows {
			if err := pool.Add(es[k*entities/rows+r.IntN(entities/rows)], 7); err != nil {
				t.Fatal(err)
			}
		}
	}
	if each := (size() - before) / components; each > 16<<10 || each < rows*16 {
		t.Errorf("%d rows of a thin component take %d bytes, more than 16 KiB or less than they are", rows, each)
	}
	runtime.KeepAlive(es)
	if err := w.Check(); err != nil {
		t.Error(err)
	}
}
