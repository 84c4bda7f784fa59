package epidemic

import "github.com/ashlar-go/ashlar/bench/internal/twin"

// flat is the model in slices by agent: an agent is its index, and one more its serial
// number.
type flat struct {
	place  []Place
	health []Health
	side   int32
	day    uint32
	ill    []uint16
	story  uint64
}

func newFlat(agents int) *flat {
	m := &flat{place: make([]Place, agents), health: make([]Health, agents), side: land(agents)}
	m.ill = make([]uint16, m.side*m.side)
	for i := range m.place {
		serial := uint32(i + 1)
		m.place[i] = bornAt(serial, m.side)
		if firstCase(serial) {
			m.health[i] = Health{infected, sickness(serial, 0)}
		}
	}
	return m
}

func openSlices(agents int) twin.Stage {
	m := newFlat(agents)
	return twin.Stage{Frame: m.step, Digest: m.digest}
}

func (m *flat) step() {
	m.day++
	clear(m.ill)
	for i := range m.place {
		p := walk(m.place[i], uint32(i+1), m.day, m.side)
		m.place[i] = p
		if m.health[i].State == infected {
			m.ill[cellOf(p, m.side)]++
		}
	}
	var r report
	for i := range m.health {
		m.health[i].progress(uint32(i+1), m.day, uint32(m.ill[cellOf(m.place[i], m.side)]), &r)
	}
	m.story = r.into(m.story)
}

func (m *flat) digest() uint64 {
	sum := m.story
	for i, p := range m.place {
		ill, safe := m.health[i].lefts()
		sum += hash(uint32(i+1), p, ill, safe)
	}
	return sum
}
