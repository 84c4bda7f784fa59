package ecs_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
)

type (
	nInt    struct{ V int64 }
	nFloat  struct{ V float64 }
	nChar   struct{ V [3]byte }
	nDouble struct{ V [2]float64 }
)

// G10: The scenario that EnTT had for nested groups: three groups, each stricter than
// the one before, by observed and by owned components.
func TestNestedScenario(t *testing.T) {
	w := world(t, ecs.Options{})
	ints, floats := ecs.Register[nInt](w, "int"), ecs.Register[nFloat](w, "float")
	chars, doubles := ecs.Register[nChar](w, "char"), ecs.Register[nDouble](w, "double")
	g1 := ecs.GroupOf[struct {
		V nInt
		_ ecs.With[nChar]
		_ ecs.Without[nDouble]
	}](w, "g1")
	g2 := ecs.GroupOf[struct {
		V nInt
		_ ecs.With[nChar]
	}](w, "g2")
	var g3 interface{ Len() int }
	var es []ecs.Entity
	sizes := func(want ...int) {
		t.Helper()
		got := []int{g1.Len(), g2.Len()}
		if g3 != nil {
			got = append(got, g3.Len())
		}
		if !slices.Equal(got, want) {
			t.Fatalf("groups have %v members, want %v", got, want)
		}
		ok(0, w.Check())
	}
	for i := range 10 {
		e := ok(w.Spawn())
		es = append(es, e)
		ok(0, ints.Add(e, nInt{int64(i)}))
		ok(0, chars.Add(e, nChar{}))
	}
	sizes(10, 10)
	for _, e := range es[:5] {
		ok(0, doubles.Add(e, nDouble{}))
	}
	sizes(5, 10)
	for _, e := range es[5:] {
		ok(0, ints.Remove(e))
	}
	sizes(0, 5)
	g3 = ecs.GroupOf[struct {
		V nInt
		F nFloat
		_ ecs.With[nChar]
		_ ecs.Without[nDouble]
	}](w, "g3")
	for _, e := range es[5:] {
		ok(0, ints.Add(e, nInt{}))
	}
	sizes(5, 10, 0)
	for _, e := range es[:5] {
		ok(0, floats.Add(e, nFloat{2}))
	}
	sizes(5, 10, 0)
	for _, e := range es[:5] {
		ok(0, doubles.Remove(e))
	}
	sizes(10, 10, 5)
	if got := g2.Members(nil); !slices.Equal(got[:5], g2.Members(nil)[:5]) || !slices.Contains(es[:5], got[0]) {
		t.Errorf("the innermost are not the first: %v", got)
	}
	for _, e := range es {
		ok(0, ints.Remove(e))
	}
	sizes(0, 0, 0)
	for i, e := range es[:5] {
		if floats.Get(e).V != 2 {
			t.Errorf("%d lost its value", i)
		}
	}
}

// nestedModel has a family of groups, which come and go, over plain maps.
type nestedModel struct {
	t       *testing.T
	w       *ecs.World
	columns []column // a, b, c, d, w: of groups; x, y, z: observed
	has     map[ecs.Entity]map[int]byte
	order   []ecs.Entity
	groups  []*nestedGroup
	r       *rand.Rand
}

// nestedGroup is a group as the model has it.
type nestedGroup struct {
	name                 string
	fixed, with, without []int
	declare              func() error // it has come
	group                interface {
		Len() int
		Members([]ecs.Entity) []ecs.Entity
		Sort(func(a, b ecs.Entity) int, ...ecs.SortWay)
		Dissolve() error
	}
}

func of[S any](m *nestedModel, name string, fixed, with, without []int) *nestedGroup {
	g := &nestedGroup{name: name, fixed: fixed, with: with, without: without}
	g.declare = func() error {
		made := ecs.GroupOf[S](m.w, name)
		err := m.w.Err()
		if err == nil {
			g.group = made
		}
		return err
	}
	return g
}

type (
	nA struct{ V b4 }
	nB struct{ V b16 }
	nC struct{ V b1 }
	nD struct{ V b24 }
	nX struct{ V b4 }
	nY struct{ V b4 }
	nZ struct{}
	nW struct{ V [5]byte }
)

