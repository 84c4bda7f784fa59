package main

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/ashlar-go/ashlar/bench/internal/counters"
	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// Regret is the price of choices that are made by a rule: it goes through phases
// with a workload drawn at random, with a world that chooses (auto) and, side by side, one
// for each fixed choice. The oracle has the better of these in each phase. The memory of views is
// counted at the end of each phase, without the places on the Go heap.

// The worlds of regret: one chooses, in the others a choice is fixed.
const (
	wayAuto = iota
	wayStream
	wayKeep
	ways
)

const (
	phaseCount  = 20
	phaseFrames = 500
	turnFrames  = 10 // of one world, before the next one's turn
)

// phase is a workload.
type phase struct {
	rows    int
	systems int   // that read the shared component
	order   order // of the readers' rows
	changed int   // of ten chunks of the owner, in each frame
	births  int   // entities that die in each frame, and as many are born
}

func (p phase) String() string {
	return fmt.Sprintf("%d | %d | %v | %d %% | %d", p.rows, p.systems, p.order, 10*p.changed, p.births)
}

// drawPhases draws n of them.
func drawPhases(seed uint64, n int) (list []phase) {
	r := rand.New(rand.NewPCG(seed, 1))
	for range n {
		p := phase{rows: 4096 << r.IntN(5), systems: 1 + r.IntN(5), order: order(r.IntN(3)), changed: []int{0, 0, 1, 2, 5, 10}[r.IntN(6)]}
		if r.IntN(3) == 0 {
			p.births = p.rows / 500
		}
		list = append(list, p)
	}
	return list
}

// lifetime is a world that goes through phases. All that do have the same entities in the
// same order.
type lifetime struct {
	w      *ecs.World
	shapes *ecs.Group[struct{ S Shape }]
	meshes *ecs.Group[struct{ M Mesh }]
	mesh   *ecs.Pool[Mesh]
	es     []ecs.Entity
	key    []uint32 // by index of the entity, the sort key of the readers' rows
	rand   *rand.Rand
	phase  phase
}

const lifetimeSystems = 5

// viewModes are the worlds of regret, by way.
var viewModes = [ways]ecs.Views{wayAuto: {}, wayStream: {Off: true}, wayKeep: {Always: true}}

func newLifetime(v ecs.Views) *lifetime {
	o := options()
	o.Views = v
	w := ecs.New(o)
	l := &lifetime{w: w, rand: rand.New(rand.NewPCG(5, 6))}
	shape := ecs.Register[Shape](w, "shape")
	l.shapes = ecs.GroupOf[struct{ S Shape }](w, "shapes", shape)
	l.shapes.SortAs(nil, 0)
	l.mesh = ecs.Register[Mesh](w, "mesh.0")
	l.meshes = ecs.GroupOf[struct{ M Mesh }](w, "meshes", l.mesh)
	l.meshes.SortAs(nil, 0)
	for i := range lifetimeSystems {
		drawShapes(w, fmt.Sprintf("draw.%d", i))
	}
	return l
}

// birth makes an entity that has both.
func (l *lifetime) birth() {
	e := twin.Must(l.shapes.Spawn(struct{ S Shape }{Shape{At: vec4{1, 2, 3, 4}}}))
	twin.Check(l.mesh.Add(e, Mesh{1, 2}))
	l.es = append(l.es, e)
}

// death ends one at random.
func (l *lifetime) death() {
	i, last := l.rand.IntN(len(l.es)), len(l.es)-1
	twin.Check(l.w.Destroy(l.es[i]))
	l.es[i] = l.es[last]
	l.es = l.es[:last]
}

