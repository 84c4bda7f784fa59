package ecs

import (
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/ecs/internal/legs"
	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
)

// Schedule says which systems of a frame may run at the same time, which wait for which and why, where safe points stand
// and why, and which chain of systems takes longest. It is a copy: it refers to nothing of the world.
type Schedule struct{ phases []legs.Phase }

// Schedule returns the schedule of the systems as they are registered now. It follows from their structs and options
// alone. With Options.Record it has the usual time of each system, if all have run. It is empty if
// systems can't be put in order: Run says why.
func (w *World) Schedule() (s Schedule) {
	w.made("Schedule")
	for _, p := range []Phase{Startup, Fixed, EachFrame, Render} {
		order := w.systems.Order(schedule.Phase(p))
		if len(order) == 0 {
			continue
		}
		x := legs.Phase{Name: p.String(), Systems: w.systems.Declared(order), Times: make([]time.Duration, len(order))}
		for i := range x.Systems {
			d := &x.Systems[i]
			d.Reads, d.Writes = slices.Clone(d.Reads), slices.Clone(d.Writes)
			d.Parallel = d.Parallel && p != Startup // which runs one by one
			if w.rec != nil {
				x.Times[i] = w.rec.Usual(order[i])
			}
		}
		x.Legs = legs.Plan(x.Systems)
		s.phases = append(s.phases, x)
	}
	return s
}

// String is lines: phases, safe points, systems, the ones that they wait for, and the critical path.
func (s Schedule) String() string { return legs.Text(s.phases) }

// DOT is the schedule as a graph for Graphviz, with the critical path in bold.
func (s Schedule) DOT() string { return legs.DOT(s.phases) }
