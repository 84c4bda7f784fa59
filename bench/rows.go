package main

import (
	"fmt"
	"runtime/debug"
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
	all = append(all,
		row{name: "sweep of six 16 B columns, 262144 rows", ops: k262, times: 4, bar: 1.05, ratio: true, make: sixColumns},
		row{name: "spawn 1M into a fresh world", ops: m1, bar: 0.8, ratio: true, make: spawnFresh},
		row{name: "query of pointers, 16k rows", ops: k16, times: 64, bar: 2, ratio: true, make: pointers},
		row{name: "frame of 1,000 systems paused, a system", ops: 1000, times: 100, unit: nanoseconds, bar: 10, make: pausedSystems(ecs.InSet("paused")), allocs: true},
		row{name: "frame of 1,000 systems that When stops, a system", ops: 1000, times: 100, unit: nanoseconds, bar: 10, make: pausedSystems(ecs.When(func() bool { return false })), allocs: true},
	)
	return slices.Concat(all, wayRows(), handleRows(), contractRows(), massRows(), dieRows(), batchRows(), viewRows(), filterRows(), acrossRows(), changedRows(), disabledRows(), sortRows(), parallelRows(), observerRows(), splitRows(), togetherRows())
}

// repeat is how often work over n rows is done in one measurement.
func repeat(n int) int { return max(4, (1<<20)/n) }

// keep makes the compiler believe that a result is needed.
//
//go:noinline
func keep(float64) {}

func spawnFresh() (ashlar, baseline, floor piece) {
	var s *setup
	var g *ecs.Group[body]
	ashlar.prepare = func() {
		s = newSetup()
		g = s.group()
	}
	ashlar.work = func() {
		for range m1 {
			must(g.Spawn(body{Position{1, 2}, Velocity{3, 4}}))
		}
	}
	ashlar.done = func() { check(s.w.Close()) }
	var pos []Position
	var vel []Velocity
	baseline.prepare = func() { // a fresh process has no heap to reuse
		pos, vel = nil, nil
		debug.FreeOSMemory()
	}
	baseline.work = func() {
		for range m1 {
			pos = double(pos, Position{1, 2})
			vel = double(vel, Velocity{3, 4})
		}
	}
	baseline.done = func() { pos, vel = nil, nil }
	return ashlar, baseline, floor
}

// double appends to a slice that doubles.
func double[T any](s []T, v T) []T {
	if len(s) == cap(s) {
		s = append(make([]T, 0, max(2*len(s), 64)), s...)
	}
	return append(s, v)
}

// pausedSystems is frames of systems that an option keeps from running, or its set.
func pausedSystems(o ecs.SystemOption) func() (ashlar, baseline, floor piece) {
	return func() (ashlar, baseline, floor piece) {
		s := newSetup()
		spawn(s.group(), 16)
		for i := range 1000 {
			ecs.System(s.w, fmt.Sprint("system", i), moveSystem, o)
		}
		_ = s.w.Pause("paused") // an error where no system is of the set
		ashlar.work = frame(s.w)
		return ashlar, baseline, floor
	}
}

// pointers is the loop of moveSystem row by row, against plain slices.
func pointers() (ashlar, baseline, floor piece) {
	s := newSetup()
	spawn(s.group(), k16)
	q := ecs.QueryOf[struct {
		Pos ecs.WriteOne[Position]
		Vel *Velocity
	}](s.w)
	ashlar.work = func() {
		for c := range q.All() {
			c.Pos.X += c.Vel.X
			c.Pos.Y += c.Vel.Y
		}
	}
	flat := &move{make([]Position, k16), make([]Velocity, k16)}
	baseline.work = func() { moveSystem(flat) }
	return ashlar, baseline, floor
}
