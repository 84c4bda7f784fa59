package ecs_test

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs"
)

// byChunk tells whether rows may be passed that have not changed: the model follows the world then.
func (s *motleySpec) byChunk() bool {
	return slices.ContainsFunc(s.conds, func(c motleyCond) bool { return c.kind == condChangedChunk || c.kind == condAddedChunk })
}

// tooVague tells whether a system asks for changes of a component that one that panics writes: of which rows these
// were when it panicked follows from batches.
func (m *motley) tooVague(s *motleySpec) bool {
	for _, c := range s.conds {
		if c.changes() {
			if m.vague[0][c.k] {
				return true
			}
			m.vague[1][c.k] = true
		}
	}
	if s.boom == 0 {
		return false
	}
	for _, c := range s.cols {
		for _, k := range c.comps() {
			if c.form.write() && m.vague[1][k] {
				s.boom = 0
				return false
			}
		}
	}
	for _, c := range s.cols {
		for _, k := range c.comps() {
			m.vague[0][k] = m.vague[0][k] || c.form.write()
		}
	}
	return false
}

// note notes the rows that were passed.
func (m *motley) note(s *motleySpec, c *motleyCall) {
	es := c.es
	if s.rows {
		es = nil
		for _, i := range *c.field(s.at.rows).(*ecs.Rows) {
			es = append(es, c.es[i])
		}
	}
	m.born.Lock()
	defer m.born.Unlock()
	runs := m.passed[s.name]
	runs[len(runs)-1] = append(runs[len(runs)-1], es...)
}

// passed are the rows that the world has passed to a run that asks for changed chunks: among them are all that have changed.
func (g *ghost) passed(s *motleySpec, required []int, changed []ecs.Entity) []ecs.Entity {
	runs := g.m.passed[s.name]
	if len(runs) == 0 {
		g.m.fail("%s has not run", s.name)
		return nil
	}
	g.m.passed[s.name] = runs[1:]
	was := map[ecs.Entity]bool{}
	for _, e := range runs[0] {
		if x := g.souls[e]; was[e] || x == nil || !x.fits(s.conds, required, g.seen[s.name], false) {
			g.m.fail("%s was passed %v, twice %v, and it does not match", s.name, e, was[e])
		}
		was[e] = true
	}
	for _, e := range changed {
		if !was[e] {
			g.m.fail("%s was not passed %v, which has changed", s.name, e)
		}
	}
	return g.alive(func(x *soul) bool { return was[x.e] })
}
