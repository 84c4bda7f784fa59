package main

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile"
)

// declaredRows are about frames with views declared of which none is kept, against the
// same systems in a world without views: once where intent wants the readers to stream
// what they asked for, so that no room is kept for views, and once without intent, where
// the declaring system finds no rows, so that nothing hides what the room for its view
// costs the sweeps over owned columns beside it.
func declaredRows() []row {
	r := readers{rows: k262, groups: 1, systems: 5, changed: 10}
	line := func(name string, systems int, make func(ecs.Options) stage) row {
		return row{name: "shared: " + name + ", views declared against none", ops: r.rows * r.systems, bar: 1.01, ratio: true,
			make: func() (ours, rival, limit piece) {
				return r.piece(make(noneKept(systems))), r.piece(make(viewing(ecs.ViewsOff))), limit
			}}
	}
	return []row{line("5 systems, streamed", r.systems, r.views), line("5 sweeps of owned columns", 0, r.sweeps)}
}

// noneKept asks that so many systems keep no view.
func noneKept(systems int) ecs.Options {
	o := options()
	for s := range systems {
		o.Profile.Code.Hints.Views = append(o.Profile.Code.Hints.Views,
			profile.View{System: fmt.Sprintf("draw.0.%d", s), Component: "shape.At", Choice: "none"})
	}
	o.Profile.Named = true
	return o
}

// sweeps reads and writes meshes alone. One more system asks for shapes, too, of
// which there are none.
func (r readers) sweeps(o ecs.Options) stage {
	w := must(ecs.New(o))
	must(ecs.GroupOf[struct{ S Shape }](w, "shapes", must(ecs.Register[Shape](w, "shape"))))
	k := kinds()[0]
	k.own(w)
	for s := range r.systems {
		check(ecs.System(w, fmt.Sprintf("sweep.%d", s), func(c *struct {
			M []Mesh[[0]byte] `ashlar:"write"`
		}) {
			for i := range c.M {
				c.M[i].A += c.M[i].B
			}
		}))
	}
	k.view(w, "draw.0.0")
	es := make([]ecs.Entity, r.rows)
	for i := range es {
		es[i] = must(w.Spawn())
	}
	k.add(w, es)
	return stage{w: w}
}
