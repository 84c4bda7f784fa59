package main

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

// massRows are about changes of all that a query matches: the pair of adding and removing,
// an entity.
func massRows() (list []row) {
	for _, n := range []int{k16, m1} {
		for _, how := range []struct {
			name string
			as   ecs.Storage
		}{{"", ecs.Counted}, {", optional", ecs.Volatile}} {
			of := fmt.Sprintf("%s, %d entities", how.name, n)
			list = append(list,
				row{name: "add + remove of a tag on a query" + of, ops: n, times: repeat(n), unit: nanoseconds, bar: 8, make: onQuery(n, how.as, far{}, false)},
				row{name: "add + remove of 16 B on a query" + of, ops: n, times: repeat(n), unit: nanoseconds, bar: 8, make: onQuery(n, how.as, Velocity{1, 2}, true)})
		}
	}
	return list
}

// positions is n entities with a position, and a query over them.
func positions(n int) (w *ecs.World, q *ecs.Query[struct{ Pos []Position }], es []ecs.Entity) {
	w = ecs.New(options())
	ecs.Register[Position](w, "position")
	s := ecs.SpawnerOf[struct{ Position }](w)
	es = make([]ecs.Entity, n)
	check(s.SpawnN(es, []struct{ Position }{{Position{1, 2}}}))
	return w, ecs.QueryOf[struct{ Pos []Position }](w), es
}

// table is written as one would by hand for entities with one set of components: columns side
// by side, and where the row of each index is.
type table struct {
	rows   []slot
	owners []ecs.Entity
	pos    []Position
	vel    []Velocity
}

// handTables are tables of entities with and without something, as one writes them by hand:
// where the row of each index is lies in one array for both.
func handTables(es []ecs.Entity) (with, without *table) {
	rows := make([]slot, len(es)+1)
	with, without = &table{rows: rows}, &table{rows: rows}
	for i, e := range es {
		without.owners, without.pos = append(without.owners, e), append(without.pos, Position{1, 2})
		rows[e.Index()] = slot{e.Version(), uint32(i)}
	}
	return with, without
}

// pass moves all rows to another table, in their order: all but the velocities.
func (t *table) pass(to *table) {
	first := uint32(len(to.owners))
	to.owners, to.pos = append(to.owners, t.owners...), append(to.pos, t.pos...)
	for i, e := range t.owners {
		to.rows[e.Index()] = slot{e.Version(), first + uint32(i)}
	}
	t.owners, t.pos, t.vel = t.owners[:0], t.pos[:0], t.vel[:0]
}

// onQuery adds a component to all that the query matches, and removes it again. By hand, rows pass
// from one table to another, where a component of 16 bytes (wide) gets a value.
func onQuery[T any](n int, how ecs.Storage, value T, wide bool) func() (ashlar, baseline, floor piece) {
	return func() (ashlar, baseline, floor piece) {
		w, q, es := positions(n)
		pool := ecs.Register[T](w, "pool", how)
		ashlar.work = func() {
			must(pool.AddAll(q, value))
			must(pool.RemoveAll(q))
		}
		with, without := handTables(es)
		floor.work = func() {
			without.pass(with)
			if wide {
				for range with.owners {
					with.vel = append(with.vel, Velocity{1, 2})
				}
			}
			with.pass(without)
		}
		return ashlar, baseline, floor
	}
}
