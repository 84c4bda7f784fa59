package epidemic

import "github.com/ashlar-go/ashlar/bench/internal/twin"

// health says what an agent goes through.
type health uint8

const (
	susceptible health = iota
	infected
	immune
)

// flat is the model in slices by agent: an agent is its index, and one more its serial
// number.
type flat struct {
	place  []Place
	health []health
	left   []uint8 // days until the health changes
	side   int32
	day    uint32
	ill    []uint16
	story  uint64
}

func newFlat(agents int) *flat {
	m := &flat{place: make([]Place, agents), health: make([]health, agents), left: make([]uint8, agents), side: land(agents)}
	m.ill = make([]uint16, m.side*m.side)
	for i := range m.place {
		serial := uint32(i + 1)
		m.place[i] = bornAt(serial, m.side)
		if firstCase(serial) {
			m.health[i], m.left[i] = infected, uint8(sickness(serial, 0))
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
		if m.health[i] == infected {
			m.ill[cellOf(p, m.side)]++
		}
	}
	var r report
	for i, h := range m.health {
		if h == susceptible {
			serial := uint32(i + 1)
			if !catches(serial, m.day, uint32(m.ill[cellOf(m.place[i], m.side)])) {
				continue
			}
			m.health[i], m.left[i] = infected, uint8(sickness(serial, m.day))
			r.caught++
		}
		m.left[i]--
		if m.left[i] > 0 {
			continue
		}
		if m.health[i] == immune {
			m.health[i] = susceptible
			continue
		}
		// Immunity counts the day on which it begins.
		m.health[i], m.left[i] = immune, safe-1
		r.recovered++
	}
	m.story = r.into(m.story)
}

func (m *flat) digest() uint64 {
	sum := m.story
	for i, p := range m.place {
		var left [3]uint32
		left[m.health[i]] = uint32(m.left[i])
		sum += hash(uint32(i+1), p, left[infected], left[immune])
	}
	return sum
}
