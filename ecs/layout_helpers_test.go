package ecs_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// laid is a layout of these lines.
func laid(lines ...string) layout.Source {
	return layout.Source{Text: []byte("ashlar layout 1\n" + strings.Join(lines, "\n") + "\n")}
}

// hostile makes up a layout that fits the text form but not the program. It says nothing that may change
// the order of rows.
func hostile(r *rand.Rand) layout.Source {
	groups := []string{"duo", "trio", "table/b4", "table/b8k", "table/b24", "table/far", "table/tag", "nobody", "table/nobody"}
	var lines []string
	for i, g := range groups {
		if r.IntN(3) > 0 {
			lines = append(lines, "cold "+g)
		}
		if r.IntN(3) > 0 {
			lines = append(lines, fmt.Sprint("rows ", g, " ", []int{1, 50, 5000, 1 << 20, 1<<31 - 1}[r.IntN(5)]))
		}
		if j := r.IntN(len(groups)); j != i {
			lines = append(lines, "near "+g+" "+groups[j])
		}
	}
	for _, s := range []string{"bump", "grow", "ghost", "end"} {
		lines = append(lines, "view "+s+" b4.X "+[]string{"direct", "gathered", "cached", "none"}[r.IntN(4)])
	}
	return laid(lines...)
}

// sorted is a layout that says how rows are stored and ordered, about the components of the models.
func sorted(r *rand.Rand) layout.Source {
	var lines []string
	for _, c := range []string{"tag", "b1", "b4", "b16", "b24", "b8k", "far", "nobody"} {
		if way := r.IntN(6); way < 4 {
			lines = append(lines, "stored "+c+" "+[]string{"stable", "volatile", "ordered", "thin"}[way])
		}
		if r.IntN(3) == 0 {
			lines = append(lines, fmt.Sprint("sort ", c, " by ", []string{"b4", "b4.X", "b1", "far", "b16.A", "tag"}[r.IntN(6)], " every ", 1+r.IntN(20)))
		}
	}
	for _, g := range []string{"duo", "trio", "nobody"} {
		if r.IntN(2) == 0 {
			lines = append(lines, "apart "+g)
		}
	}
	return laid(lines...)
}

// newSmallest is a world that has a, b and duo, and one system.
func newSmallest(t *testing.T, o ecs.Options) *ecs.World {
	t.Helper()
	w := world(t, o)
	ecs.Register[b4](w, "a")
	ecs.Register[b16](w, "b")
	ecs.GroupMade[duo](w, "duo")
	addSystem(t, w, "move", func(*readAB) {})
	return w
}