// enter makes the world that of a phase.
func (l *lifetime) enter(p phase) {
	l.phase = p
	for len(l.es) < p.rows {
		l.birth()
	}
	for len(l.es) > p.rows {
		l.death()
	}
	for i := range lifetimeSystems {
		name := fmt.Sprintf("draw.%d", i)
		if i < p.systems {
			twin.Check(l.w.Resume(name))
		} else {
			twin.Check(l.w.Pause(name))
		}
	}
	byIndex := func(a, b ecs.Entity) int { return cmp.Compare(a.Index(), b.Index()) }
	l.shapes.Sort(byIndex)
	slices.SortFunc(l.es, byIndex)
	arranged := p.order.arrange(l.es)
	l.key = make([]uint32, l.es[len(l.es)-1].Index()+1)
	for i, e := range arranged {
		l.key[e.Index()] = uint32(i)
	}
	l.meshes.Sort(func(a, b ecs.Entity) int { return cmp.Compare(l.key[a.Index()], l.key[b.Index()]) })
}

// between makes the changes between frames.
func (l *lifetime) between() {
	for range l.phase.births {
		l.death()
	}
	for range l.phase.births {
		l.birth()
	}
	changeShapes(l.w, l.phase.changed)
}

// frame is a frame. It returns its processor time in nanoseconds, without the changes between frames.
func (l *lifetime) frame() float64 {
	l.between()
	start := counters.ThreadTime()
	twin.Check(l.w.Run(context.Background()))
	return float64(counters.ThreadTime() - start)
}

// memory is how many MiB of the world's memory may be resident.
func (l *lifetime) memory() float64 { return float64(l.w.Stats().Memory.Arena.Dirty) / (1 << 20) }

// regret has the sums of some phases, in nanoseconds.
type regret struct {
	ways   [ways]float64 // auto and the fixed choices
	oracle float64       // the best fixed choice of each phase
}

// add adds a phase: the time of each world. Pure.
func (r *regret) add(sums [ways]float64) {
	for way, ns := range sums {
		r.ways[way] += ns
	}
	r.oracle += min(sums[wayStream], sums[wayKeep])
}

// single is the fixed choice that is the better one over all phases.
func (r *regret) single() float64 { return min(r.ways[wayStream], r.ways[wayKeep]) }

// Bars of regret: auto by the oracle, and by the best single choice.
const (
	oracleBar = 1.05
	singleBar = 1.0
)

// measureRegret prints the phases and their sums; it returns 1 if that is over a bar.
func measureRegret(q request) (status int) {
	var worlds [ways]*lifetime
	for way, v := range viewModes {
		worlds[way] = newLifetime(v)
	}
	fmt.Fprintf(q.out, "\n| rows | readers | order | changed | births | auto | stream | keep | auto ÷ best | MiB of auto | of stream | of keep |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	var all regret
	for _, p := range drawPhases(q.seed, phaseCount) {
		var sums [ways]float64
		for _, l := range worlds {
			l.enter(p)
		}
		for n := range phaseFrames / turnFrames {
			for i := range worlds {
				way := (i + n) % len(worlds)
				for range turnFrames {
					sums[way] += worlds[way].frame()
				}
			}
		}
		var one regret
		one.add(sums)
		all.add(sums)
		row := func(way int) float64 {
			return one.ways[way] / float64(phaseFrames*p.rows*p.systems)
		}
		fmt.Fprintf(q.out, "| %v | %.3g | %.3g | %.3g | %.3f | %.3g | %.3g | %.3g |\n", p, row(wayAuto), row(wayStream), row(wayKeep), one.ways[wayAuto]/one.oracle, worlds[wayAuto].memory(), worlds[wayStream].memory(), worlds[wayKeep].memory())
	}
	for _, l := range worlds {
		twin.Check(l.w.Close())
	}
	for _, line := range []struct {
		what       string
		value, bar float64
	}{
		{"auto by the oracle", all.ways[wayAuto] / all.oracle, oracleBar},
		{"auto by the best single choice", all.ways[wayAuto] / all.single(), singleBar},
	} {
		v := "ok"
		if line.value > line.bar {
			v, status = "over the budget", 1
		}
		fmt.Fprintf(q.out, "%s: %.4f, budget %v: %v\n", line.what, line.value, line.bar, v)
	}
	return status
}
