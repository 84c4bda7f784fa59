package ecs_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// A query of changed rows within a walk that writes gathered values misses none of them: it sees them then, or later.
func TestChangedRowsWithinWalk(t *testing.T) {
	w := world(t, ecs.Options{Views: ecs.Views{Off: true}})
	a := ecs.Register[gotA](w, "gota")
	ecs.Register[gotB](w, "gotb")
	ecs.Apart(ecs.GroupOf[struct{ A gotA }](w, "as"))
	bs := ecs.Apart(ecs.GroupOf[struct{ B gotB }](w, "bs"))
	for i := range 300 { // so that rows of as are walked, and b is gathered
		if e := ok(bs.Spawn(struct{ B gotB }{})); i%3 == 0 {
			ok(0, a.Add(e, gotA{}))
		}
	}
	changed := ecs.QueryOf[struct {
		E []ecs.Entity
		_ ecs.ChangedRows[gotB]
	}](w)
	met := make(map[ecs.Entity]bool)
	see := func() (n int) {
		for c := range changed.All() {
			for _, e := range c.E {
				met[e] = true
			}
			n += len(c.E)
		}
		return n
	}
	see()
	if n := see(); n != 0 {
		t.Fatalf("%d changes before", n)
	}
	clear(met)
	rows := 0
	for c := range ecs.QueryOf[struct {
		A []gotA
		B ecs.Write[gotB]
	}](w).All() {
		for i := range c.B {
			c.B[i].N = 1
		}
		rows += len(c.A)
		see()
	}
	see()
	if rows != 100 || len(met) != 100 {
		t.Errorf("%d rows were written, and %d seen", rows, len(met))
	}
}
