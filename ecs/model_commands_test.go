package ecs_test

import (
	"github.com/ashlar-go/ashlar/ecs"
)

// commands puts changes into the buffer from within an iteration: none, one or more for an
// entity that is visited, some for others. Some find their entity dead, or the component
// there or gone, when their turn comes.
func (m *model) commands() {
	c := m.w.Commands()
	type pair struct {
		E ecs.Entity
		V *b16
	}
	q := ecs.QueryOf[pair](m.w)
	m.expect("QueryOf", m.w.Err(), nil)
	var then []func() // the same on the maps, at the safe point
	for row := range q.All() {
		for range m.next(4) {
			e := row.E
			if m.next(6) == 0 {
				e = m.pick()
			}
			then = append(then, m.changeLater(c, e))
		}
		if m.next(8) == 0 && m.duos != nil {
			then = append(then, m.spawnLater(c))
		}
	}
	m.expect("SafePoint", m.w.SafePoint(), nil)
	for _, f := range then {
		f()
	}
}

// changeLater asks for a change of an entity, and returns its effect on the maps.
func (m *model) changeLater(c *ecs.Commands, e ecs.Entity) func() {
	col, s := m.next(len(m.columns)), byte(m.next(256))
	if m.puts != nil && m.next(2) == 0 {
		return m.putLater(c, e, col, s)
	}
	switch m.next(8) {
	case 0:
		c.Destroy(e)
		return func() {
			if _, ok := m.alive[e]; !ok || m.keeps(e, whole) {
				m.dropped++
				return
			}
			m.died(e)
		}
	case 1, 2, 3:
		m.columns[col].later(c, e, s)
		return func() { m.addOrDrop(e, col, s) }
	default:
		m.columns[col].drop(c, e)
		return func() { m.removeOrDrop(e, col) }
	}
}

// spawnLater makes an entity that is alive at once and gets a group's components, or none,
// at the safe point.
func (m *model) spawnLater(c *ecs.Commands) func() {
	s := byte(m.next(256))
	var e ecs.Entity
	bare := m.next(4) == 0
	if bare {
		e = c.Spawn()
	} else {
		e = m.duos.Later(c).Spawn(duo{b4{s, s, s, s}, full16(s)})
	}
	m.born(e, map[int]byte{})
	if !m.w.Alive(e) || m.columns[2].pool.Has(e) {
		m.failf("%v was spawned by a command: alive %v, has a component %v", e, m.w.Alive(e), m.columns[2].pool.Has(e))
	}
	return func() {
		if !bare {
			m.alive[e][2], m.alive[e][3] = s, s
		}
	}
}

func (m *model) addOrDrop(e ecs.Entity, c int, s byte) {
	if m.want(e, c, ecs.ErrPresent, nil) != nil {
		m.dropped++
		return
	}
	m.alive[e][c] = m.seed(c, s)
}

func (m *model) removeOrDrop(e ecs.Entity, c int) {
	if m.wantRemoved(e, c) != nil {
		m.dropped++
		return
	}
	m.lost(e, c)
}
