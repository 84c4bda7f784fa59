package ecs_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// A table with rows that are found as they are gathered comes after one with rows that are tested by bits:
// the prefetch of the second, which has hundreds of chunks, does not go by bits of the
// first.
func TestFoundAfterTested(t *testing.T) {
	for _, system := range []bool{false, true} {
		w := world(t, ecs.Options{})
		large, small := ecs.Register[b8K](w, "large", ecs.Stable), ecs.Register[b4](w, "small")
		tag, v := ecs.Register[tag0](w, "tag", ecs.Stable), ecs.Register[b1](w, "v", ecs.Volatile)
		ecs.GroupMade[struct{ P b4 }](w, "smalls")
		spawn := func(i int, has bool) {
			e := ok(w.Spawn())
			ok(0, large.Add(e, b8K{byte(i)}))
			if has {
				ok(0, tag.Add(e, tag0{}))
			} else {
				ok(0, v.Add(e, b1{}))
			}
			if i%2 == 0 {
				ok(0, small.Add(e, b4{byte(i)}))
			}
		}
		spawn(0, false)
		for i := range 2000 {
			spawn(i, true)
		}
		for range 4000 { // the tables of the large ones are gone over, since these are fewer
			ok(0, small.Add(ok(w.Spawn()), b4{}))
		}
		type batch struct {
			L []b8K
			S []b4
			_ ecs.Without[b1]
		}
		rows := 0
		look := func(c *batch) {
			for i := range c.L {
				if rows++; c.L[i][0] != c.S[i][0] {
					t.Fatalf("%d beside %d", c.L[i][0], c.S[i][0])
				}
			}
		}
		if system {
			ecs.System(w, "look", look)
			ok(0, w.Run(t.Context()))
		} else {
			for c := range ecs.QueryOf[batch](w).All() {
				look(c)
			}
		}
		if rows != 1000 {
			t.Errorf("%d rows, want 1000", rows)
		}
	}
}
