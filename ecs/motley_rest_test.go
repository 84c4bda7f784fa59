package ecs_test

import (
	"errors"

	"github.com/ashlar-go/ashlar/ecs"
)

// rest makes calls of a whole component or world.
func (m *motley) rest(n uint64) {
	g, k := m.model, int(n>>8%parts)
	p := m.parts[k]
	switch n % 4 {
	case 0:
		err := m.try(p.clear)
		if err != nil && !errors.Is(err, ecs.ErrLocked) {
			panic(err)
		}
		if g == nil {
			return
		}
		es := g.alive(func(x *soul) bool { return x.has[k] })
		a := motleyAsk{kind: askRemove, k: k}
		if refused := g.refusals(es, a); refused != (err != nil) && !m.blown {
			m.fail("Clear of %s: %v", p.name, err)
		}
		g.mass(es, func(e ecs.Entity) motleyAsk { return motleyAsk{kind: askRemove, k: k, e: e} })
	case 1:
		_ = ok(m.w.Purge())
	case 2:
		p.respect(m.parts[n>>16%parts].pool)
	case 3:
		if n>>16%4 > 0 {
			return
		}
		ok(0, m.try(func() error { m.w.Reset(); return nil }))
		clear(m.holds)
		if g == nil {
			return
		}
		es := g.alive(func(x *soul) bool { x.holds = [2][2]int{}; return true })
		g.mass(es, func(e ecs.Entity) motleyAsk { return motleyAsk{kind: askDestroy, e: e} })
	}
}
