package ecs_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/layout"
)

type slab [8000]byte

// Where a region is emptied, chunks lie as systems walk them afterwards: in the order in which they
// run, behind the names that a layout states near each other.
func TestChunksLieAsSystemsWalk(t *testing.T) {
	for _, c := range []struct {
		layout string
		want   []string
	}{
		{"", []string{"z", "y", "x"}},
		{"near nobody table/x\n", []string{"x", "z", "y"}},
	} {
		w := world(t, ecs.Options{
			Memory: memmgr.Options{Arena: arena.Options{Backend: arena.Heap}},
			Adapt:  memmgr.AdaptOptions{Every: 1, Decay: -1, Clock: ticking(time.Microsecond).tick},
			Layout: layout.Source{Text: []byte("ashlar layout 1\n" + c.layout)},
		})
		fill := func(p *ecs.Pool[slab], n int) {
			for range n {
				ok(0, p.Add(ok(w.Spawn()), slab{}))
			}
		}
		pools := make(map[string]*ecs.Pool[slab])
		for _, name := range []string{"x", "y", "z"} {
			pools[name] = ecs.Register[slab](w, name)
		}
		ecs.System(w, "last", func(s *struct {
			X []slab `ashlar:"x"`
		}) {
		}, ecs.InPhase(ecs.Render))
		ecs.System(w, "second", func(s *struct {
			Y []slab `ashlar:"y"`
		}) {
		}, ecs.After("first"))
		ecs.System(w, "first", func(s *struct {
			Z []slab `ashlar:"z"`
		}) {
		})
		ok(0, w.Run(t.Context())) // tables come later
		const chunk = 8           // rows
		var goes []*ecs.Pool[slab]
		for i := range 8 { // 64 slots, and 16 are left
			p := ecs.Register[slab](w, fmt.Sprint("fill", i))
			fill(p, 8*chunk)
			if i > 1 {
				goes = append(goes, p)
			}
		}
		for range 3 {
			for _, name := range []string{"x", "y", "z"} {
				fill(pools[name], chunk)
			}
		}
		for _, p := range goes {
			ok(0, p.Clear())
		}
		for range 30 {
			ok(0, w.Run(t.Context()))
		}
		if st := w.Manager().Stats().Adapting; st.Emptied == 0 {
			t.Fatalf("no region was emptied: %+v", st)
		}
		m := w.Map()
		slices.SortFunc(m.Chunks, func(a, b profile.Placed) int { return cmp.Or(a.Region-b.Region, a.Slot-b.Slot) })
		var got, want []string
		for _, p := range m.Chunks {
			if len(p.Group) == len("table/x") {
				got = append(got, fmt.Sprint(p.Group, p.Order))
			}
		}
		for _, name := range c.want {
			for i := range 3 {
				want = append(want, fmt.Sprint("table/", name, i))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("layout %q: chunks lie as %q, want %q", c.layout, got, want)
		}
	}
}
