package epidemic

import (
	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// steady is the model with agents that keep their components: their health is a field of one. Nobody refers to an agent,
// so nobody asks for handles.
type steady struct {
	model
	agents *ecs.Query[agent]
}

// newborn is the components of an agent.
type newborn struct {
	Person Person
	Place  Place
	Health Health
}

// Structs of systems and queries.
type (
	counting struct {
		Place  []Place
		Health []Health
	}
	progressing struct {
		Person []Person
		Place  []Place
		Health ecs.Write[Health]
	}
	agent struct {
		Person []Person
		Place  []Place
		Health []Health
	}
)

func openField(agents int, o ecs.Options) twin.Stage {
	m := steady{model: newModel(agents, o)}
	ecs.Register[Health](m.World, "health")
	m.agents = ecs.QueryOf[agent](m.World)
	born := ecs.SpawnerOf[newborn](m.World)
	batch := make([]newborn, 0, 50_000)
	for serial := uint32(1); serial <= uint32(agents); serial++ {
		n := newborn{Person: Person{serial}, Place: bornAt(serial, m.side)}
		if firstCase(serial) {
			n.Health = Health{infected, sickness(serial, 0)}
		}
		if batch = append(batch, n); len(batch) == cap(batch) || serial == uint32(agents) {
			twin.Check(born.SpawnAll(batch))
			batch = batch[:0]
		}
	}
	ecs.System(m.World, "walk", m.walk)
	ecs.System(m.World, "count", m.count)
	ecs.System(m.World, "progress", m.progress)
	return twin.Stage{Frame: m.step, Digest: m.digest, Check: m.Check, Close: m.Close, World: m.World}
}

func (m *steady) digest() uint64 {
	sum := m.story
	for c := range m.agents.All() {
		for i, p := range c.Person {
			ill, safe := c.Health[i].lefts()
			sum += hash(p.Serial, c.Place[i], ill, safe)
		}
	}
	return sum
}

func (m *steady) count(c *counting) {
	place, health := c.Place, c.Health
	for i := range health {
		if health[i].State == infected {
			m.ill[cellOf(place[i], m.side)]++
		}
	}
}

func (m *steady) progress(c *progressing) {
	person, place, health := c.Person, c.Place, c.Health
	for i := range health {
		health[i].progress(person[i].Serial, m.day, uint32(m.ill[cellOf(place[i], m.side)]), &m.report)
	}
}
