package epidemic

import (
	"context"
	"errors"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// world is the model on Ashlar.
type world struct {
	*ecs.World
	person   *ecs.Pool[Person]
	place    *ecs.Pool[Place]
	infected *ecs.Pool[Infected]
	immune   *ecs.Pool[Immune]

	side   int32
	day    uint32
	ill    []uint16 // infected agents by cell
	report report
	story  uint64
}

// What the systems ask for.
type (
	walking struct {
		Person []Person
		Place  []Place `ashlar:"write"`
	}
	coughing struct {
		Place []Place
		_     ecs.With[Infected]
	}
	catching struct {
		Ents   []ecs.Entity
		Person []Person
		Place  []Place
		Do     *ecs.Commands
		_      ecs.Without[Infected]
		_      ecs.Without[Immune]
	}
	recovering struct {
		Ents     []ecs.Entity
		Infected []Infected `ashlar:"write"`
		Do       *ecs.Commands
	}
	waning struct {
		Ents   []ecs.Entity
		Immune []Immune `ashlar:"write"`
		Do     *ecs.Commands
	}
)

func openAshlar(agents int, o ecs.Options) twin.Stage {
	m := &world{World: twin.Must(ecs.New(o)), side: land(agents)}
	m.ill = make([]uint16, m.side*m.side)
	m.person = twin.Must(ecs.Register[Person](m.World, "person"))
	m.place = twin.Must(ecs.Register[Place](m.World, "place"))
	m.infected = twin.Must(ecs.Register[Infected](m.World, "infected"))
	m.immune = twin.Must(ecs.Register[Immune](m.World, "immune"))
	twin.Check(errors.Join(
		ecs.System(m.World, "walk", m.walk),
		ecs.System(m.World, "cough", m.cough),
		ecs.System(m.World, "catch", m.catch),
		ecs.System(m.World, "recover", m.recover),
		ecs.System(m.World, "wane", m.wane),
	))
	for i := range agents {
		m.spawn(uint32(i + 1))
	}
	return twin.Stage{Frame: m.step, Digest: m.digest, Check: m.Check, Close: m.Close, World: m.World}
}

// spawn makes an agent.
func (m *world) spawn(serial uint32) {
	e := twin.Must(m.Spawn())
	twin.Check(m.person.Add(e, Person{serial}))
	twin.Check(m.place.Add(e, bornAt(serial, m.side)))
	if firstCase(serial) {
		twin.Check(m.infected.Add(e, Infected{sickness(serial, 0)}))
	}
}

func (m *world) step() {
	m.day++
	clear(m.ill)
	m.report = report{}
	twin.Check(m.Run(context.Background()))
	m.story = m.report.into(m.story)
}

func (m *world) walk(c *walking) {
	person, place := c.Person, c.Place
	for i := range place {
		place[i] = walk(place[i], person[i].Serial, m.day, m.side)
	}
}

func (m *world) cough(c *coughing) {
	for _, p := range c.Place {
		m.ill[cellOf(p, m.side)]++
	}
}

func (m *world) catch(c *catching) {
	person := c.Person
	for i, p := range c.Place {
		if s := person[i].Serial; catches(s, m.day, uint32(m.ill[cellOf(p, m.side)])) {
			m.infected.Add(c.Ents[i], Infected{sickness(s, m.day)}, c.Do)
			m.report.caught++
		}
	}
}

func (m *world) recover(c *recovering) {
	for i := range c.Infected {
		if c.Infected[i].Left--; c.Infected[i].Left == 0 {
			m.infected.Remove(c.Ents[i], c.Do)
			m.immune.Add(c.Ents[i], Immune{safe}, c.Do)
			m.report.recovered++
		}
	}
}

func (m *world) wane(c *waning) {
	for i := range c.Immune {
		if c.Immune[i].Left--; c.Immune[i].Left == 0 {
			m.immune.Remove(c.Ents[i], c.Do)
		}
	}
}

func (m *world) digest() uint64 {
	sum := m.story
	for e, p := range m.person.All() {
		var infected, immune uint8
		if i := m.infected.Get(e); i != nil {
			infected = i.Left
		}
		if i := m.immune.Get(e); i != nil {
			immune = i.Left
		}
		sum += hash(p.Serial, *m.place.Get(e), infected, immune)
	}
	return sum
}
