package ecs_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
)

// sharing is the record of a run whose readers of shared fields are Parallel, or not.
type sharing struct {
	digest  uint64
	views   []profile.Shared
	choices map[string][]profile.Choice
}

// shareFields runs a world where two systems read fields that another group's rows have, while values change, rows
// move and some rows lack the component.
func shareFields(t *testing.T, o ecs.Options, parallel bool) (s sharing) {
	o.Record = true
	o = ecs.WithPieces(o, 1)
	w := ecs.New(o)
	tr, sp := ecs.Register[transform](w, "transform"), ecs.Register[sprite](w, "sprite")
	ecs.Apart(ecs.GroupOf[struct{ S sprite }](w, "sprites", sp))
	bodies := ecs.Apart(ecs.GroupOf[struct{ T transform }](w, "bodies", tr))
	es := make([]ecs.Entity, 9000)
	ok(0, bodies.SpawnN(es, []struct{ T transform }{{}}))
	for _, i := range rand.New(rand.NewPCG(1, 1)).Perm(len(es)) {
		ok(0, sp.Add(es[i], sprite{}))
	}
	var options []ecs.SystemOption
	if parallel {
		options = append(options, ecs.Parallel())
	}
	ecs.System(w, "look", func(c *struct {
		Spr ecs.Write[sprite]
		At  []vec3 `ashlar:"transform.At"`
		All []ecs.Entity
		T   ecs.Look[transform]
	}) {
		for i, e := range c.All {
			if c.At[i] != c.T.Get(e).At {
				panic(fmt.Sprint("look: another value than Get has, of ", e))
			}
			c.Spr[i].Tint += uint32(c.At[i].X)
		}
	}, options...)
	ecs.System(w, "turn", func(c *struct {
		Spr ecs.Write[sprite]
		T   []transform
		At  []vec3 `ashlar:"transform.At"`
		All []ecs.Entity
		L   ecs.Look[transform]
	}) {
		for i, e := range c.All {
			if c.T[i] != *c.L.Get(e) || c.At[i] != c.T[i].At {
				panic(fmt.Sprint("turn: another value than Get has, of ", e))
			}
			c.Spr[i].Depth = c.Spr[i].Depth*31 + uint32(c.T[i].Scale)
		}
	}, options...)
	for frame := range 40 {
		for k := range 30 {
			e := es[(frame*977+k*k)%len(es)]
			switch v := tr.Mut(e); {
			case frame%4 == 3 && v == nil:
				ok(0, tr.Add(e, transform{Scale: 7}))
			case frame%4 == 2 && v != nil && frame > 20:
				ok(0, tr.Remove(e))
			case v != nil:
				v.At.X, v.Scale = v.At.X+float32(frame), v.Scale+1
			}
		}
		ok(0, w.Run(t.Context()))
	}
	h := fnv.New64a()
	for e, v := range sp.All() {
		fmt.Fprintln(h, e, *v)
	}
	s.digest, s.views, s.choices = h.Sum64(), ecs.SharedOf(w), map[string][]profile.Choice{}
	for _, x := range w.Facts().Systems {
		s.choices[x.Name] = x.Choices
	}
	if err := w.Check(); err != nil {
		t.Error(err)
	}
	ok(0, w.Close())
	return s
}

// Fields that other groups have are kept, refreshed and recorded for Parallel systems as for others, for any number of
// workers.
func TestViewsOfParallel(t *testing.T) {
	for name, o := range map[string]ecs.Options{
		"counts": {},
		"always": {Views: ecs.Views{Always: true}},
		"heap":   {Memory: memmgr.Options{Arena: arena.Options{Backend: arena.Heap}}},
		"stress": {Memory: memmgr.Options{Stress: true}, Views: ecs.Views{Always: true}},
	} {
		t.Run(name, func(t *testing.T) {
			o.Workers = 1
			want := shareFields(t, o, false)
			kept := uint64(0)
			for _, v := range want.views {
				kept += v.Refreshed + v.Reused
				if o.Memory.Stress {
					kept += v.Built
				}
			}
			if kept == 0 || len(want.choices["turn"]) == 0 || want.choices["turn"][0].Use != "cached" {
				t.Fatalf("nothing is kept: %+v", want)
			}
			for _, n := range []int{1, 2, 8} {
				o.Workers = n
				got := shareFields(t, o, true)
				if got.digest != want.digest || len(got.views) != len(want.views) {
					t.Errorf("%d workers:\n%+v\nand not Parallel:\n%+v", n, got, want)
				}
				for i, v := range got.views {
					a, b := v.Built+v.Refreshed, want.views[i].Built+want.views[i].Refreshed
					if a > b || a+v.Reused != b+want.views[i].Reused { // both are bound first, so none lies elsewhere later
						t.Errorf("%d workers: %+v, and not Parallel: %+v", n, v, want.views[i])
					}
				}
				for system, list := range got.choices {
					for i, c := range list {
						x := want.choices[system][i]
						if c.Stale > x.Stale {
							t.Errorf("%d workers: %+v, and not Parallel: %+v", n, c, x)
						}
						if c.Stale = x.Stale; c != x {
							t.Errorf("%d workers: %+v, and not Parallel: %+v", n, c, x)
						}
					}
				}
			}
		})
	}
}
