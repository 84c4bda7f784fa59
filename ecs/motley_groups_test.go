package ecs_test

import (
	"math/rand/v2"
	"slices"

	"github.com/ashlar-go/ashlar/ecs"
)

// motleyGroup is a group: needs are the components that it owns, with and without its conditions.
type motleyGroup struct {
	name                 string
	needs, with, without []int
	kin                  int // groups of one number share rows
	any                  ecs.AnyGroup
	members              func() []ecs.Entity
	len                  func() int
	sort                 func(how uint64)
	sortAs               func(readers ecs.AnyGroup, n int)
	apart                func()
	dissolve             func() error
	spawn                func(x uint64) (ecs.Entity, error)
	gone                 bool
	subject              func(i int) *motleySubject
}

func (g *motleyGroup) is(x *soul) bool {
	for _, k := range slices.Concat(g.needs, g.with) {
		if !x.has[k] {
			return false
		}
	}
	return !slices.ContainsFunc(g.without, func(k int) bool { return x.has[k] })
}

func motleyGroupOf[S any](w *ecs.World, g motleyGroup, value func(x uint64) S, from func(*S) motleyPair) *motleyGroup {
	x := ecs.GroupOf[S](w, g.name)
	g.any, g.len, g.dissolve = x, x.Len, x.Dissolve
	g.members = func() []ecs.Entity { return x.Members(nil) }
	g.sort = func(how uint64) {
		x.Sort(func(a, b ecs.Entity) int { return int(sortKey(a, how)) - int(sortKey(b, how)) })
	}
	g.sortAs = x.SortAs
	g.apart = func() { ecs.Apart(x) }
	g.spawn = func(n uint64) (ecs.Entity, error) { return x.Spawn(value(n)) }
	g.subject = func(int) *motleySubject {
		s := subjectOf(g.name, from, func(x *soul) (motleyPair, bool) {
			if !g.is(x) {
				return motleyPair{}, false
			}
			v := motleyPair{}
			for _, k := range g.needs {
				v.V, v.W = mixed(v.V, x.val[k].V), mixed(v.W, x.val[k].W)
			}
			return v, true
		})
		s.about, s.tag = g.needs, g.name
		return s
	}
	return &g
}

func sortKey(e ecs.Entity, how uint64) uint64 { return mixed(uint64(e), how) >> 52 }

func pairOfAll(list ...motleyPair) (v motleyPair) {
	for _, x := range list {
		v.V, v.W = mixed(v.V, x.V), mixed(v.W, x.W)
	}
	return v
}

type (
	group0 struct{ G mG }
	group1 struct {
		A mA
		D mD
		_ ecs.Maybe[mE]
	}
	group2 struct {
		A mA
		D mD
		B mB
	}
	group3 struct {
		F mF
		_ ecs.With[mT]
		_ ecs.Without[mU]
	}
	group5 struct {
		S mS
		_ ecs.Without[mT]
	}
	group4 struct {
		C mC
		F mF
	}
)

// makeGroups declares some groups.
func (m *motley) makeGroups(next func(int) int) {
	w := m.w
	add := func(g *motleyGroup) { m.groups = append(m.groups, g) }
	if next(2) == 0 {
		add(motleyGroupOf(w, motleyGroup{name: "g0", needs: []int{partG}},
			func(x uint64) group0 { return group0{mG{P: valueOf(partG, x)}} }, func(s *group0) motleyPair { return pairOfAll(s.G.P) }))
	}
	if next(3) == 0 {
		add(motleyGroupOf(w, motleyGroup{name: "g1", needs: []int{partA, partD}, kin: 1},
			func(x uint64) group1 { return group1{A: mA{valueOf(partA, x)}, D: mD{P: valueOf(partD, x)}} },
			func(s *group1) motleyPair { return pairOfAll(s.A.P, s.D.P) }))
		if next(2) == 0 {
			add(motleyGroupOf(w, motleyGroup{name: "g2", needs: []int{partA, partD, partB}, kin: 1},
				func(x uint64) group2 {
					return group2{A: mA{valueOf(partA, x)}, D: mD{P: valueOf(partD, x)}, B: mB{valueOf(partB, x)}}
				},
				func(s *group2) motleyPair { return pairOfAll(s.A.P, s.D.P, s.B.P) }))
		}
	}
	switch next(6) {
	case 0:
		add(motleyGroupOf(w, motleyGroup{name: "g3", needs: []int{partF}, with: []int{partT}, without: []int{partU}, kin: 2},
			func(x uint64) group3 { return group3{F: mF{P: valueOf(partF, x)}} }, func(s *group3) motleyPair { return pairOfAll(s.F.P) }))
	case 1:
		add(motleyGroupOf(w, motleyGroup{name: "g4", needs: []int{partC, partF}, kin: 2},
			func(x uint64) group4 { return group4{C: mC{P: valueOf(partC, x)}, F: mF{P: valueOf(partF, x)}} },
			func(s *group4) motleyPair { return pairOfAll(s.C.P, s.F.P) }))
	}
	if next(4) == 0 {
		add(motleyGroupOf(w, motleyGroup{name: "g5", needs: []int{partP, partQ}, without: []int{partT}, kin: 3},
			func(x uint64) group5 { return group5{S: wholeOf(x)} }, func(s *group5) motleyPair { return pairOfAll(s.S.P.P, s.S.Q.P) }))
	}
	for i, g := range m.groups {
		if m.subjects = append(m.subjects, g.subject(i)); next(3) == 0 {
			g.apart()
		}
	}
}

