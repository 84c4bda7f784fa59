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
				row{name: "add + remove of a tag on a query" + of, ops: n * repeat(n), unit: nanoseconds, bar: 8, make: tagOnQuery(n, how.as)},
				row{name: "add + remove of 16 B on a query" + of, ops: n * repeat(n), unit: nanoseconds, bar: 8, make: bytesOnQuery(n, how.as)})
		}
	}
	return append(list, row{name: "add + remove of a tag on one row in ten, 16k", ops: k16 / 10 * 64, unit: nanoseconds, bar: 100, make: tagOnSome})
}

// positions is n entities with a position, and a query over them.
func positions(n int) (w *ecs.World, q *ecs.Query[struct{ Pos []Position }], es []ecs.Entity) {
	w = must(ecs.New(options()))
	must(ecs.Register[Position](w, "position"))
	s := must(ecs.SpawnerOf[struct{ Position }](w))
	es = make([]ecs.Entity, n)
	check(s.SpawnN(es, []struct{ Position }{{Position{1, 2}}}))
	return w, must(ecs.QueryOf[struct{ Pos []Position }](w)), es
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

func tagOnQuery(n int, how ecs.Storage) func() (ours, rival, limit piece) {
	return func() (ours, rival, limit piece) {
		w, q, es := positions(n)
		tag := must(ecs.Register[far](w, "far", how))
		ours.work = func() {
			for range repeat(n) {
				must(tag.AddAll(q, far{}))
				must(tag.RemoveAll(q))
			}
		}
		with, without := handTables(es)
		limit.work = func() {
			for range repeat(n) {
				without.pass(with)
				with.pass(without)
			}
		}
		return ours, rival, limit
	}
}

func bytesOnQuery(n int, how ecs.Storage) func() (ours, rival, limit piece) {
	return func() (ours, rival, limit piece) {
		w, q, es := positions(n)
		vel := must(ecs.Register[Velocity](w, "velocity", how))
		ours.work = func() {
			for range repeat(n) {
				must(vel.AddAll(q, Velocity{1, 2}))
				must(vel.RemoveAll(q))
			}
		}
		with, without := handTables(es)
		limit.work = func() {
			for range repeat(n) {
				without.pass(with)
				for range with.owners {
					with.vel = append(with.vel, Velocity{1, 2})
				}
				with.pass(without)
			}
		}
		return ours, rival, limit
	}
}

// tagOnSome adds a tag to the entities that have a velocity, which are one in ten and lie
// between the others, and removes it: the rest of the table closes up each time.
func tagOnSome() (ours, rival, limit piece) {
	w, _, es := positions(k16)
	vel := must(ecs.Register[Velocity](w, "velocity", ecs.Volatile))
	for i := 0; i < len(es); i += 10 {
		check(vel.Add(es[i], Velocity{1, 2}))
	}
	tag := must(ecs.Register[far](w, "far"))
	q := must(ecs.QueryOf[struct{ Vel []Velocity }](w))
	ours.work = func() {
		for range 64 {
			must(tag.AddAll(q, far{}))
			must(tag.RemoveAll(q))
		}
	}
	return ours, rival, limit
}
