package main

import (
	"context"
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

// far is a tag that the policy takes for what comes and goes.
type far struct{}

// filterRows are a system over 20,000 rows of a group that passes over those with a tag: of
// nobody, of one in ten, scattered, and of six in ten; with ecs.Rows and without. Where
// nobody has the tag the rival is the same system without a test. With ecs.Rows the limit is the same
// loop by hand, over slices as long as a chunk and lists of rows that are made beforehand.
func filterRows() (rows []row) {
	for _, tenths := range []int{0, 1, 6} {
		for _, inRows := range []bool{false, true} {
			r := row{ops: 100 * filtered, unit: nanoseconds, allocs: true}
			r.name = fmt.Sprintf("Without a tag that %d in 10 have, 20,000 rows", tenths)
			r.bar = map[int]float64{0: 1.05, 1: 4, 6: 5}[tenths]
			if inRows {
				r.name += ", ecs.Rows"
				r.bar = map[int]float64{0: 1.05, 1: 2, 6: 2.5}[tenths]
			}
			r.ratio = tenths == 0
			r.make = func() (ours, rival, limit piece) {
				ours, rival = filter(tenths, true, inRows), filter(tenths, false, false)
				if inRows {
					limit.work = listed(tenths)
				}
				return ours, rival, limit
			}
			rows = append(rows, r)
		}
	}
	return rows
}

const filtered = 20_000

// filter is frames of the system, with a test or without.
func filter(tenths int, tested, inRows bool) (p piece) {
	s := newSetup()
	tag := must(ecs.Register[far](s.w, "far", ecs.Volatile))
	es := make([]ecs.Entity, filtered)
	check(s.group().SpawnN(es, []body{{Velocity: Velocity{1, 2}}}))
	for i, e := range es {
		if has(i, tenths) {
			check(tag.Add(e, far{}))
		}
	}
	switch {
	case !tested:
		check(ecs.System(s.w, "move", moveSystem))
	case inRows:
		check(ecs.System(s.w, "move", moveInPlace))
	default:
		check(ecs.System(s.w, "move", func(c *struct {
			Pos []Position `ashlar:"write"`
			Vel []Velocity
			_   ecs.Without[far]
		}) {
			pos, vel := c.Pos, c.Vel[:len(c.Pos)]
			for i := range pos {
				pos[i].X += vel[i].X
				pos[i].Y += vel[i].Y
			}
		}))
	}
	ctx := context.Background()
	p.work = func() {
		for range 100 {
			check(s.w.Run(ctx))
		}
	}
	return p
}

// inPlace is what a system with ecs.Rows is passed.
type inPlace struct {
	Pos  []Position `ashlar:"write"`
	Vel  []Velocity
	Rows ecs.Rows
	_    ecs.Without[far]
}

func moveInPlace(c *inPlace) {
	pos, vel := c.Pos, c.Vel[:len(c.Pos)]
	for _, i := range c.Rows {
		pos[i].X += vel[i].X
		pos[i].Y += vel[i].Y
	}
}

// listed is the system by hand: over plain slices, and lists of the rows without the tag.
func listed(tenths int) func() {
	var chunks []inPlace
	for from := 0; from < filtered; from += 1632 {
		n := min(1632, filtered-from)
		c := inPlace{Pos: make([]Position, n), Vel: make([]Velocity, n)}
		for i := range n {
			if c.Vel[i] = (Velocity{1, 2}); !has(from+i, tenths) {
				c.Rows = append(c.Rows, uint16(i))
			}
		}
		chunks = append(chunks, c)
	}
	call := moveInPlace
	return func() {
		for range 100 {
			for i := range chunks {
				call(&chunks[i])
			}
		}
	}
}

// push is what some rows have besides: it comes and goes.
type push struct{ X, Y float64 }

// presenceRows are a system over 20,000 rows of which none, one in ten and six in ten have an
// optional component, scattered. The rival is the same with a column of bools.
func presenceRows() (rows []row) {
	for _, tenths := range []int{0, 1, 6} {
		r := row{ops: 100 * filtered, unit: nanoseconds, allocs: true, bar: 2.5}
		r.name = fmt.Sprintf("optional and ecs.Presence, %d in 10 have it, 20,000 rows", tenths)
		r.make = func() (ours, rival, limit piece) { return presence(tenths), presenceBool(tenths), limit }
		rows = append(rows, r)
	}
	return rows
}

// has tells whether the i-th of the rows has what so many in 10 have.
func has(i, tenths int) bool { return i*7919%10 < tenths }

func presence(tenths int) (p piece) {
	s := newSetup()
	pushes := must(ecs.Register[push](s.w, "push", ecs.Volatile))
	bodies := must(ecs.SpawnerOf[body](s.w))
	es := make([]ecs.Entity, filtered)
	check(bodies.SpawnN(es, []body{{Velocity: Velocity{1, 2}}}))
	for _, e := range es { // the tables have a column of it
		check(pushes.Add(e, push{}))
	}
	for i, e := range es {
		if !has(i, tenths) {
			check(pushes.Remove(e))
		}
	}
	check(ecs.System(s.w, "move", func(c *struct {
		Pos  []Position `ashlar:"write"`
		Vel  []Velocity
		Push []push       `ashlar:"optional"`
		Has  ecs.Presence `ashlar:"push"`
	}) {
		pos, vel, push := c.Pos, c.Vel[:len(c.Pos)], c.Push[:len(c.Pos)]
		for i := range pos {
			pos[i].X += vel[i].X
			pos[i].Y += vel[i].Y
			if c.Has.Has(i) {
				pos[i].X += push[i].X
				pos[i].Y += push[i].Y
			}
		}
	}))
	ctx := context.Background()
	p.work = func() {
		for range 100 {
			check(s.w.Run(ctx))
		}
	}
	return p
}

func presenceBool(tenths int) (p piece) {
	pos, vel, pushes, flags := make([]Position, filtered), make([]Velocity, filtered), make([]push, filtered), make([]bool, filtered)
	for i := range pos {
		vel[i], flags[i] = Velocity{1, 2}, has(i, tenths)
	}
	p.work = func() {
		for range 100 {
			vel, pushes, flags := vel[:len(pos)], pushes[:len(pos)], flags[:len(pos)]
			for i := range pos {
				pos[i].X += vel[i].X
				pos[i].Y += vel[i].Y
				if flags[i] {
					pos[i].X += pushes[i].X
					pos[i].Y += pushes[i].Y
				}
			}
		}
	}
	return p
}
