package ecs_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/ecs"
)

// Batches of a system that writes a resource run one after the other, in the order of rows: beside other
// systems, alone, where its reads by handle are counted, and in another legal order.
func TestBatchesInOrder(t *testing.T) {
	type log struct{ Seen []int32 }
	for name, o := range map[string]ecs.Options{
		"plain": {}, "recorded": {Record: true, TimeEvery: 1}, "shuffled": {Shuffle: 7}, "recorded and shuffled": {Record: true, Shuffle: 9},
	} {
		for _, asks := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, asks %v", name, asks), func(t *testing.T) {
				o.Workers = 4
				w := world(t, ecs.WithPieces(o, 64))
				a := ecs.Register[int32](w, "a")
				ecs.Register[float64](w, "b")
				ecs.Register[shell](w, "shell") // so that the rows are many pieces
				type row struct {
					A     int32
					B     float64
					Shell shell
				}
				both := ecs.SpawnerOf[row](w)
				seen := ecs.Provide(w, log{})
				es := make([]ecs.Entity, 1000)
				check(t, both.SpawnN(es, []row{{}}))
				for i, e := range es {
					check(t, a.Set(e, int32(i)))
				}
				var at, most atomic.Int32
				write := func(rows []int32, r *log) {
					for n := at.Add(1); ; {
						if m := most.Load(); n <= m || most.CompareAndSwap(m, n) {
							break
						}
					}
					time.Sleep(10 * time.Microsecond)
					r.Seen = append(r.Seen, rows...)
					at.Add(-1)
				}
				ecs.System(w, "beside", func(c *struct{ B ecs.Write[float64] }) {
					for i := range c.B {
						c.B[i]++
					}
				}, ecs.Parallel())
				if asks {
					ecs.System(w, "write", func(c *struct {
						A   []int32
						Log ecs.WriteRes[log]
						Do  *ecs.Commands
					}) {
						write(c.A, c.Log.Mut())
					}, ecs.Parallel())
				} else {
					ecs.System(w, "write", func(c *struct {
						A   []int32
						Log ecs.WriteRes[log]
					}) {
						write(c.A, c.Log.Mut())
					}, ecs.Parallel())
				}
				for frame := range 8 { // reads by handle are counted in the sixth
					seen.Seen = seen.Seen[:0]
					check(t, w.Run(t.Context()))
					if len(seen.Seen) != len(es) {
						t.Fatalf("frame %d: %d rows were passed", frame, len(seen.Seen))
					}
					for i, v := range seen.Seen {
						if v != int32(i) {
							t.Fatalf("frame %d: row %d was passed as number %d", frame, v, i)
						}
					}
				}
				if most.Load() != 1 {
					t.Errorf("%d batches ran at the same time", most.Load())
				}
			})
		}
	}
}
