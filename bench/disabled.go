package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/ashlar-go/ashlar/ecs"
)

// disabledRows are a system over rows with some disabled, as entities or by a component,
// beside the same where nothing was ever disabled. The floor is a loop over plain slices that
// leaves out the same. Rows with half disabled at random, and with one disabled, have
// wide bars: they are there to be printed.
func disabledRows() (rows []row) {
	for _, x := range []struct {
		name   string
		bar    float64
		n      int
		entity bool
		off    func(i int) bool
	}{
		{"none any more", 1.02, k262, false, func(int) bool { return false }},
		{"one", 2, k262, false, func(i int) bool { return i == k262/2 }},
		{"half in runs of 64", 0.6, k16, false, func(i int) bool { return i/64%2 == 0 }},
		{"half in runs of 64", 0.6, k262, false, func(i int) bool { return i/64%2 == 0 }},
		{"half of the entities in runs of 64", 0.6, k262, true, func(i int) bool { return i/64%2 == 0 }},
		{"half of the chunks", 0.6, k262, true, func(i int) bool { return i < k262/2 }},
		{"half at random", 6, k262, false, func(int) bool { return rand.N(2) == 0 }},
	} {
		rows = append(rows, row{name: fmt.Sprintf("disabled: %s, %d rows", x.name, x.n), ops: x.n, times: repeat(x.n), unit: nanoseconds, bar: x.bar, ratio: true, allocs: true,
			make: func() (ashlar, baseline, floor piece) {
				ashlar, baseline = disabled(x.n, x.entity, x.off), disabled(x.n, false, nil)
				if x.bar <= 1 {
					floor = stretches(x.n, x.off)
				}
				return ashlar, baseline, floor
			}})
	}
	return rows
}

// stretches is the same loop over the stretches of plain slices that are not off.
func stretches(n int, off func(i int) bool) (p piece) {
	pos, vel := make([]Position, n), make([]Velocity, n)
	var list [][2]int
	for i := range n {
		switch last := len(list) - 1; {
		case off(i):
		case i > 0 && !off(i-1):
			list[last][1] = i + 1
		default:
			list = append(list, [2]int{i, i + 1})
		}
	}
	p.work = func() {
		var m move
		for _, x := range list {
			m.Pos, m.Vel = pos[x[0]:x[1]], vel[x[0]:x[1]]
			moveSystem(&m)
		}
	}
	return p
}

// disabled is frames of the system; with nil nothing is disabled.
func disabled(n int, entity bool, off func(i int) bool) piece {
	s := newSetup()
	es := spawn(s.group(), n)
	if off != nil {
		check(s.pos.SetEnabled(es[0], false))
		check(s.pos.SetEnabled(es[0], true))
		for i, e := range es {
			switch {
			case !off(i):
			case entity:
				check(s.w.SetEnabled(e, false))
			default:
				check(s.pos.SetEnabled(e, false))
			}
		}
	}
	ecs.System(s.w, "move", moveSystem)
	return piece{work: frame(s.w)}
}
