package epidemic

import (
	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// steady is the model with agents that keep their components: their health is a field of one.
type steady struct {
	model
	health *ecs.Pool[Health]
}

// Structs of systems.
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
)

func openField(agents int, o ecs.Options) twin.Stage {
	m := &steady{model: newModel(agents, o)}
	m.health = ecs.Register[Health](m.World, "health")
	ecs.System(m.World, "walk", m.walk)
	ecs.System(m.World, "count", m.count)
	ecs.System(m.World, "progress", m.progress)
	return m.stage(agents, m.born, func(e ecs.Entity) (ill, safe uint8) { return m.health.Get(e).lefts() })
}

func (m *steady) born(e ecs.Entity, serial uint32) {
	h := Health{}
	if firstCase(serial) {
		h = Health{infected, sickness(serial, 0)}
	}
	twin.Check(m.health.Add(e, h))
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