func newNestedModel(t *testing.T, o ecs.Options, r *rand.Rand) *nestedModel {
	m := &nestedModel{t: t, w: world(t, o), has: map[ecs.Entity]map[int]byte{}, r: r}
	m.columns = []column{
		columnOf(t, m.w, "a", func(v *nA, s byte) { fillBytes(v.V[:], s) }, func(v *nA) byte { return readBytes(v.V[:]) }),
		columnOf(t, m.w, "b", func(v *nB, s byte) { fillBytes(v.V[:], s) }, func(v *nB) byte { return readBytes(v.V[:]) }),
		columnOf(t, m.w, "c", func(v *nC, s byte) { fillBytes(v.V[:], s) }, func(v *nC) byte { return readBytes(v.V[:]) }),
		columnOf(t, m.w, "d", func(v *nD, s byte) { fillBytes(v.V[:], s) }, func(v *nD) byte { return readBytes(v.V[:]) }),
		columnOf(t, m.w, "x", func(v *nX, s byte) { fillBytes(v.V[:], s) }, func(v *nX) byte { return readBytes(v.V[:]) }),
		columnOf(t, m.w, "y", func(v *nY, s byte) { fillBytes(v.V[:], s) }, func(v *nY) byte { return readBytes(v.V[:]) }),
		columnOf(t, m.w, "z", func(*nZ, byte) {}, func(*nZ) byte { return 0 }),
		columnOf(t, m.w, "w", func(v *nW, s byte) { fillBytes(v.V[:], s) }, func(v *nW) byte { return readBytes(v.V[:]) }),
	}
	m.groups = []*nestedGroup{
		of[struct{ A nA }](m, "a", []int{0}, nil, nil),
		of[struct {
			A nA
			_ ecs.Without[nX]
		}](m, "a.x", []int{0}, nil, []int{4}),
		of[struct {
			A nA
			B nB
			_ ecs.Maybe[nW]
			_ ecs.Without[nX]
		}](m, "ab.x", []int{0, 1}, nil, []int{4}),
		of[struct {
			A nA
			B nB
			C nC
			_ ecs.With[nZ]
			_ ecs.Without[nX]
			_ ecs.Without[nY]
		}](m, "abc.z.xy", []int{0, 1, 2}, []int{6}, []int{4, 5}),
		of[struct {
			D nD
			_ ecs.With[nA]
		}](m, "d.a", []int{3}, []int{0}, nil), // another family, which observes components of the first
	}
	return m
}

// member tells whether an entity is one.
func (g *nestedGroup) member(has map[int]byte) bool {
	in := func(c int) bool { _, is := has[c]; return is }
	return !slices.ContainsFunc(slices.Concat(g.fixed, g.with), func(c int) bool { return !in(c) }) && !slices.ContainsFunc(g.without, in)
}

func (m *nestedModel) pick() ecs.Entity { return m.order[m.r.IntN(len(m.order))] }

func (m *nestedModel) some() (es []ecs.Entity) {
	for range m.r.IntN(12) {
		es = append(es, m.pick())
	}
	return es
}

func (m *nestedModel) step() {
	c, s := m.r.IntN(len(m.columns)), byte(m.r.IntN(250))
	col := m.columns[c]
	if !col.sized {
		s = 0
	}
	switch k := m.r.IntN(40); {
	case k < 3 && len(m.order) < 60 || len(m.order) < 10:
		e := ok(m.w.Spawn())
		m.order, m.has[e] = append(m.order, e), map[int]byte{}
	case k == 3:
		e := m.pick()
		ok(0, m.w.Destroy(e))
		delete(m.has, e)
		m.order = slices.DeleteFunc(m.order, func(x ecs.Entity) bool { return x == e })
	case k < 16:
		e := m.pick()
		if _, is := m.has[e][c]; is {
			if err := col.add(e, s); err != ecs.ErrPresent {
				m.t.Fatal(err)
			}
			return
		}
		ok(0, col.add(e, s))
		m.has[e][c] = s
	case k < 26:
		e := m.pick()
		if _, is := m.has[e][c]; !is {
			if err := col.pool.Remove(e); err != ecs.ErrAbsent {
				m.t.Fatal(err)
			}
			return
		}
		ok(0, col.pool.Remove(e))
		delete(m.has[e], c)
	case k < 28:
		es := m.some()
		ok(col.batch(es, s))
		for _, e := range es {
			if _, is := m.has[e][c]; !is {
				m.has[e][c] = s
			}
		}
	case k < 30:
		es := m.some()
		ok(col.pool.RemoveAll(ecs.Handles(es)))
		for _, e := range es {
			delete(m.has[e], c)
		}
	case k == 30 && m.r.IntN(20) == 0:
		ok(0, col.pool.Clear())
		for _, has := range m.has {
			delete(has, c)
		}
	case k == 31 && m.r.IntN(40) == 0:
		m.w.Reset()
		m.order, m.has = nil, map[ecs.Entity]map[int]byte{}
	case k == 32:
		ok(0, m.w.Run(m.t.Context()))
	case k == 33:
		m.spawn(s)
	case k == 34 || k == 35:
		m.declare(m.groups[m.r.IntN(len(m.groups))])
	case k == 36 && m.r.IntN(3) == 0:
		m.dissolve(m.groups[m.r.IntN(len(m.groups))])
	case k == 37:
		if g := m.groups[m.r.IntN(len(m.groups))]; g.group != nil {
			g.group.Sort(func(a, b ecs.Entity) int { return int(a.Index()%5) - int(b.Index()%5) })
		}
	case k == 38:
		col.later(m.w.Commands(), m.pick(), s)
		e := m.pick()
		ok(0, m.w.SafePoint())
		_ = e
		m.reload()
	}
}

