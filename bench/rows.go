package main

import (
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/ecs"
)

const (
	k16  = 16 << 10
	k262 = 256 << 10
	m1   = 1 << 20
)

// rows is the table, in the order in which it is printed.
func rows() []row {
	var all []row
	for _, s := range []struct {
		n   int
		bar float64
	}{{1 << 10, 1.1}, {4 << 10, 1.1}, {k16, 1.03}, {64 << 10, 1.03}, {k262, 1.03}, {m1, 1.03}, {4 * m1, 0.9}} {
		all = append(all, sweepRow(s.n, s.bar))
	}
	return slices.Concat(all, handleRows(), contractRows(), dieRows(), batchRows(), viewRows(), filterRows(), acrossRows(), disabledRows(), sortRows(), parallelRows(), observerRows(), splitRows(), togetherRows())
}

// repeat is how often work over n rows is done in one measurement.
func repeat(n int) int { return max(4, (1<<20)/n) }

// keep makes the compiler believe that a result is needed.
//
//go:noinline
func keep(float64) {}

// sweepRow is the README's system over one table, against the same loop over two flat slices.
func sweepRow(n int, bar float64) row {
	return row{name: fmt.Sprintf("sweep of two 16 B columns, %d rows", n), ops: n, times: repeat(n), bar: bar, ratio: true, make: func() (ashlar, baseline, floor piece) {
		s := newSetup()
		spawn(s.group(), n)
		ecs.System(s.w, "move", moveSystem)
		settle(s.w)
		ashlar.work = frame(s.w)
		flat := &move{make([]Position, n), make([]Velocity, n)}
		for i := range flat.Pos {
			flat.Pos[i], flat.Vel[i] = Position{1, 2}, Velocity{0.5, 0.25}
		}
		call := moveSystem
		baseline.work = func() { call(flat) }
		return ashlar, baseline, floor
	}}
}
