package main

import (
	"fmt"

	"github.com/ashlar-go/ashlar/bench/internal/counters"
	"github.com/ashlar-go/ashlar/bench/internal/epidemic"
	"github.com/ashlar-go/ashlar/ecs"
)

// parallelFrames is how many frames are one measurement: a worker is called in each.
const parallelFrames = 8

// parallelRows are systems that two workers run, against one worker or against goroutines over plain slices.
func parallelRows() []row {
	const few = 1000
	all := []row{
		{name: "parallel: compute of 262144 rows, 2 workers against 1", ops: parallelFrames * k262, unit: nanoseconds, bar: 1 / 1.9, ratio: true, make: workersAgainst(k262, 1, heavySystem)},
		parallelSweep(m1),
		parallelSweep(4 * m1),
		{name: "parallel: two systems of 2 ms that do not conflict, 2 workers against 1", ops: parallelFrames * 2, unit: nanoseconds, bar: 1 / 1.85, ratio: true, make: apartAgainst(twoSystems)},
		{name: "parallel: 300 systems of mixed size, 2 workers against 1", ops: parallelFrames * 300, unit: nanoseconds, bar: 1 / 1.8, ratio: true, make: apartAgainst(mixedSystems)},
		{name: "parallel: 30 systems of 1,000 rows that do not conflict, 2 workers against 1", ops: parallelFrames * 30 * few, unit: nanoseconds, times: 20, bar: 1.05, ratio: true, make: apartAgainst(fewSystems)},
		{name: "parallel: 30 systems of 1,000 rows, 2 workers against 1", ops: parallelFrames * 30 * few, unit: nanoseconds, times: 20, bar: 1.05, ratio: true, make: workersAgainst(few, 30, moveSystem)},
		parallelEpidemic(10_000_000),
		priorOrCopy(512, 1),
		priorOrCopy(512, 2),
		pacedRow("0.2 ms", 700, 1.2),
		{name: "parallel: frames of 0.2 ms that follow at once, 2 workers against 1", ops: parallelFrames, unit: nanoseconds, times: 20, bar: 0.65, ratio: true, make: apartAgainst(func(workers int) *ecs.World { return fourSystems(workers, 700) })},
		pacedRow("5 ms", 17_500, 1.3),
	}
	for i := range all {
		all[i].cores = 2
	}
	return all
}

// heavySystem computes some 100 ns a row.
func heavySystem(c *move) {
	pos, vel := c.Pos, c.Vel
	for i := range pos {
		x := pos[i].X
		for range 20 {
			x = x*0.999 + vel[i].X/(1+x*x)
		}
		pos[i].X = x
	}
}

// crewOf is frames of systems that go over n rows, on some workers.
func crewOf(workers, n, systems int, fn func(*move)) (work func()) {
	o := options()
	o.Workers = workers
	w := ecs.New(o)
	ecs.Register[Position](w, "position")
	ecs.Register[Velocity](w, "velocity")
	check(ecs.SpawnerOf[body](w).SpawnN(make([]ecs.Entity, n), []body{{Position{1, 2}, Velocity{3, 4}}}))
	for i := range systems {
		ecs.System(w, fmt.Sprint("system", i), fn, ecs.Parallel())
	}
	settle(w)
	return repeated(frame(w))
}

// repeated is the frames of one measurement.
func repeated(frame func()) func() {
	return func() {
		for range parallelFrames {
			frame()
		}
	}
}

// workersAgainst is systems with two workers against the same with one.
func workersAgainst(n, systems int, fn func(*move)) func() (ashlar, baseline, floor piece) {
	return func() (ashlar, baseline, floor piece) {
		ashlar.work = crewOf(2, n, systems, fn)
		baseline.work = crewOf(1, n, systems, fn)
		return ashlar, baseline, floor
	}
}

// parallelSweep is a sweep that two workers share, against two goroutines that go over halves of plain slices, each on a
// processor of its own. They wait for each other at the end of all frames alone.
func parallelSweep(n int) row {
	return row{name: fmt.Sprintf("parallel: sweep of %d rows, 2 workers against 2 pinned goroutines over slices", n), ops: parallelFrames * n, times: 16 * m1 / n, unit: nanoseconds, bar: 1.1, ratio: true, make: func() (ashlar, baseline, floor piece) {
		ashlar.work = crewOf(2, n, 1, moveSystem)
		pos, vel := make([]Position, n), make([]Velocity, n)
		baseline.work, baseline.close = pinned(move{pos[:n/2], vel[:n/2]}, move{pos[n/2:], vel[n/2:]})
		return ashlar, baseline, floor
	}}
}

// pinned is frames over parts of slices, each by a thread that stays on a processor until it is closed.
func pinned(parts ...move) (work func(), end func() error) {
	begin, done := make([]chan bool, len(parts)), make(chan bool, len(parts))
	for i := range parts {
		begin[i] = make(chan bool, 1)
		counters.Pinned(i, func() {
			for range begin[i] {
				for range parallelFrames {
					moveSystem(&parts[i])
				}
				done <- true
			}
		})
	}
	work = func() {
		for _, c := range begin {
			c <- true
		}
		for range parts {
			<-done
		}
	}
	end = func() error {
		for _, c := range begin {
			close(c)
		}
		return nil
	}
	return work, end
}

// parallelEpidemic is whole days of an epidemic, where two workers or two goroutines share all but the counting of the
// infected by cell.
func parallelEpidemic(agents int) row {
	return row{name: fmt.Sprintf("parallel: epidemic of %d agents, 2 workers against 2 goroutines over slices", agents), ops: agents, unit: nanoseconds, bar: 1.05, ratio: true, make: func() (ashlar, baseline, floor piece) {
		days := epidemic.OpenShared(agents, 2)
		ashlar.work, ashlar.close = days.Frame, days.Close
		baseline.work = epidemic.OpenHalves(agents).Frame
		return ashlar, baseline, floor
	}}
}
