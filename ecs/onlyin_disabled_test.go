package ecs_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// OnlyIn passes no row in which a component of its groups is disabled, and all rows while only others are.
func TestOnlyInLeavesDisabled(t *testing.T) {
	w := world(t, ecs.Options{})
	a, b := ecs.Register[b4](w, "a"), ecs.Register[b16](w, "b")
	as := ecs.GroupOf[struct{ A b4 }](w, "as")
	var es []ecs.Entity
	for range 100 {
		e := ok(as.Spawn(struct{ A b4 }{}))
		ok(0, b.Add(e, b16{}))
		es = append(es, e)
	}
	rows := 0
	ecs.System(w, "count", func(c *struct{ A []b4 }) { rows += len(c.A) }, ecs.OnlyIn(as))
	for _, step := range []struct {
		what string
		do   func() error
		want int
	}{
		{"none is disabled", func() error { return nil }, 100},
		{"another one is", func() error { return b.SetEnabled(es[3], false) }, 100},
		{"one is", func() error { return a.SetEnabled(es[50], false) }, 99},
		{"it is enabled again", func() error { return a.SetEnabled(es[50], true) }, 100},
	} {
		ok(0, step.do())
		rows = 0
		ok(0, w.Run(t.Context()))
		if rows != step.want {
			t.Errorf("%s: %d rows, want %d", step.what, rows, step.want)
		}
	}
}