// reload takes over components that an entity has got by a command.
func (m *nestedModel) reload() {
	for e, has := range m.has {
		for c, col := range m.columns {
			if s, is := col.get(e); is {
				if _, was := has[c]; !was {
					has[c] = s
				}
			}
		}
	}
}

// spawn makes entities with components that groups own, and observe, at once.
func (m *nestedModel) spawn(s byte) {
	type all struct {
		B nB
		A nA
		Z nZ
		C nC
	}
	type excluded struct {
		A nA
		X nX
	}
	full := func(v []byte) { fillBytes(v, s) }
	var v all
	full(v.A.V[:])
	full(v.B.V[:])
	full(v.C.V[:])
	var x excluded
	full(x.A.V[:])
	full(x.X.V[:])
	es := make([]ecs.Entity, 1+m.r.IntN(3))
	switch m.r.IntN(3) {
	case 0:
		ok(0, ecs.SpawnerOf[all](m.w).SpawnN(es, []all{v}))
	case 1:
		es[0] = ecs.SpawnerOf[all](m.w).Later(m.w.Commands()).Spawn(v)
		es = es[:1]
		ok(0, m.columns[5].add(es[0], s)) // before it is filled
		ok(0, m.w.SafePoint())
	case 2:
		ok(0, ecs.SpawnerOf[excluded](m.w).SpawnN(es, []excluded{x}))
		for _, e := range es {
			m.order, m.has[e] = append(m.order, e), map[int]byte{0: s, 4: s}
		}
		return
	}
	for _, e := range es {
		m.order, m.has[e] = append(m.order, e), map[int]byte{0: s, 1: s, 2: s, 6: 0}
		if _, is := m.columns[5].get(e); is {
			m.has[e][5] = s
		}
	}
}

func (m *nestedModel) declare(g *nestedGroup) {
	if g.group != nil {
		return
	}
	if err := g.declare(); err != nil {
		m.t.Fatalf("group %q: %v", g.name, err)
	}
}

// dissolve ends a group, unless it was the first of its family.
func (m *nestedModel) dissolve(g *nestedGroup) {
	if g.group == nil {
		return
	}
	if err := g.group.Dissolve(); err == nil {
		g.group = nil
	}
}

func (m *nestedModel) check() {
	m.t.Helper()
	if err := m.w.Check(); err != nil {
		m.t.Fatal(err)
	}
	for e, has := range m.has {
		for c, col := range m.columns {
			want, is := has[c]
			if got, there := col.get(e); is != there || got != want {
				m.t.Fatalf("%v, column %d: %d %v, want %d %v", e, c, got, there, want, is)
			}
		}
	}
	var inner []ecs.Entity
	for i := len(m.groups) - 1; i >= 0; i-- {
		g := m.groups[i]
		if g.group == nil {
			continue
		}
		want := map[ecs.Entity]bool{}
		for e, has := range m.has {
			if g.member(has) {
				want[e] = true
			}
		}
		got := g.group.Members(nil)
		set := map[ecs.Entity]bool{}
		for _, e := range got {
			set[e] = true
		}
		if len(got) != len(want) || g.group.Len() != len(want) || !maps.Equal(set, want) {
			m.t.Fatalf("group %q has members %v, want %v", g.name, got, slices.Collect(maps.Keys(want)))
		}
		if i == len(m.groups)-1 {
			continue // of another family
		}
		if !slices.Equal(got[:len(inner)], inner) {
			m.t.Fatalf("group %q: %v does not begin with the members of the inner one, %v", g.name, got, inner)
		}
		inner = got
	}
}

// G1: Groups that stand within each other, that observe components of others, and that come and go in
// any order have the members that the maps say, the innermost first.
func TestNestedModel(t *testing.T) {
	t.Parallel()
	steps, seeds := 3000, 2
	if testing.Short() || race.Enabled {
		steps, seeds = 1500, 2
	}
	for seed := range seeds {
		var digests []string
		for _, name := range slices.Sorted(mapsKeys(fewer(variants()))) {
			m := newNestedModel(t, variants()[name], rand.New(rand.NewPCG(uint64(seed), 12)))
			for range steps {
				m.step()
				m.check()
			}
			var order []ecs.Entity
			for _, g := range m.groups {
				if g.group != nil {
					order = g.group.Members(order)
				}
			}
			digests = append(digests, fmt.Sprint(order))
		}
		if len(slices.Compact(digests)) != 1 {
			t.Errorf("seed %d: the order differs by options", seed)
		}
	}
}
