package ecs_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// A value that has changed is new to a query also when its row fills a hole in another chunk before the query looks.
func TestChangedRowFillsHole(t *testing.T) {
	type wide struct{ N [16]int64 }
	w := world(t, ecs.Options{})
	pool := ecs.Register[wide](w, "wide")
	es := make([]ecs.Entity, 2000) // several chunks
	ok(0, ecs.SpawnerOf[struct{ wide }](w).SpawnN(es, make([]struct{ wide }, 1)))
	changed := ecs.QueryOf[struct {
		Ents []ecs.Entity
		_    ecs.Changed[wide]
	}](w)
	look := func() map[ecs.Entity]bool {
		seen := map[ecs.Entity]bool{}
		for c := range changed.All() {
			for _, e := range c.Ents {
				seen[e] = true
			}
		}
		return seen
	}
	if len(look()) != len(es) || len(look()) != 0 {
		t.Fatal("not all are new, and then none: the test is wrong")
	}
	last := es[len(es)-1]
	pool.Mut(last).N[0] = 1
	if n := ok(w.DestroyAll(ecs.Handles{es[1], es[3]})); n != 2 {
		t.Fatalf("%d destroyed", n)
	}
	if seen := look(); !seen[last] {
		t.Errorf("of the chunks with changes it sees %d entities, and not the last one, which has moved", len(seen))
	}
}
