package main

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

// far is a tag that the policy takes for a component that comes and goes.
type far struct{}

// filterRows are a system over 20,000 rows of a group that passes over rows with a tag: of
// nobody, of one in ten, scattered, and of six in ten; with ecs.Rows and without. Where
// nobody has the tag, the system without a test is the baseline.
func filterRows() (rows []row) {
	for _, tenths := range []int{0, 1, 6} {
		for _, inRows := range []bool{false, true} {
			r := row{ops: filtered, times: 100, unit: nanoseconds, allocs: true}
			r.name = fmt.Sprintf("Without a tag that %d in 10 have, 20,000 rows", tenths)
			r.bar = map[int]float64{0: 1.05, 1: 4, 6: 5}[tenths]
			if inRows {
				r.name += ", ecs.Rows"
				r.bar = map[int]float64{0: 1.05, 1: 2, 6: 2.5}[tenths]
			}
			r.ratio = tenths == 0
			r.make = func() (ashlar, baseline, floor piece) {
				return filter(tenths, true, inRows), filter(tenths, false, false), floor
			}
			rows = append(rows, r)
		}
	}
	return rows
}

const filtered = 20_000

// filter is frames of the system, with a test or without.
func filter(tenths int, tested, inRows bool) piece {
	s := newSetup()
	tag := ecs.Register[far](s.w, "far", ecs.Volatile)
	es := make([]ecs.Entity, filtered)
	check(s.group().SpawnN(es, []body{{Velocity: Velocity{1, 2}}}))
	for i, e := range es {
		if has(i, tenths) {
			check(tag.Add(e, far{}))
		}
	}
	switch {
	case !tested:
		ecs.System(s.w, "move", moveSystem)
	case inRows:
		ecs.System(s.w, "move", moveInPlace)
	default:
		ecs.System(s.w, "move", func(c *struct {
			Pos ecs.Write[Position]
			Vel []Velocity
			_   ecs.Without[far]
		}) {
			pos, vel := c.Pos, c.Vel[:len(c.Pos)]
			for i := range pos {
				pos[i].X += vel[i].X
				pos[i].Y += vel[i].Y
			}
		})
	}
	return piece{work: frame(s.w)}
}

// inPlace is the struct of a system with ecs.Rows.
type inPlace struct {
	Pos  ecs.Write[Position]
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

// has tells whether the i-th of the rows has the tag of so many in 10.
func has(i, tenths int) bool { return i*7919%10 < tenths }
