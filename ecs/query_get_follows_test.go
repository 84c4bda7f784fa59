package ecs_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// Get of a query finds values where they are, after a group has got rows of its own, and after it was dissolved.
func TestQueryGetFollowsGroups(t *testing.T) {
	w := world(t, ecs.Options{})
	a, b := ecs.Register[gotA](w, "gota"), ecs.Register[gotB](w, "gotb")
	q := ecs.QueryOf[struct {
		A *gotA
		B *gotB
	}](w)
	var es []ecs.Entity
	for i := range 50 {
		e := ok(w.Spawn())
		ok(0, a.Add(e, gotA{int64(i)}))
		ok(0, b.Add(e, gotB{N: int64(i)}))
		es = append(es, e)
	}
	compare := func(what string) {
		t.Helper()
		for i, e := range es {
			if s, has := q.Get(e); !has || s.A != a.Get(e) || s.B != b.Get(e) || s.A.N != int64(i) || s.B.N != int64(i) {
				t.Fatalf("%s: %d has %v, %v", what, i, s, has)
			}
		}
	}
	compare("at first")
	as := ecs.Apart(ecs.GroupOf[struct{ A gotA }](w, "as"))
	compare("with a group")
	for range 3 {
		e := ok(w.Spawn())
		ok(0, b.Add(e, gotB{N: 7}))
		if s, has := q.Get(e); has {
			t.Fatalf("%v without a: %v", e, s)
		}
	}
	ok(0, as.Dissolve())
	ecs.Apart(ecs.GroupOf[struct {
		A gotA
		B gotB
	}](w, "both"))
	compare("with a group of both")
}
