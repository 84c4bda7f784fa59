package ecs_test

import (
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// A group's values lie in tables until a call needs its rows in an order, or whole. Members are the same
// before and after, in whatever way its components are stored.
func TestGroupsApart(t *testing.T) {
	type rows struct {
		A []b4
		B []b16
	}
	for name, call := range map[string]func(w *ecs.World, a *ecs.Pool[b4], g *ecs.Group[duo]){
		"nothing":      func(*ecs.World, *ecs.Pool[b4], *ecs.Group[duo]) {},
		"Group.Sort":   func(_ *ecs.World, _ *ecs.Pool[b4], g *ecs.Group[duo]) { g.Sort(func(x, y ecs.Entity) int { return 0 }) },
		"SortAs":       func(_ *ecs.World, _ *ecs.Pool[b4], g *ecs.Group[duo]) { g.SortAs(nil, 0) },
		"Pool.Sort":    func(_ *ecs.World, a *ecs.Pool[b4], _ *ecs.Group[duo]) { a.Sort(func(x, y *b4) int { return 0 }) },
		"Pool.SortKey": func(_ *ecs.World, a *ecs.Pool[b4], _ *ecs.Group[duo]) { a.SortKey(func(*b4) uint64 { return 0 }) },
		"Respect":      func(_ *ecs.World, a *ecs.Pool[b4], _ *ecs.Group[duo]) { a.Respect(a) },
		"SliceOf":      func(w *ecs.World, _ *ecs.Pool[b4], _ *ecs.Group[duo]) { ecs.SliceOf[rows](w) },
		"OnlyIn": func(w *ecs.World, _ *ecs.Pool[b4], g *ecs.Group[duo]) {
			ecs.System(w, "x", func(*rows) {}, ecs.OnlyIn(g))
		},
		"a group within":  func(w *ecs.World, _ *ecs.Pool[b4], _ *ecs.Group[duo]) { ecs.GroupOf[trioWithin](w, "within") },
		"dissolved again": func(_ *ecs.World, _ *ecs.Pool[b4], g *ecs.Group[duo]) { ok(0, g.Dissolve()) },
	} {
		for how, stored := range map[string]ecs.Storage{"fixed": ecs.Stable, "optional": ecs.Volatile, "thin": ecs.Thin} {
			w := world(t, ecs.Options{})
			a, b := ecs.Register[b4](w, "a"), ecs.Register[b16](w, "b", stored)
			c := ecs.Register[b24](w, "c")
			g := ecs.GroupOf[duo](w, "duo")
			var want []ecs.Entity
			for i := range byte(100) {
				e := ok(g.Spawn(duo{b4{i}, b16{i}}))
				switch i % 4 {
				case 0:
					ok(0, b.Remove(e))
					continue
				case 1:
					ok(0, c.Add(e, b24{i}))
				case 2:
					ok(0, b.SetEnabled(e, false)) // a member nevertheless
				}
				want = append(want, e)
			}
			call(w, a, g)
			if name == "dissolved again" {
				want = nil
			}
			got := g.Members(nil)
			if slices.Sort(got); !slices.Equal(got, want) || g.Len() != len(want) {
				t.Errorf("%s, %s: %d members, Len %d, want %d", name, how, len(got), g.Len(), len(want))
			}
			apart := slices.Contains(ecs.GroupsIn(w), "duo")
			if want := name != "nothing" && name != "dissolved again"; apart != want {
				t.Errorf("%s, %s: rows of the group's own: %t, want %t", name, how, apart, want)
			}
			for _, e := range want {
				if x, y := a.Get(e), b.Get(e); x == nil || x[0] != y[0] {
					t.Fatalf("%s, %s: %v has %v and %v", name, how, e, x, y)
				}
			}
			if err := w.Run(t.Context()); err != nil {
				t.Error(err)
			}
		}
	}
}

type trioWithin struct {
	A b4
	B b16
	C b24
}
