package ecs_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// A system that writes one component and gathers another stamps the gathered one only if it writes it, too.
func TestGatheredReadsAreNoChanges(t *testing.T) {
	type (
		aOf       struct{ A b4 }
		bOf       struct{ B b16 }
		changedOf struct {
			Ents []ecs.Entity
			_    ecs.Changed[b4]
		}
	)
	for _, writes := range []bool{false, true} {
		w := world(t, ecs.Options{Views: ecs.Views{Off: true}})
		ecs.Register[b4](w, "a")
		b := ecs.Register[b16](w, "b")
		as := ecs.Apart(ecs.GroupOf[aOf](w, "as"))
		ecs.Apart(ecs.GroupOf[bOf](w, "bs"))
		for i := range 200 { // so that rows of bs are walked, and a is gathered
			if e := ok(as.Spawn(aOf{})); i%2 > 0 {
				ok(0, b.Add(e, b16{}))
			}
		}
		rows := 0
		if writes {
			ecs.System(w, "writes.a", func(c *struct {
				A ecs.Write[b4]
				B []b16
			}) {
				rows += len(c.B)
			})
		} else {
			ecs.System(w, "reads.a", func(c *struct {
				A []b4
				B ecs.Write[b16]
			}) {
				rows += len(c.A)
			})
		}
		q, changed := ecs.QueryOf[changedOf](w), 0
		for range q.All() {
		}
		ok(0, w.Run(t.Context()))
		for c := range q.All() {
			changed += len(c.Ents)
		}
		if want := map[bool]int{true: 200}[writes]; rows != 100 || changed != want {
			t.Errorf("writes a: %v: %d rows, a changed in %d, want %d", writes, rows, changed, want)
		}
	}
}
