package main

import (
	"github.com/ashlar-go/ashlar/ecs"
)

// Changes that an observer is told of, which does nothing, against the same changes that nobody is told of.

// observed is an observer of a component that comes and goes.
type observed struct {
	In  ecs.Arrived[Velocity]
	Out ecs.Left[Velocity]
}

// observerRows are changes of single entities, of lists and of queries.
func observerRows() []row {
	const n = 1 << 10
	return []row{
		{name: "observers: of another component, Add and Remove", ops: 2 * n, times: 64, unit: nanoseconds, bar: 1.01, ratio: true, allocs: true, make: toldAgainst(n, ofAnother, oneByOne)},
		{name: "observers: one that does nothing, Add and Remove", ops: 2 * n, times: 64, unit: nanoseconds, bar: 1.11, ratio: true, allocs: true, make: toldAgainst(n, ofThis, oneByOne)},
		{name: "observers: one that does nothing, Set", ops: n, times: 64, unit: nanoseconds, bar: 1.7, ratio: true, allocs: true, make: toldAgainst(n, ofValues, setOneByOne)},
		{name: "observers: one that does nothing, AddAll and RemoveAll of a list", ops: 2 * k16, times: 4, unit: nanoseconds, bar: 1.84, ratio: true, make: toldAgainst(k16, ofThis, listed)},
		{name: "observers: one that does nothing, AddAll and RemoveAll of a query", ops: 2 * k16, times: 4, unit: nanoseconds, bar: 2.29, ratio: true, make: toldAgainst(k16, ofThis, queried)},
	}
}

func ofThis(w *ecs.World)    { ecs.Observe(w, "nothing", func(*observed) {}) }
func ofAnother(w *ecs.World) { ecs.Observe(w, "nothing", func(*struct{ In ecs.Arrived[weight] }) {}) }
func ofValues(w *ecs.World) {
	ecs.Observe(w, "nothing", func(*struct {
		In ecs.Arrived[ecs.Set[Position]]
	}) {
	})
}

// toldWorld is entities with a position, that get a velocity and lose it.
type toldWorld struct {
	pos *ecs.Pool[Position]
	vel *ecs.Pool[Velocity]
	all *ecs.Query[struct{ Pos []Position }]
	es  []ecs.Entity
}

// toldAgainst is changes in a world with an observer, against those in one without.
func toldAgainst(n int, observe func(*ecs.World), change func(*toldWorld)) func() (ashlar, baseline, floor piece) {
	made := func(observe func(*ecs.World)) (work func()) {
		w := ecs.New(options())
		x := &toldWorld{pos: ecs.Register[Position](w, "position", ecs.Stable), vel: ecs.Register[Velocity](w, "velocity", ecs.Stable)}
		ecs.Register[weight](w, "weight", ecs.Stable)
		dummies(w)
		x.all = ecs.QueryOf[struct{ Pos []Position }](w)
		x.es = make([]ecs.Entity, n)
		check(ecs.SpawnerOf[struct{ Position }](w).SpawnN(x.es, []struct{ Position }{{Position{1, 2}}}))
		if observe != nil {
			observe(w)
		}
		check(w.Err())
		return func() { change(x) }
	}
	return func() (ashlar, baseline, floor piece) {
		ashlar.work, baseline.work = made(observe), made(nil)
		return ashlar, baseline, floor
	}
}

func oneByOne(x *toldWorld) {
	for _, e := range x.es {
		_ = x.vel.Add(e, Velocity{3, 4})
	}
	for _, e := range x.es {
		_ = x.vel.Remove(e)
	}
}

func setOneByOne(x *toldWorld) {
	for _, e := range x.es {
		_ = x.pos.Set(e, Position{3, 4})
	}
}

func listed(x *toldWorld) {
	list := ecs.Handles(x.es)
	must(x.vel.AddAll(list, Velocity{3, 4}))
	must(x.vel.RemoveAll(list))
}

func queried(x *toldWorld) {
	must(x.vel.AddAll(x.all, Velocity{3, 4}))
	must(x.vel.RemoveAll(x.all))
}
