package ecs_test

import (
	"errors"
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

// rest makes calls of a whole component or world.
func (m *motley) rest(n uint64) {
	g, k := m.model, int(n>>8%parts)
	p := m.parts[k]
	switch n % 5 {
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
		if p.inOrder != nil {
			p.inOrder(m, n>>16)
		}
	case 4:
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

// inOrderOf walks a pool that is sorted in one order.
func inOrderOf[T any](p *ecs.Pool[T], to func(*T) *motleyPair) func(m *motley, how uint64) {
	return func(m *motley, how uint64) {
		key := func(v *T) uint64 { return mixed(to(v).V, how) >> 50 }
		compare := func(a, b *T) int { return int(key(a)) - int(key(b)) }
		p.Sort(compare)
		last, n := uint64(0), 0
		for e, v := range p.InOrder(compare) {
			if key(v) < last || p.Get(e) == nil || *to(p.Get(e)) != *to(v) {
				m.fail("%v is out of order in %s", e, fmt.Sprintf("%T", *new(T)))
			}
			last, n = key(v), n+1
		}
		if n != p.Len() {
			m.fail("%d of %d in order in %s", n, p.Len(), fmt.Sprintf("%T", *new(T)))
		}
	}
}
