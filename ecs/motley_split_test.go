package ecs_test

import (
	"math/rand/v2"
	"slices"

	"github.com/ashlar-go/ashlar/ecs"
)

// mS is a split component: its fields are components of their own, and systems may ask for the whole.
type (
	mP struct{ P motleyPair }
	mQ struct {
		_ [30]uint64
		P motleyPair
	}
	mS struct {
		P mP
		Q mQ
	}
)

func (c *mP) motleyPair() *motleyPair { return &c.P }
func (c *mQ) motleyPair() *motleyPair { return &c.P }

func wholeOf(x uint64) mS { return mS{mP{valueOf(partP, x)}, mQ{P: valueOf(partQ, x)}} }

// wholeShapes are columns of whole values: V is of the one field, W of the other.
var wholeShapes = shapesOf(func(s *mS) motleyCell { return motleyCell{&s.P.P.V, &s.Q.P.W} })

// motleySplit are the calls of whole values.
type motleySplit struct {
	add, set func(e ecs.Entity, x uint64) error
	remove   func(e ecs.Entity) error
	load     func(e ecs.Entity) (p, q motleyPair, has bool)
}

func (m *motley) makeSplit(how ...ecs.Storage) []*motleyPart {
	s := ecs.RegisterSplit[mS](m.w, "ms", how...)
	m.split = motleySplit{
		add:    func(e ecs.Entity, x uint64) error { return s.Add(e, wholeOf(x)) },
		set:    func(e ecs.Entity, x uint64) error { return s.Set(e, wholeOf(x)) },
		remove: s.Remove,
		load: func(e ecs.Entity) (p, q motleyPair, has bool) {
			v, has := s.Load(e)
			return v.P.P, v.Q.P, has
		},
	}
	return []*motleyPart{
		motleyPoolOf(ecs.SplitField[mP](s, "P"), partP, "ms.P", (*mP).motleyPair),
		motleyPoolOf(ecs.SplitField[mQ](s, "Q"), partQ, "ms.Q", (*mQ).motleyPair),
	}
}

// drawWhole has a system ask for whole values, in place of fields.
func (s *motleySpec) drawWhole(r *rand.Rand) {
	s.cols = append(s.cols, motleyColumn{k: partP, whole: true, form: []form{formRead, formWrite}[r.IntN(2)]})
}

// comps are the components of a column.
func (c motleyColumn) comps() []int {
	if c.whole {
		return []int{partP, partQ}
	}
	return []int{c.k}
}

// splitCall makes a call of the whole of an entity.
func (m *motley) splitCall(e ecs.Entity, n uint64) {
	var err error
	switch n % 3 {
	case 0:
		err = m.try(func() error { return m.split.add(e, n) })
	case 1:
		err = m.try(func() error { return m.split.set(e, n) })
	case 2:
		// Not with little room: the first field may be gone then.
		room := m.room
		m.room = nil
		err = m.try(func() error { return m.split.remove(e) })
		m.room = room
	}
	if g := m.model; g != nil {
		if want := g.whole(e, n); want != (err == nil) {
			m.fail("call %d of the whole of %v: %v", n%3, e, err)
		}
	}
}

func (g *ghost) whole(e ecs.Entity, n uint64) bool {
	x, ks := g.souls[e], []int{partP, partQ}
	if x == nil {
		return false
	}
	lacks := func(k int) bool { return !x.has[k] }
	kind := askAdd
	switch n % 3 {
	case 0:
		if x.has[partP] || x.has[partQ] {
			return false
		}
	case 1:
		if kind = askSet; slices.ContainsFunc(ks, lacks) {
			return false
		}
	case 2:
		if kind = askRemove; slices.ContainsFunc(ks, lacks) || slices.ContainsFunc(ks, x.keeps) {
			return false
		}
	}
	was := g.members(x)
	var asks []motleyAsk
	for _, k := range ks {
		more, _ := g.changeOf(x, motleyAsk{kind: kind, k: k, e: e, v: valueOf(k, n)})
		asks = append(asks, more...)
	}
	g.answers(append(asks, g.joined(x, was, g.members(x))...))
	return true
}
