package ecs_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
)

// Work that was quadratic or worse in the number of systems and groups took seconds; the bars
// of the benchmarks are a tenth or less of the bars here.
func TestCostsOfMany(t *testing.T) {
	most := 1500 * time.Millisecond
	if race.Enabled {
		most *= 4
	}
	in := func(what string, f func()) {
		start := time.Now()
		if f(); time.Since(start) > most {
			t.Errorf("%s took %v", what, time.Since(start))
		}
	}
	w := world(t, ecs.Options{})
	in("2,000 systems over 50 groups", func() {
		for i := range 50 {
			p := ecs.Register[hp](w, fmt.Sprint("hp", i))
			ecs.Apart(ecs.GroupOf[struct{ HP hp }](w, fmt.Sprint("g", i), p))
		}
		ecs.Register[frozen](w, "frozen")
		ecs.Register[b4](w, "shared")
		for i := range 2000 {
			system(t, w, fmt.Sprint("s", i), i%50)
		}
	})
	w = ecs.New(ecs.Options{})
	manyGroups(t, w, 4000, 1)
	in("Check of 4,000 groups", func() { ok(0, w.Check()) })
	ok(0, w.Close())
}

// Whether systems come before their groups, after them or in between, groups have the same
// views with the same readers, and chunks of the same capacity.
func TestOrderOfRegistration(t *testing.T) {
	var want string
	for _, order := range []string{"ssssssg", "gssssss", "sgsssss", "sssgsss", "sssssgs"} {
		w := world(t, ecs.Options{})
		own := ecs.Register[sprite](w, "sprite")
		ecs.Register[transform](w, "transform")
		ecs.Register[b16](w, "b16")
		type at struct {
			S []sprite
			P []vec3 `ashlar:"transform.At"`
		}
		type scale struct {
			S ecs.Write[sprite]
			F []float64 `ashlar:"transform.Scale"`
			B []b16
		}
		systems := []func() error{
			func() error { return systemRefusal(w, "a", func(*at) {}) },
			func() error { return systemRefusal(w, "b", func(*scale) {}) },
			func() error { return systemRefusal(w, "c", func(*at) {}) },
			func() error { return systemRefusal(w, "d", func(*struct{ S []sprite }) {}) },
			func() error { return systemRefusal(w, "e", func(*scale) {}) },
			func() error { return systemRefusal(w, "f", func(*at) {}) },
		}
		var g *ecs.Group[struct{ S sprite }]
		for _, r := range order {
			if r == 'g' {
				g = ecs.Apart(ecs.GroupOf[struct{ S sprite }](w, "sprites", own))
			} else {
				ok(0, systems[0]())
				systems = systems[1:]
			}
		}
		sources := ecs.SpawnerOf[struct {
			S sprite
			T transform
			B b16
		}](w)
		for range 100 {
			ok(sources.Spawn(struct {
				S sprite
				T transform
				B b16
			}{}))
		}
		for range 2 {
			ok(0, w.Run(t.Context()))
		}
		stats := ecs.SharedOf(w)
		if len(stats) != 3 || stats[0].Built == 0 {
			t.Fatalf("%s: %+v", order, stats)
		}
		slices.SortFunc(stats, func(a, b profile.Shared) int { return len(a.Component) - len(b.Component) })
		got := fmt.Sprint(stats, ecs.RowsOf(g).Layout().Capacity())
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%s: %s\nwant %s", order, got, want)
		}
	}
	t.Log(want)
}

// Frames allocate nothing, once they have come to rest, though rows are gathered and put back.
func TestFramesAcrossAllocateNothing(t *testing.T) {
	w := world(t, ecs.Options{Adapt: memmgr.AdaptOptions{Clock: standing}})
	ecs.Register[b4](w, "a")
	ecs.Register[b16](w, "b")
	c := ecs.Register[b24](w, "c")
	g := ecs.Apart(ecs.GroupOf[duo](w, "duo"))
	for i := range 1000 {
		if e := ok(g.Spawn(duo{})); i%3 == 0 {
			ok(0, c.Add(e, b24{}))
		}
	}
	addSystem(t, w, "across", func(*struct {
		A ecs.Write[b4]
		C []b24
	}) {
	})
	addSystem(t, w, "without", func(*struct {
		B    ecs.Write[b16]
		Rows ecs.Rows
		_    ecs.Without[b24]
	}) {
	})
	frames := func() {
		for range 64 {
			ok(0, w.Run(t.Context()))
		}
	}
	frames()
	if n := testing.AllocsPerRun(3, frames); n > 0 {
		t.Errorf("%v allocations in 64 frames", n)
	}
}
