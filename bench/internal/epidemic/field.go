package epidemic

import (
	"context"
	"errors"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// steady is the model on Ashlar whose agents keep their components: what they go through
// is a field of one.
type steady struct {
	*ecs.World
	person *ecs.Pool[Person]
	place  *ecs.Pool[Place]
	health *ecs.Pool[Health]

	side   int32
	day    uint32
	ill    []uint16 // infected agents by cell
	report report
	story  uint64
}

// What the systems ask for.
type (
	counting struct {
		Place  []Place
		Health []Health
	}
	progressing struct {
		Person []Person
		Place  []Place
		Health []Health `ashlar:"write"`
	}
)

func openField(agents int, o ecs.Options) twin.Stage {
	m := &steady{World: twin.Must(ecs.New(o)), side: land(agents)}
	m.ill = make([]uint16, m.side*m.side)
	m.person = twin.Must(ecs.Register[Person](m.World, "person"))
	m.place = twin.Must(ecs.Register[Place](m.World, "place"))
	m.health = twin.Must(ecs.Register[Health](m.World, "health"))
	twin.Check(errors.Join(
		ecs.System(m.World, "walk", m.walk),
		ecs.System(m.World, "count", m.count),
		ecs.System(m.World, "progress", m.progress),
	))
	for i := range agents {
		m.spawn(uint32(i + 1))
	}
	return twin.Stage{Frame: m.step, Digest: m.digest, Check: m.Check, Close: m.Close, World: m.World}
}

// spawn makes an agent.
func (m *steady) spawn(serial uint32) {
	e := twin.Must(m.Spawn())
	twin.Check(m.person.Add(e, Person{serial}))
	twin.Check(m.place.Add(e, bornAt(serial, m.side)))
	h := Health{}
	if firstCase(serial) {
		h = Health{infected, sickness(serial, 0)}
	}
	twin.Check(m.health.Add(e, h))
}

func (m *steady) step() {
	m.day++
	clear(m.ill)
	m.report = report{}
	twin.Check(m.Run(context.Background()))
	m.story = m.report.into(m.story)
}

func (m *steady) walk(c *walking) {
	person, place := c.Person, c.Place
	for i := range place {
		place[i] = walk(place[i], person[i].Serial, m.day, m.side)
	}
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

func (m *steady) digest() uint64 {
	sum := m.story
	for e, p := range m.person.All() {
		ill, safe := m.health.Get(e).lefts()
		sum += hash(p.Serial, *m.place.Get(e), ill, safe)
	}
	return sum
}
