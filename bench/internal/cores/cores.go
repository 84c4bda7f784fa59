// Package cores has contests of two workers: against one, and against two goroutines over plain slices.
package cores

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/candidate"
	"github.com/ashlar-go/ashlar/bench/internal/counters"
	"github.com/ashlar-go/ashlar/bench/internal/epidemic"
	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// workers is the storage of entries with two workers.
const workers = candidate.Ashlar + "+workers"

// Contests are whole days of an epidemic, many systems of mixed size, and short frames: at once one after the other, and at
// 60 a second with sleep in between. Of these the processor time of the whole process is measured, in place of the time.
func Contests(quick bool) []candidate.Contest {
	agents, rows, bodies, frames := 10_000_000, 700, 6000, 30
	if quick {
		agents, rows, bodies, frames = 2000, 10, 60, 2
	}
	paced := func(n int) func(workers int) candidate.Body {
		return func(workers int) candidate.Body { return paced(four(workers, n).body(), frames) }
	}
	shared := candidate.Contest{Part: "cores", Name: "cores: epidemic", Entities: agents, Ops: agents, Cores: 2, Against: candidate.Arrays, Entries: []candidate.Entry{
		{Storage: workers, Guide: guide, Open: func() candidate.Body { return daysOf(epidemic.OpenShared(agents, 2), agents) }},
		{Storage: candidate.Arrays, Open: func() candidate.Body { return daysOf(epidemic.OpenHalves(agents), agents) }},
	}}
	return []candidate.Contest{
		shared,
		against("300 systems of mixed size", bodies, func(workers int) candidate.Body { return mixed(workers, bodies).body() }),
		against("four systems, frames that follow at once", rows, func(workers int) candidate.Body { return four(workers, rows).body() }),
		against("four systems, processor time at 60 frames a second", rows, paced(rows)),
		against("four systems, processor time at 60 frames a second", 25*rows, paced(25*rows)),
	}
}

const guide = "several-cores.md"

// against is a program with two workers against the same with one.
func against(name string, n int, open func(workers int) candidate.Body) candidate.Contest {
	return candidate.Contest{Part: "cores", Name: "cores: " + name, Entities: n, Ops: 1, Cores: 2, Against: candidate.Ashlar, Entries: []candidate.Entry{
		{Storage: workers, Guide: guide, Open: func() candidate.Body { return open(2) }},
		{Storage: candidate.Ashlar, Guide: guide, Open: func() candidate.Body { return open(1) }},
	}}
}

func daysOf(s twin.Stage, agents int) candidate.Body {
	b := candidate.Body{Work: func() int { s.Frame(); return agents }, Digest: s.Digest}
	if s.Close != nil {
		b.Close = func() { twin.Check(s.Close()) }
	}
	return b
}

// paced is so many frames at 60 a second. Its measure is the processor time of a frame.
func paced(b candidate.Body, frames int) candidate.Body {
	frame, spent := b.Work, time.Duration(0)
	b.Work = func() (rows int) {
		begin, next := counters.ProcessTime(), time.Now()
		for range frames {
			rows += frame()
			next = next.Add(time.Second / 60)
			time.Sleep(time.Until(next))
		}
		spent = counters.ProcessTime() - begin
		return rows
	}
	b.Took = func() time.Duration { return spent / time.Duration(frames) }
	return b
}

type (
	position struct{ X float64 }
	velocity struct{ X float64 }

	body struct {
		position
		velocity
	}
	// motion names the first herd's components: OnlyIn has other groups' components stand for these.
	motion struct {
		Pos ecs.Write[position] `ashlar:"position.0"`
		Vel []velocity          `ashlar:"velocity.0"`
	}
)

// herds are groups of bodies with components of their own, so that systems over different ones do not conflict.
type herds struct {
	*ecs.World
	list []ecs.AnyGroup
	all  []*ecs.Pool[position]
	rows int // that a frame visits
}

func newHerds(workers int, sizes ...int) *herds {
	h := &herds{World: ecs.New(ecs.Options{Workers: workers})}
	for i, n := range sizes {
		pos := ecs.Register[position](h.World, fmt.Sprint("position.", i))
		vel := ecs.Register[velocity](h.World, fmt.Sprint("velocity.", i))
		g := ecs.GroupOf[body](h.World, fmt.Sprint("herd", i), pos, vel)
		twin.Check(g.SpawnN(make([]ecs.Entity, n), []body{{position{1}, velocity{3}}}))
		h.list, h.all = append(h.list, g), append(h.all, pos)
	}
	return h
}

// system adds a system over some of the groups. A step takes some 5 ns for each body.
func (h *herds) system(name string, steps int, over ...int) {
	var groups []ecs.AnyGroup
	for _, i := range over {
		groups, h.rows = append(groups, h.list[i]), h.rows+h.all[i].Len()
	}
	ecs.System(h.World, name, func(c *motion) {
		pos, vel := c.Pos, c.Vel
		for i := range pos {
			x := pos[i].X
			for range steps {
				x = x*0.999 + vel[i].X/(1+x*x)
			}
			pos[i].X = x
		}
	}, ecs.OnlyIn(groups...), ecs.Parallel())
}

// body is frames of the world, which has settled.
func (h *herds) body() candidate.Body {
	run := func() int { twin.Check(h.Run(context.Background())); return h.rows }
	for range 50 {
		run()
	}
	return candidate.Body{
		Work: run,
		Digest: func() (sum uint64) {
			for _, p := range h.all {
				for e, v := range p.All() {
					sum += twin.Mix(uint64(e), math.Float64bits(v.X))
				}
			}
			return sum
		},
		Close: func() { twin.Check(h.Close()) },
	}
}

// mixed is 300 systems over one to three of 60 groups each, of up to so many bodies.
func mixed(workers, most int) *herds {
	r := rand.New(rand.NewPCG(1, 2))
	var sizes []int
	for range 60 {
		sizes = append(sizes, most/60+r.IntN(10)*r.IntN(10)*r.IntN(most/100+1))
	}
	h := newHerds(workers, sizes...)
	for i := range 300 {
		h.system(fmt.Sprint("system", i), 1+r.IntN(20), r.Perm(len(sizes))[:1+r.IntN(3)]...)
	}
	return h
}

// four is systems that do not conflict, which compute some 100 ns for each of their n rows.
func four(workers, n int) *herds {
	h := newHerds(workers, n, n, n, n)
	for i := range h.list {
		h.system(fmt.Sprint("system", i), 20, i)
	}
	return h
}
