package main

import (
	"iter"
	"time"

	"github.com/ashlar-go/ashlar/ecs"
)

// batchRows are about many entities or rows at a time.
func batchRows() []row {
	return []row{
		{name: "clear, 16k", unit: nanoseconds, bar: 2, series: clearWorld},
		{name: "add + remove in batches through a group, 16k", ops: k16, unit: nanoseconds, bar: 8, make: batchesThroughGroup, allocs: true},
		comesAndGoes("optional", 85, ecs.Volatile),
		comesAndGoes("thin", 120, ecs.Thin),
		getStored("optional", ecs.Volatile),
		getStored("thin", ecs.Thin),
		{name: "query of pointers, 16k rows", ops: k16 * 64, bar: 2, ratio: true, make: pointers},
	}
}

// table is what one writes by hand for entities with one set of components: columns side
// by side, and where the row of each index is.
type table struct {
	records []record
	rows    []slot
	owners  []ecs.Entity
	pos     []Position
	vel     []Velocity
}

type record struct{ version, link uint32 }

// clear makes all versions stale, links the free list and empties the rows' slots.
func (t *table) clear() {
	link := uint32(0)
	for i := range t.records {
		r := &t.records[i]
		r.version++
		r.link, link = link, uint32(i)
	}
	clear(t.rows)
	t.owners, t.pos, t.vel = t.owners[:0], t.pos[:0], t.vel[:0]
}

// give moves rows to another table, in their order: all but the velocities.
func (t *table) give(to *table) {
	first := uint32(len(to.owners))
	to.owners, to.pos = append(to.owners, t.owners...), append(to.pos, t.pos...)
	for i, e := range t.owners {
		to.rows[e.Index()] = slot{e.Version(), first + uint32(i)}
		t.rows[e.Index()] = slot{}
	}
	t.owners, t.pos, t.vel = t.owners[:0], t.pos[:0], t.vel[:0]
}

// clearWorld times Clear alone, of a world that is filled anew each time.
func clearWorld() (ours, rival float64) {
	const times = 200
	s := newSetup()
	g := s.group()
	es := make([]ecs.Entity, k16)
	t := &table{records: make([]record, k16), rows: make([]slot, k16)}
	var took [2]time.Duration
	for range times {
		check(g.SpawnN(es, []body{{Position{1, 2}, Velocity{0.5, 0.25}}}))
		start := time.Now()
		s.w.Clear()
		took[0] += time.Since(start)
		for i := range t.rows {
			t.rows[i] = slot{1, uint32(i)}
		}
		start = time.Now()
		t.clear()
		took[1] += time.Since(start)
	}
	check(s.w.Close())
	each := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / (times * k16) }
	return each(took[0]), each(took[1])
}

// batchesThroughGroup takes a component from all members of a group and gives it back.
func batchesThroughGroup() (ours, rival, limit piece) {
	s := newSetup()
	es := spawn(s.group(), k16)
	all := ecs.AnyQuery(ecs.Handles(es)) // as one value: a slice that becomes an interface is allocated
	ours.work = func() {
		must(s.vel.RemoveAll(all))
		must(s.vel.AddAll(all, Velocity{1, 2}))
	}
	with, without := &table{rows: make([]slot, k16+1)}, &table{rows: make([]slot, k16+1)}
	for i, e := range es {
		with.owners, with.pos, with.vel = append(with.owners, e), append(with.pos, Position{1, 2}), append(with.vel, Velocity{1, 2})
		with.rows[e.Index()] = slot{e.Version(), uint32(i)}
	}
	limit.work = func() {
		with.give(without)
		without.give(with)
		for range with.owners {
			with.vel = append(with.vel, Velocity{1, 2})
		}
	}
	return ours, rival, limit
}

// stored is a world of 16k entities that all have a position and a velocity, the latter
// stored as is said.
func stored(how ecs.Storage) (vel *ecs.Pool[Velocity], order []ecs.Entity) {
	w := must(ecs.New(options()))
	pos := must(ecs.Register[Position](w, "position"))
	vel = must(ecs.Register[Velocity](w, "velocity", how))
	es := make([]ecs.Entity, k16)
	for i := range es {
		es[i] = must(w.Spawn())
		check(pos.Add(es[i], Position{1, 2}))
		check(vel.Add(es[i], Velocity{1, 2}))
	}
	return vel, shuffled(es)
}

// comesAndGoes removes a component and adds it, entity by entity in random order.
func comesAndGoes(name string, bar float64, how ecs.Storage) row {
	return row{name: "add + remove, " + name + ", 16k", ops: k16, bar: bar, allocs: true, make: func() (ours, rival, limit piece) {
		vel, order := stored(how)
		ours.work = func() {
			for _, e := range order {
				check(vel.Remove(e))
				check(vel.Add(e, Velocity{1, 2}))
			}
		}
		return ours, rival, limit
	}}
}

// getStored reads a component in random order, against one that is a column of tables.
func getStored(name string, how ecs.Storage) row {
	const times = 64
	return row{name: "get by entity, random, " + name + " against fixed, 16k", ops: k16 * times, bar: 1.5, ratio: true, make: func() (ours, rival, limit piece) {
		get := func(how ecs.Storage) func() {
			vel, order := stored(how)
			return func() {
				sum := 0.0
				for range times {
					for _, e := range order {
						sum += vel.Get(e).X
					}
				}
				keep(sum)
			}
		}
		ours.work, rival.work = get(how), get(ecs.Stable)
		return ours, rival, limit
	}}
}

// pointers is the loop of moveSystem row by row, against plain slices. The limit is an
// iterator over them that calls the body of the loop for each row, as any must that the
// compiler does not put into the loop.
func pointers() (ours, rival, limit piece) {
	s := newSetup()
	spawn(s.group(), k16)
	q := must(ecs.QueryOf[struct {
		Pos *Position `ashlar:"write"`
		Vel *Velocity
	}](s.w))
	ours.work = func() {
		for range 64 {
			for c := range q.All() {
				c.Pos.X += c.Vel.X
				c.Pos.Y += c.Vel.Y
			}
		}
	}
	flat := &move{make([]Position, k16), make([]Velocity, k16)}
	rival.work = func() {
		for range 64 {
			moveSystem(flat)
		}
	}
	limit.work = func() {
		for range 64 {
			for c := range pointersTo(flat) {
				c.pos.X += c.vel.X
				c.pos.Y += c.vel.Y
			}
		}
	}
	return ours, rival, limit
}

// pointer is a row of move.
type pointer struct {
	pos *Position
	vel *Velocity
}

// pointersTo iterates over the rows of slices.
//
//go:noinline
func pointersTo(m *move) iter.Seq[*pointer] {
	return func(yield func(*pointer) bool) {
		pos, vel, row := m.Pos, m.Vel[:len(m.Pos)], new(pointer)
		for i := range pos {
			row.pos, row.vel = &pos[i], &vel[i]
			if !yield(row) {
				return
			}
		}
	}
}
