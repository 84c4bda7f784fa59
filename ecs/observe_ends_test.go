package ecs_test

import (
	"fmt"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// Entities of several tables that are destroyed by one call are one change: an observer is called once, with all of them,
// and all go if it panics.
func TestObservedEndsAreOneChange(t *testing.T) {
	for name, destroy := range map[string]func(w *ecs.World, q *ecs.Query[struct{ A []hp }]){
		"all": func(w *ecs.World, q *ecs.Query[struct{ A []hp }]) { _, _ = w.DestroyAll(q) },
		"where": func(_ *ecs.World, q *ecs.Query[struct{ A []hp }]) {
			_, _ = q.DestroyWhere(func(*struct{ A []hp }, int) bool { return true })
		},
	} {
		for _, panics := range []bool{false, true} {
			w := world(t, ecs.Options{})
			a, b := ecs.Register[hp](w, "a", ecs.Stable), ecs.Register[name16](w, "b", ecs.Stable)
			for i := range 40 {
				e := ok(w.Spawn())
				ok(0, a.Add(e, hp{int32(i)}))
				if i%2 == 0 {
					ok(0, b.Add(e, name16{}))
				}
			}
			var calls []int
			ecs.Observe(w, "ends", func(c *struct{ Out ecs.Left[ecs.Entity] }) {
				if calls = append(calls, c.Out.Len()); panics {
					panic("the observer's")
				}
			})
			q := ecs.QueryOf[struct{ A []hp }](w)
			func() {
				defer func() {
					if v := recover(); (v != nil) != panics {
						t.Errorf("%s: panics with %v", name, v)
					}
				}()
				destroy(w, q)
			}()
			if fmt.Sprint(calls) != "[40]" || w.Len() != 0 || w.Stats().Dropped != 0 {
				t.Errorf("%s, panics %v: calls with %v entities, and %d are left; dropped: %v", name, panics, calls, w.Len(), w.Stats().Drops)
			}
		}
	}
}
