package main

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

// Ways of storing a component, each against a sparse set of plain slices. Bars follow from
// the times of the store before tables, which had sparse sets alone: loose is its ratio to the
// same slices. The best Go peer took 4.2 times as long as that store, or longer.

// wayRows are adding and removing in each way.
func wayRows() (all []row) {
	sizes := []struct {
		n         int
		addRemove float64 // loose
	}{{1 << 10, 1.8}, {k16, 1.8}, {k262, 2}, {m1, 1}}
	ways := []struct {
		name      string
		how       ecs.Storage
		addRemove float64 // bar against loose
	}{
		{"optional", ecs.Volatile, 1.5},
		{"thin", ecs.Thin, 1.05},
		{"fixed", ecs.Stable, 0.5 * 4.2},
	}
	for _, w := range ways {
		for _, s := range sizes {
			all = append(all, row{name: fmt.Sprintf("add + remove, %s, %d", w.name, s.n), ops: s.n, times: repeat(s.n), bar: w.addRemove * s.addRemove, ratio: true, allocs: true,
				make: func() (ashlar, baseline, floor piece) { return toggling(w.how, s.n), togglingSlices(s.n), floor }})
		}
	}
	return all
}

// herd makes entities that have a position and a velocity, which is stored as stated.
func herd(how ecs.Storage, n int) (vel *ecs.Pool[Velocity], order []ecs.Entity) {
	w := ecs.New(options())
	pos := ecs.Register[Position](w, "position", ecs.Stable)
	vel = ecs.Register[Velocity](w, "velocity", how)
	for i := range 62 {
		ecs.Register[dummy](w, fmt.Sprintf("dummy%d", i), ecs.Stable)
	}
	es := make([]ecs.Entity, n)
	for i := range es {
		es[i] = must(w.Spawn())
	}
	must(pos.AddAll(ecs.Handles(es), Position{1, 2}))
	must(vel.AddAll(ecs.Handles(es), Velocity{3, 4}))
	return vel, shuffled(es)
}

func toggling(how ecs.Storage, n int) (p piece) {
	vel, order := herd(how, n)
	p.work = func() {
		for _, e := range order {
			check(vel.Remove(e))
			check(vel.Add(e, Velocity{1, 2}))
		}
	}
	return p
}

// byHand is the velocities of a herd in a sparse set of plain slices.
func byHand(n int) (vel *sparse[Velocity], order []ecs.Entity) {
	w := ecs.New(options())
	es := make([]ecs.Entity, n)
	vel = new(sparse[Velocity])
	for i := range es {
		es[i] = must(w.Spawn())
		vel.add(es[i], Velocity{3, 4})
	}
	check(w.Close())
	return vel, shuffled(es)
}

func togglingSlices(n int) (p piece) {
	vel, order := byHand(n)
	p.work = func() {
		for _, e := range order {
			vel.remove(e)
			vel.add(e, Velocity{1, 2})
		}
	}
	return p
}
