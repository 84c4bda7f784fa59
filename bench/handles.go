package main

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

// Access by handle, in random order. The calls that do more than a Get are divided by Gets. Mut is
// only read through, so that the calls differ and not the traffic of memory. The floor is a sparse set
// of plain slices.

type both struct {
	Pos *Position
	Vel *Velocity
}

// reached is bodies with a velocity stored as stated, and the same velocities by hand.
type reached struct {
	pos   *ecs.Pool[Position]
	vel   *ecs.Pool[Velocity]
	both  *ecs.Query[both]
	order []ecs.Entity
	hand  sparse[Velocity]
}

func newReached(how ecs.Storage, n int) *reached {
	w := ecs.New(options())
	x := &reached{pos: ecs.Register[Position](w, "position", ecs.Stable), vel: ecs.Register[Velocity](w, "velocity", how)}
	dummies(w)
	es := make([]ecs.Entity, n)
	check(ecs.SpawnerOf[body](w).SpawnN(es, []body{{Position{1, 2}, Velocity{3, 4}}}))
	for _, e := range es {
		x.hand.add(e, Velocity{3, 4})
	}
	x.both, x.order = ecs.QueryOf[both](w), shuffled(es)
	return x
}

func (x *reached) get() {
	sum, vel := 0.0, x.vel
	for _, e := range x.order {
		if v := vel.Get(e); v != nil {
			sum += v.X
		}
	}
	keep(sum)
}

func (x *reached) getByHand() {
	sum, vel := 0.0, &x.hand
	for _, e := range x.order {
		if v := vel.get(e); v != nil {
			sum += v.X
		}
	}
	keep(sum)
}

func (x *reached) mut() {
	sum, vel := 0.0, x.vel
	for _, e := range x.order {
		if v := vel.Mut(e); v != nil {
			sum += v.X
		}
	}
	keep(sum)
}

func (x *reached) has() {
	n, vel := 0, x.vel
	for _, e := range x.order {
		if vel.Has(e) {
			n++
		}
	}
	keep(float64(n))
}

func (x *reached) two() {
	sum, pos, vel := 0.0, x.pos, x.vel
	for _, e := range x.order {
		if p, v := pos.Get(e), vel.Get(e); p != nil && v != nil {
			sum += p.X + v.X
		}
	}
	keep(sum)
}

func (x *reached) query() {
	sum, q := 0.0, x.both
	for _, e := range x.order {
		if b, ok := q.Get(e); ok {
			sum += b.Pos.X + b.Vel.X
		}
	}
	keep(sum)
}

// handleRows are the calls for each way of storing and size.
func handleRows() (all []row) {
	type call = func(*reached)
	for _, how := range []ecs.Storage{ecs.Stable, ecs.Volatile, ecs.Thin} {
		name := map[ecs.Storage]string{ecs.Stable: "fixed", ecs.Volatile: "optional", ecs.Thin: "thin"}[how]
		for _, n := range []int{1 << 10, k16, k262, m1} {
			two := 1.3
			if n >= k262 {
				two = 0.8
			}
			add := func(what string, bar float64, ashlar, baseline, floor call) {
				all = append(all, row{name: fmt.Sprintf("by handle, %s, %s, %d", what, name, n), ops: n, times: repeat(n), unit: nanoseconds, bar: bar, ratio: true, allocs: true,
					make: func() (o, r, l piece) {
						x := newReached(how, n)
						o.work, r.work = func() { ashlar(x) }, func() { baseline(x) }
						if floor != nil {
							l.work = func() { floor(x) }
						}
						return o, r, l
					}})
			}
			add("Get against slices", 1.5, (*reached).get, (*reached).getByHand, nil)
			add("Has against Get", 1.1, (*reached).has, (*reached).get, (*reached).getByHand)
			add("Mut against Get", 1.3, (*reached).mut, (*reached).get, (*reached).getByHand)
			add("Query.Get of two against Gets", two, (*reached).query, (*reached).two, nil)
		}
	}
	return all
}
