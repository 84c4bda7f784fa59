package ecs_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// A SortAs ends with either of its groups, and others go on.
func TestSortAsEndsWithItsGroups(t *testing.T) {
	for name, dissolve := range map[string]func(p *pairOf) error{
		"the group that is sorted":  func(p *pairOf) error { return p.bodies.Dissolve() },
		"the group that it follows": func(p *pairOf) error { return p.sprites.Dissolve() },
	} {
		p := newPair(t, ecs.Options{}, 100)
		ecs.Register[b16](p.w, "mood")
		ecs.Register[b4](p.w, "face")
		moods := ecs.GroupOf[struct{ M b16 }](p.w, "moods")
		faces := ecs.GroupOf[struct{ F b4 }](p.w, "faces")
		p.bodies.SortAs(p.sprites, 10)
		moods.SortAs(faces, 10)
		ok(0, p.w.Run(t.Context()))
		ok(0, dissolve(p))
		if s := ecs.SortWork(p.w); len(s) != 1 || s[0].Rows != "moods" {
			t.Errorf("without %s: %+v", name, s)
		}
		ok(0, p.w.Run(t.Context()))
	}
}
