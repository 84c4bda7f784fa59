package ecs_test

import (
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// Two components of a type are two parts, but for a group that owns one of that type.
func TestOverlappingPartsOfGroups(t *testing.T) {
	w := world(t, ecs.Options{})
	ecs.Register[b16](w, "a")
	ecs.Register[b16](w, "b")
	ecs.Register[b16](w, "c")
	g := ecs.GroupOf[struct {
		C b16 `ashlar:"c"`
	}](w, "g")
	type both struct {
		To   ecs.Write[b16] `ashlar:"a"`
		From []b16          `ashlar:"b"`
	}
	ecs.System(w, "apart", func(*both) {})
	ecs.System(w, "over", func(*both) {}, ecs.OnlyIn(g))
	err := w.Err()
	for _, want := range []string{`system "over"`, `in group "g"`, "To (c, written)", "From (c)", "name the larger part once"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
}
