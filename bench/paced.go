package main

import (
	"fmt"
	"time"

	"github.com/ashlar-go/ashlar/ecs"
)

// pacedFrames is how many frames of a 60th of a second are one measurement.
const pacedFrames = 30

// pacedRow is the processor time of a process that runs 60 frames a second, and sleeps in between: with all workers
// against one. A frame is four systems that do not conflict, over n rows each.
func pacedRow(work string, n int, bar float64) row {
	name := fmt.Sprintf("parallel: processor time at 60 frames a second of %s, all workers against 1", work)
	return row{name: name, ops: pacedFrames, unit: processNanoseconds, bar: bar, ratio: true, make: func() (ashlar, baseline, floor piece) {
		paced := func(workers int) func() {
			one := frame(fourSystems(workers, n))
			return func() {
				next := time.Now()
				for range pacedFrames {
					one()
					next = next.Add(time.Second / 60)
					time.Sleep(time.Until(next))
				}
			}
		}
		ashlar.work, baseline.work = paced(0), paced(1)
		return ashlar, baseline, floor
	}}
}

// fourSystems compute some 100 ns for each of their n rows.
func fourSystems(workers, n int) *ecs.World {
	h := newHerds(workers, n, n, n, n)
	for i, g := range h.list {
		h.system(fmt.Sprint("system", i), 20, g)
	}
	check(h.w.Err())
	settle(h.w)
	return h.w
}
