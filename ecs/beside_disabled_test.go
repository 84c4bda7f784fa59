package ecs_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// A system that has events asks whether any row of its own matches, before its function is called. Others that run beside
// it ask for the same bits of disabled rows, which the race build sees.
func TestBesideNewsFindDisabledRows(t *testing.T) {
	type note struct{ V uint64 }
	play := func(workers int) (sum uint64) {
		w := ecs.New(ecs.WithPieces(ecs.Options{Workers: workers}, 1))
		defer w.Close()
		p0 := ecs.Register[c0](w, "c0")
		p1, p2 := ecs.Register[c1](w, "c1"), ecs.Register[c2](w, "c2")
		ecs.EventsOf[note](w).Write(note{1})
		es := make([]ecs.Entity, 2000)
		ok(0, ecs.SpawnerOf[struct {
			A c0
			B c1
			C c2
		}](w).SpawnN(es, make([]struct {
			A c0
			B c1
			C c2
		}, 1)))
		ecs.System(w, "nought", func(c *struct{ A ecs.Write[c0] }) {
			for i := range c.A {
				c.A[i].V ^= 5
			}
		}, ecs.Parallel())
		ecs.System(w, "one", func(c *struct{ B ecs.Write[c1] }) {
			for i := range c.B {
				c.B[i].V++
			}
		}, ecs.Parallel())
		ecs.System(w, "two", func(c *struct{ C ecs.Write[c2] }) {
			for i := range c.C {
				c.C[i].V++
			}
		}, ecs.Parallel())
		ecs.System(w, "hears", func(c *struct {
			A     ecs.Write[c0]
			Notes ecs.Events[note]
		}) {
			for i := range c.A {
				c.A[i].V += uint64(c.Notes.Len())
			}
		}, ecs.Parallel())
		for frame := range 20 {
			for i, e := range es { // so that the bits are found anew
				if i%7 == frame%7 {
					ok(0, w.SetEnabled(e, i%2 == 0))
					ok(0, w.Destroy(e))
					es[i] = ok(w.Spawn())
					ok(0, p0.Add(es[i], c0{}))
					ok(0, p1.Add(es[i], c1{}))
					ok(0, p2.Add(es[i], c2{}))
				} else if i%5 == frame%5 {
					ok(0, w.SetEnabled(e, frame%2 == 0))
				}
			}
			ok(0, w.Run(t.Context()))
		}
		for e, v := range p0.All() {
			sum = sum*31 + v.V + uint64(e)
		}
		for e, v := range p1.All() {
			sum = sum*31 + v.V + uint64(e)
		}
		for e, v := range p2.All() {
			sum = sum*31 + v.V + uint64(e)
		}
		return sum
	}
	if one := play(1); one != play(2) || one != play(8) {
		t.Error("results depend on the number of workers")
	}
}