// compareGroups compares members with the model.
func (m *motley) compareGroups() {
	for _, g := range m.groups {
		es := g.members()
		if g.len() != len(es) {
			m.fail("group %s has %d members, and Len is %d", g.name, len(es), g.len())
		}
		want := m.model.alive(func(x *soul) bool { return !g.gone && g.is(x) })
		slices.Sort(es)
		slices.Sort(want)
		if !slices.Equal(es, want) {
			m.fail("group %s has %d members, want %d", g.name, len(es), len(want))
		}
	}
}

// groupCall makes a call of a group between frames.
func (m *motley) groupCall(n uint64) {
	if len(m.groups) == 0 {
		return
	}
	i := int(n % uint64(len(m.groups)))
	g := m.groups[i]
	lone := func(g *motleyGroup) bool {
		return !slices.ContainsFunc(m.groups, func(o *motleyGroup) bool { return o != g && o.kin == g.kin })
	}
	alone := lone(g)
	switch n >> 8 % 8 {
	case 0, 1:
		was := g.members()
		if g.sort(n); !alone {
			return
		}
		slices.SortStableFunc(was, func(a, b ecs.Entity) int { return int(sortKey(a, n)) - int(sortKey(b, n)) })
		if es := g.members(); !slices.Equal(was, es) {
			m.fail("group %s is not sorted", g.name)
		}
	case 2, 3:
		o := m.groups[n>>16%uint64(len(m.groups))]
		rows := []int{0, 1, 40, 100000}[n>>24%4]
		if o.kin >= g.kin || o.gone || g.gone {
			return
		}
		if !alone || !lone(o) { // shared rows are sorted once
			rows = 0
		}
		if g.sortAs(o.any, rows); rows > 0 || !alone {
			return
		}
		have := g.members()
		var want []ecs.Entity
		for _, e := range o.members() {
			if slices.Contains(have, e) {
				want = append(want, e)
			}
		}
		if !slices.Equal(want, have[:len(want)]) {
			m.fail("group %s is not sorted as %s", g.name, o.name)
		}
	case 4:
		if !g.gone {
			g.sortAs(nil, 0)
		}
	case 5, 6:
		if g.gone {
			return
		}
		var e ecs.Entity
		ok(0, m.try(func() (err error) { e, err = g.spawn(n); return err }))
		if m.model != nil {
			if m.blown {
				e = m.unknown()[0]
			}
			m.model.born(e, g.needs, n)
		}
	case 7:
		if n>>16%4 > 0 || g.gone {
			return
		}
		err := m.try(g.dissolve)
		if g.gone = err == nil; m.model != nil && g.gone {
			m.model.dissolve(i)
		}
		m.trace = append(m.trace, "dissolved")
	}
}

// dissolve has all members leave.
func (g *ghost) dissolve(i int) {
	s := g.m.subjects[subjectGroups+i]
	var asks []motleyAsk
	for _, e := range g.alive(func(*soul) bool { return true }) {
		if v, is := s.now(g.souls[e]); is && !s.gone {
			asks = append(asks, g.tell(subjectGroups+i, true, e, v)...)
		}
	}
	s.gone = true
	g.answers(asks)
}

// onlyIn has a system go over the rows of a group alone.
func (s *motleySpec) onlyIn(r *rand.Rand, i int, g *motleyGroup) {
	s.group, s.pointers, s.far, s.hears, s.reaches = i+1, false, -1, nil, nil
	s.cols = nil
	for _, k := range g.needs {
		if len(s.cols) == 0 || r.IntN(2) == 0 {
			s.cols = append(s.cols, motleyColumn{k: k, form: []form{formRead, formWrite, formWrite, formStrided}[r.IntN(4)]})
		}
	}
	s.conds = slices.DeleteFunc(s.conds, func(c motleyCond) bool {
		return c.kind == condOr || c.kind == condWithout || c.changes() || c.k >= 0 && !slices.Contains(g.needs, c.k)
	})
	s.priors = slices.DeleteFunc(s.priors, func(k int) bool { return !slices.Contains(g.needs, k) })
	s.looks = slices.DeleteFunc(s.looks, func(k int) bool { return slices.Contains(g.needs, k) })
}
