package epidemic

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// shared is the model with a field on several cores. Walks and days are of agents alone. Counting the infected of a cell
// is one core's work here and in slices.
type shared struct {
	steady
	caught, recovered atomic.Uint64
}

// OpenShared is that model with so many workers.
func OpenShared(agents, workers int) twin.Stage {
	m := &shared{steady: newSteady(agents, ecs.Options{Workers: workers})}
	ecs.System(m.World, "walk", m.walk, ecs.Parallel())
	ecs.System(m.World, "count", m.count)
	ecs.System(m.World, "progress", m.progress, ecs.Parallel())
	return twin.Stage{Frame: m.step, Digest: m.digest, Check: m.Check, Close: m.Close, World: m.World}
}

func (m *shared) progress(c *progressing) {
	var r report
	person, place, health := c.Person, c.Place, c.Health
	for i := range health {
		health[i].progress(person[i].Serial, m.day, uint32(m.ill[cellOf(place[i], m.side)]), &r)
	}
	m.caught.Add(r.caught)
	m.recovered.Add(r.recovered)
}

func (m *shared) step() {
	m.day++
	clear(m.ill)
	twin.Check(m.Run(context.Background()))
	m.story = report{m.caught.Swap(0), m.recovered.Swap(0)}.into(m.story)
}

// OpenHalves is the same in slices, and two goroutines go over halves of them.
func OpenHalves(agents int) twin.Stage {
	m := newFlat(agents)
	return twin.Stage{Frame: m.stepHalves, Digest: m.digest}
}

func (m *flat) stepHalves() {
	m.day++
	clear(m.ill)
	m.halves(func(_, from, to int) {
		place := m.place[from:to]
		for i := range place {
			place[i] = walk(place[i], uint32(from+i+1), m.day, m.side)
		}
	})
	for i := range m.health {
		if m.health[i].State == infected {
			m.ill[cellOf(m.place[i], m.side)]++
		}
	}
	var r [2]struct {
		report
		_ [64]byte // the other one's sums are written by another core
	}
	m.halves(func(half, from, to int) {
		place, health := m.place[from:to], m.health[from:to]
		for i := range health {
			health[i].progress(uint32(from+i+1), m.day, uint32(m.ill[cellOf(place[i], m.side)]), &r[half].report)
		}
	})
	sum := report{r[0].caught + r[1].caught, r[0].recovered + r[1].recovered}
	m.story = sum.into(m.story)
}

// halves calls f for both halves of the agents at once, and returns when both calls have.
func (m *flat) halves(f func(half, from, to int)) {
	n := len(m.place)
	var other sync.WaitGroup
	other.Go(func() { f(1, n/2, n) })
	f(0, 0, n/2)
	other.Wait()
}
