package ecs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// OnlyIn of groups within each other is refused: the inner rows would be passed twice. The outer group alone passes each
// row once.
func TestOnlyInPassesNoRowTwice(t *testing.T) {
	f := newFamily(t, 64)
	type look struct {
		A []nA
		E []ecs.Entity
	}
	for i, groups := range [][]ecs.AnyGroup{
		{f.outer, f.inner}, {f.inner, f.outer}, {f.middle, f.outer},
	} {
		ecs.System(f.w, fmt.Sprint("twice.", i), func(*look) {}, ecs.OnlyIn(groups...))
		if err := f.w.Err(); err == nil || !strings.Contains(err.Error(), "share rows, which would be passed twice") {
			t.Errorf("%d: %v", i, err)
		}
	}
	met := map[ecs.Entity]int{}
	ecs.System(f.w, "once", func(c *look) {
		for _, e := range c.E {
			met[e]++
		}
	}, ecs.OnlyIn(f.outer))
	ok(0, f.w.Run(t.Context()))
	for _, e := range f.outer.Members(nil) {
		if met[e] != 1 {
			t.Errorf("%v is passed %d times", e, met[e])
		}
	}
	if len(met) != f.outer.Len() {
		t.Errorf("%d of %d", len(met), f.outer.Len())
	}
}
