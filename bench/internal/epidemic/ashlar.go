package epidemic

import (
	"context"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// model is the common part of both programs on Ashlar: agents that walk, and days that are counted.
type model struct {
	*ecs.World
	person *ecs.Pool[Person]
	place  *ecs.Pool[Place]

	side   int32
	day    uint32
	ill    []uint16 // infected agents by cell
	report report
	story  uint64
}

// world is the model with agents that gain and lose components.
type world struct {
	model
	infected *ecs.Pool[Infected]
	immune   *ecs.Pool[Immune]
}

// Structs of systems.
type (
	walking struct {
		Person []Person
		Place  ecs.Write[Place]
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
		Infected ecs.Write[Infected]
		Do       *ecs.Commands
	}
	waning struct {
		Ents   []ecs.Entity
		Immune ecs.Write[Immune]
		Do     *ecs.Commands
	}
)

// newModel makes the world of so many agents, who are not in it yet.
func newModel(agents int, o ecs.Options) model {
	w, side := ecs.New(o), land(agents)
	return model{
		World: w, person: ecs.Register[Person](w, "person"), place: ecs.Register[Place](w, "place"),
		side: side, ill: make([]uint16, side*side),
	}
}

func (m *model) step() {
	m.day++
	clear(m.ill)
	m.report = report{}
	twin.Check(m.Run(context.Background()))
	m.story = m.report.into(m.story)
}

func (m *model) walk(c *walking) {
	person, place := c.Person, c.Place
	for i := range place {
		place[i] = walk(place[i], person[i].Serial, m.day, m.side)
	}
}

func openAshlar(agents int, o ecs.Options) twin.Stage {
	m := &world{model: newModel(agents, o)}
	m.infected = ecs.Register[Infected](m.World, "infected")
	m.immune = ecs.Register[Immune](m.World, "immune")
	ecs.System(m.World, "walk", m.walk)
	ecs.System(m.World, "cough", m.cough)
	ecs.System(m.World, "catch", m.catch)
	ecs.System(m.World, "recover", m.recover)
	ecs.System(m.World, "wane", m.wane)
	return m.stage(agents)
}

// stage spawns the agents.
func (m *world) stage(agents int) twin.Stage {
	for i := range agents {
		e, serial := twin.Must(m.Spawn()), uint32(i+1)
		twin.Check(m.person.Add(e, Person{serial}))
		twin.Check(m.place.Add(e, bornAt(serial, m.side)))
		m.born(e, serial)
	}
	digest := func() uint64 {
		sum := m.story
		for e, p := range m.person.All() {
			ill, safe := m.lefts(e)
			sum += hash(p.Serial, *m.place.Get(e), ill, safe)
		}
		return sum
	}
	return twin.Stage{Frame: m.step, Digest: digest, Check: m.Check, Close: m.Close, World: m.World}
}

func (m *world) born(e ecs.Entity, serial uint32) {
	if firstCase(serial) {
		twin.Check(m.infected.Add(e, Infected{sickness(serial, 0)}))
	}
}

func (m *world) lefts(e ecs.Entity) (ill, safe uint8) {
	return twin.Value(m.infected, e).Left, twin.Value(m.immune, e).Left
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
			m.infected.Later(c.Do).Add(c.Ents[i], Infected{sickness(s, m.day)})
			m.report.caught++
		}
	}
}

func (m *world) recover(c *recovering) {
	for i := range c.Infected {
		if c.Infected[i].Left--; c.Infected[i].Left == 0 {
			m.infected.Later(c.Do).Remove(c.Ents[i])
			m.immune.Later(c.Do).Add(c.Ents[i], Immune{safe})
			m.report.recovered++
		}
	}
}

func (m *world) wane(c *waning) {
	for i := range c.Immune {
		if c.Immune[i].Left--; c.Immune[i].Left == 0 {
			m.immune.Later(c.Do).Remove(c.Ents[i])
		}
	}
}
