package ecs_test

import (
	"errors"
	"slices"

	"github.com/ashlar-go/ashlar/ecs"
)

// motleyExchange gives some components and takes others.
type motleyExchange struct {
	comes, goes []int
	do          func(e ecs.Entity, v uint64) error
	all         func(q ecs.AnyQuery, v uint64) (int, error)
}

func motleyExchangeOf[S any](w *ecs.World, comes, goes []int, value func(x uint64) S) motleyExchange {
	x := ecs.ExchangeOf[S](w)
	return motleyExchange{comes, goes,
		func(e ecs.Entity, v uint64) error { return x.Do(e, value(v)) },
		func(q ecs.AnyQuery, v uint64) (int, error) { return x.All(q, value(v)) },
	}
}

type (
	exchange0 struct {
		B mB
		_ ecs.Without[mD]
	}
	exchange1 struct {
		E mE
		F mF
		_ ecs.Without[mG]
	}
	exchange2 struct {
		D mD
		_ ecs.Without[mB]
		_ ecs.Without[mT]
	}
	exchange3 struct {
		U mU
		G mG
		_ ecs.Without[mA]
	}
	exchange4 struct {
		S mS
		_ ecs.Without[mC]
	}
)

const motleyExchanges = 5

// locksOf are the components that each lock keeps; nil: all.
var locksOf = [][]int{nil, {partA, partD, partT}}

func (m *motley) makeKeepers() {
	w := m.w
	m.exchanges = []motleyExchange{
		motleyExchangeOf(w, []int{partB}, []int{partD}, func(x uint64) exchange0 { return exchange0{B: mB{valueOf(partB, x)}} }),
		motleyExchangeOf(w, []int{partE, partF}, []int{partG}, func(x uint64) exchange1 {
			return exchange1{E: mE{valueOf(partE, x)}, F: mF{P: valueOf(partF, x)}}
		}),
		motleyExchangeOf(w, []int{partD}, []int{partB, partT}, func(x uint64) exchange2 { return exchange2{D: mD{P: valueOf(partD, x)}} }),
		motleyExchangeOf(w, []int{partU, partG}, []int{partA}, func(x uint64) exchange3 { return exchange3{G: mG{P: valueOf(partG, x)}} }),
		motleyExchangeOf(w, []int{partP, partQ}, []int{partC}, func(x uint64) exchange4 { return exchange4{S: wholeOf(x)} }),
	}
	for i, ks := range locksOf {
		var pools []ecs.AnyPool
		for _, k := range ks {
			pools = append(pools, m.parts[k].pool)
		}
		m.locks = append(m.locks, w.NewLock([]string{"all", "some"}[i], pools...))
	}
}

// exchange makes an exchange of an entity.
func (g *ghost) exchange(x *soul, i int, v uint64) (asks []motleyAsk, done bool) {
	o := &g.m.exchanges[i]
	if !x.exchanges(o) || slices.ContainsFunc(o.goes, x.keeps) {
		return nil, false
	}
	for _, k := range o.goes {
		asks = append(asks, g.lose(x, k)...)
	}
	for _, k := range o.comes {
		more, _ := g.changeOf(x, motleyAsk{kind: askAdd, k: k, e: x.e, v: valueOf(k, v)})
		asks = append(asks, more...)
	}
	return asks, true
}

// exchanges tells whether it has all that goes, and nothing that comes.
func (x *soul) exchanges(o *motleyExchange) bool {
	return !slices.ContainsFunc(o.goes, func(k int) bool { return !x.has[k] }) && !slices.ContainsFunc(o.comes, func(k int) bool { return x.has[k] })
}

// held tells whether a lock holds it, and keeps whether one keeps a component.
func (x *soul) held() bool { return x.holds != [2][2]int{} }

func (x *soul) keeps(k int) bool {
	for i, ks := range locksOf {
		if x.holds[i] != [2]int{} && (ks == nil || slices.Contains(ks, k)) {
			return true
		}
	}
	return false
}

// hold holds and releases some entities.
func (m *motley) hold(n uint64) {
	all := m.es
	for i := range n % 9 {
		e := all[mixed(n, i)%uint64(len(all))]
		lock, holder := mixed(n, i+3)>>40%2, mixed(n, i+5)>>40%2
		if mixed(n, i+9)>>40%3 == 0 {
			m.release(e, int(lock), int(holder))
			continue
		}
		err := m.locks[lock].Hold(e, []string{"a", "b"}[holder])
		if (err == nil) != m.w.Alive(e) || err != nil && !errors.Is(err, ecs.ErrStale) {
			m.fail("Hold of %v: %v", e, err)
		}
		if err == nil {
			m.holds[motleyHold{e, int(lock), int(holder)}]++
		}
	}
}

type motleyHold struct {
	e            ecs.Entity
	lock, holder int
}

func (m *motley) release(e ecs.Entity, lock, holder int) {
	h := motleyHold{e, lock, holder}
	if m.holds[h] == 0 {
		return
	}
	if m.holds[h]--; m.holds[h] == 0 {
		delete(m.holds, h)
	}
	if err := m.locks[lock].Release(e, []string{"a", "b"}[holder]); err != nil {
		m.fail("Release of %v: %v", e, err)
	}
}

// holdModel is hold of the model.
func (g *ghost) hold(n uint64) {
	all := g.m.es
	for i := range n % 9 {
		x := g.souls[all[mixed(n, i)%uint64(len(all))]]
		if x == nil {
			continue
		}
		h := &x.holds[mixed(n, i+3)>>40%2][mixed(n, i+5)>>40%2]
		if mixed(n, i+9)>>40%3 > 0 {
			*h++
		} else if *h > 0 {
			*h--
		}
	}
}

// compareLocks compares holds with the model.
func (m *motley) compareLocks() {
	want, got := 0, 0
	for _, x := range m.model.souls {
		for _, by := range x.holds {
			for _, n := range by {
				if n > 0 {
					want++
				}
			}
		}
	}
	for range m.w.Locks() {
		got++
	}
	if got != want {
		m.fail("%d holds, want %d", got, want)
	}
}

// refusals tells whether a lock keeps some entity of a list from a change of many that reports that.
func (g *ghost) refusals(es []ecs.Entity, a motleyAsk) bool {
	return slices.ContainsFunc(es, func(e ecs.Entity) bool {
		x := g.souls[e]
		switch {
		case x == nil:
			return false
		case a.kind == askRemove:
			return x.has[a.k] && x.keeps(a.k)
		case a.kind == askExchange:
			o := &g.m.exchanges[a.k]
			return x.exchanges(o) && slices.ContainsFunc(o.goes, x.keeps)
		}
		return false
	})
}

// now makes a change of one entity at once.
func (m *motley) now(a motleyAsk) error {
	switch a.kind {
	case askExchange:
		return m.exchanges[a.k].do(a.e, a.v.V)
	case askWholeOn, askWholeOff:
		return m.w.SetEnabled(a.e, a.kind == askWholeOn)
	}
	return a.make(m.parts[a.k].now)
}
