package main

import (
	"context"

	"github.com/ashlar-go/ashlar/ecs"
)

type (
	nestOne   struct{ A uint64 }
	nestTwo   struct{ A uint64 }
	nestThree struct{ A uint64 }

	nested1 struct {
		body
		One nestOne
	}
	nested2 struct {
		nested1
		Two nestTwo
	}
	nested3 struct {
		nested2
		Three nestThree
	}
)

// nestedRow is a walk of a group of 262,144 rows, of which quarters are in three groups
// within each other, against one of as many rows without any.
func nestedRow() row {
	const frames = 4
	return row{name: "walk of a group with 3 nested levels, 262144 rows", ops: frames * k262, bar: 1.03, ratio: true, make: func() (ours, rival, limit piece) {
		return nestedWalk(frames, true), nestedWalk(frames, false), limit
	}}
}

func nestedWalk(frames int, nested bool) (p piece) {
	w := must(ecs.New(ecs.Options{}))
	must(ecs.Register[Position](w, "position"))
	must(ecs.Register[Velocity](w, "velocity"))
	must(ecs.Register[nestOne](w, "one"))
	must(ecs.Register[nestTwo](w, "two"))
	must(ecs.Register[nestThree](w, "three"))
	outer := must(ecs.GroupOf[body](w, "outer"))
	es := make([]ecs.Entity, k262/4)
	v := body{Position{1, 2}, Velocity{0.5, 0.25}}
	if nested {
		must(ecs.GroupOf[nested1](w, "first"))
		must(ecs.GroupOf[nested2](w, "second"))
		must(ecs.GroupOf[nested3](w, "third"))
		check(outer.SpawnN(es, []body{v}))
		check(must(ecs.SpawnerOf[nested1](w)).SpawnN(es, []nested1{{body: v}}))
		check(must(ecs.SpawnerOf[nested2](w)).SpawnN(es, []nested2{{nested1: nested1{body: v}}}))
		check(must(ecs.SpawnerOf[nested3](w)).SpawnN(es, []nested3{{nested2: nested2{nested1: nested1{body: v}}}}))
	} else {
		for range 4 {
			check(outer.SpawnN(es, []body{v}))
		}
	}
	check(ecs.System(w, "move", moveSystem, ecs.OnlyIn(outer)))
	ctx := context.Background()
	for range 50 {
		check(w.Run(ctx)) // chunks come to their places
	}
	p.work = func() {
		for range frames {
			check(w.Run(ctx))
		}
	}
	return p
}
