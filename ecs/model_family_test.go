package ecs_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/ecs"
)

// Steps of TestModelTogether for groups within each other, for sorting and for slices. Groups come
// and go around and within the group of duos; rows are sorted in all ways, at once and frame
// by frame. None of that changes the maps, and all of it must leave the same order
// under every option.

// sortsOf is the calls of a pool for the order of rows.
type sortsOf struct {
	sort, key func(descending bool, how ecs.SortWay)
	first     func(n int, how ecs.SortWay)
	respect   func(other ecs.AnyPool)
}

func sortsOfPool[T any](p *ecs.Pool[T], read func(*T) byte) sortsOf {
	by := func(a, b *T) int { return cmp.Compare(read(a), read(b)) }
	return sortsOf{
		sort: func(descending bool, how ecs.SortWay) {
			if descending {
				p.Sort(func(a, b *T) int { return by(b, a) }, how)
			} else {
				p.Sort(by, how)
			}
		},
		key: func(descending bool, how ecs.SortWay) {
			p.SortKey(func(v *T) uint64 {
				if descending {
					return ^uint64(read(v)) << 20
				}
				return uint64(read(v))
			}, how)
		},
		first:   func(n int, how ecs.SortWay) { p.Sort(by, ecs.First(n), how) },
		respect: func(other ecs.AnyPool) { p.Respect(other) },
	}
}

// kin is a group around or within that of duos, or beside it, as the model has it.
type kin struct {
	name                 string
	fixed, with, without []int // columns
	declare              func() error
	group                interface {
		ecs.AnyGroup
		Len() int
		Members([]ecs.Entity) []ecs.Entity
		Sort(func(a, b ecs.Entity) int, ...ecs.SortWay)
		Dissolve() error
	}
}

func kinOf[S any](m *model, name string, fixed, with, without []int) *kin {
	k := &kin{name: name, fixed: fixed, with: with, without: without}
	k.declare = func() error {
		g := ecs.GroupOf[S](m.w, name)
		err := m.w.Err()
		if err == nil {
			k.group = g
		}
		return err
	}
	return k
}

// kinsfolk is the groups of the model that stand within each other, from the outermost on, and
// other calls for the order of rows.
type kinsfolk struct {
	m      *model
	groups []*kin // around and within the duos
	salt   int    // varies the ways of sorting by option: they never change a result
	slices []func()
}

func newKinsfolk(m *model, o ecs.Options) *kinsfolk {
	k := &kinsfolk{m: m, salt: len(fmt.Sprintf("%+v", o))}
	k.groups = []*kin{
		kinOf[struct{ A b4 }](m, "outer", []int{2}, nil, nil),
		kinOf[struct {
			A b4
			B b16
			_ ecs.Without[tag0]
		}](m, "within", []int{2, 3}, nil, []int{0}),
		kinOf[struct {
			A b4
			B b16
			O b1
			_ ecs.With[far]
			_ ecs.Without[tag0]
		}](m, "inmost", []int{1, 2, 3}, []int{6}, []int{0}),
	}
	k.slices = []func(){
		func() {
			sliceStep[struct {
				Ents []ecs.Entity
				A    []b4
			}](k, []int{2})
		},
		func() {
			sliceStep[struct {
				Ents []ecs.Entity
				A    []b4
				O    []b1
			}](k, []int{2, 1})
		},
		func() {
			sliceStep[struct {
				Ents []ecs.Entity
				C    []b24
			}](k, []int{4})
		},
	}
	return k
}

// member tells whether an entity is one of a group's, whatever is disabled.
func (m *model) member(e ecs.Entity, fixed, with, without []int) bool {
	has := func(c int) bool { _, is := m.alive[e][c]; return is }
	lacks := func(c int) bool { return !has(c) }
	return m.alive[e] != nil && !slices.ContainsFunc(fixed, lacks) && !slices.ContainsFunc(with, lacks) && !slices.ContainsFunc(without, has)
}

// way is a way of sorting, another one under each option.
func (k *kinsfolk) way() ecs.SortWay { return ecs.SortWay((k.m.next(4) + k.salt) % 4) }

// step declares or dissolves a group, sorts something, or goes over a slice.
func (k *kinsfolk) step() {
	m := k.m
	switch m.next(12) {
	case 0:
		k.declare(k.groups[m.next(len(k.groups))])
	case 1:
		if m.next(3) == 0 {
			k.dissolve(k.groups[m.next(len(k.groups))])
		}
	case 2:
		k.dissolveFirst()
	case 3, 4, 5:
		k.sortPool()
	case 6, 7:
		k.sortGroup()
	case 8:
		k.sortAs()
	default:
		k.slices[m.next(len(k.slices))]()
	}
}

// declare makes a group. It is refused, and nothing has changed, while rows of the family follow
// others or are followed.
func (k *kinsfolk) declare(g *kin) {
	if g.group != nil {
		return
	}
	err := g.declare()
	if err != nil && strings.Contains(err.Error(), "SortAs(nil, 0)") && ecs.Sorts(k.m.w) > 0 {
		k.m.duos.SortAs(nil, 0)
		k.m.trios.SortAs(nil, 0)
		err = g.declare()
	}
	k.m.expect("GroupOf "+g.name, err, nil)
}

func (k *kinsfolk) dissolve(g *kin) {
	if g.group == nil {
		return
	}
	err := g.group.Dissolve()
	if err == nil {
		g.group = nil
	} else if !strings.Contains(err.Error(), "declared before the groups around and within it") {
		k.m.failf("Dissolve of %s: %v", g.name, err)
	}
}

// dissolveFirst ends one of the two groups that the model spawns into.
func (k *kinsfolk) dissolveFirst() {
	m := k.m
	switch m.next(24) {
	case 0:
		if m.duos != nil && m.duos.Dissolve() == nil {
			m.duos = nil
		}
	case 1:
		if m.trios != nil {
			m.expect("Dissolve", m.trios.Dissolve(), nil)
			m.trios = nil
		}
	}
}

// sortPool sorts the rows of a component, and looks whether they are in order then.
func (k *kinsfolk) sortPool() {
	m := k.m
	c, n := m.next(len(m.columns)), m.next(40)
	s, how := m.columns[c].sorts, k.way()
	switch m.next(6) {
	case 0:
		s.first(n, how)
		return
	case 1:
		s.respect(m.columns[m.next(len(m.columns))].all.pool)
		return
	case 2:
		s.sort(true, how)
		return
	case 3:
		s.key(m.next(2) == 0, how)
		s.sort(false, how) // equal rows stay as the key has left them
	case 4:
		s.key(false, how)
	default:
		s.sort(false, how)
	}
}

// sortGroup sorts the members of a group, each table by itself.
func (k *kinsfolk) sortGroup() {
	m := k.m
	by := func(a, b ecs.Entity) int { return int(a.Index()%7) - int(b.Index()%7) }
	how, n := k.way(), m.next(30)
	if g := k.groups[m.next(len(k.groups))]; g.group != nil && m.next(2) == 0 {
		g.group.Sort(by, how)
		return
	}
	if m.trios == nil {
		return
	}
	was := m.trios.Members(nil)
	switch m.next(3) {
	case 0:
		m.trios.Sort(by, ecs.First(n), how)
		slices.SortStableFunc(was[:min(n, len(was))], by)
	default:
		m.trios.Sort(by, how)
		slices.SortStableFunc(was, by)
	}
	if got := m.trios.Members(nil); !slices.Equal(got, was) {
		m.failf("the trios are sorted %v, want %v", got, was)
	}
}

// sole tells whether the duos share their rows with no other group.
func (k *kinsfolk) sole() bool {
	return !slices.ContainsFunc(k.groups, func(g *kin) bool { return g.group != nil })
}

// sortAs has rows follow others from now on, or no more.
func (k *kinsfolk) sortAs() {
	m := k.m
	if m.duos == nil || m.trios == nil {
		return
	}
	switch k, n := m.next(6), 1+m.next(20); {
	case k < 2:
		m.duos.SortAs(nil, 0)
		m.trios.SortAs(nil, 0)
	case k == 2:
		m.trios.SortAs(m.duos, 0)
	case m.kin.sole() && ecs.Sorts(m.w) == 0:
		m.trios.SortAs(m.duos, n)
	case m.kin.sole() && k == 3:
		m.trios.SortAs(nil, 0)
		m.duos.SortAs(nil, 0)
		m.duos.SortAs(m.trios, n)
	}
}

// sliceStep goes over a slice of the group that owns some columns, the first of which is the
// field behind the entities. It must be refused where several groups own them, or none.
func sliceStep[S any](k *kinsfolk, columns []int) {
	m := k.m
	var owners [][]int
	var of *kin
	add := func(fixed []int) bool {
		owns := !slices.ContainsFunc(columns, func(c int) bool { return !slices.Contains(fixed, c) })
		if owns {
			owners = append(owners, fixed)
		}
		return owns
	}
	for _, g := range k.groups {
		if g.group != nil && add(g.fixed) {
			of = g
		}
	}
	if m.duos != nil && add([]int{2, 3}) {
		of = &kin{fixed: []int{2, 3}}
	}
	if m.trios != nil && add([]int{0, 4, 5}) {
		of = &kin{fixed: []int{0, 4, 5}}
	}
	q := ecs.SliceOf[S](m.w)
	err := m.w.Err()
	if (err == nil) != (len(owners) == 1) {
		m.failf("SliceOf columns %v, which %d groups own: %v", columns, len(owners), err)
	}
	if err != nil {
		return
	}
	met := 0
	for c := range q.All() {
		es, v := sliceRows(c, columns[0])
		for i, e := range es {
			met++
			if !m.member(e, of.fixed, of.with, of.without) || v(i) != m.alive[e][columns[0]] {
				m.failf("a slice gives %v with %d of %s; it has %v", e, v(i), names[columns[0]], m.alive[e])
			}
		}
	}
	want := 0
	for e := range m.alive {
		if m.member(e, of.fixed, of.with, of.without) && !slices.ContainsFunc(columns, func(c int) bool { return !m.sees(e, c) }) {
			want++
		}
	}
	if met != want {
		m.failf("a slice of columns %v gives %d rows, want %d", columns, met, want)
	}
}

// sliceRows is the entities of a batch, and its values.
func sliceRows(batch any, c int) ([]ecs.Entity, func(i int) byte) {
	switch b := batch.(type) {
	case *struct {
		Ents []ecs.Entity
		A    []b4
	}:
		return b.Ents, func(i int) byte { return readBytes(b.A[i][:]) }
	case *struct {
		Ents []ecs.Entity
		A    []b4
		O    []b1
	}:
		return b.Ents, func(i int) byte { return readBytes(b.A[i][:]) }
	case *struct {
		Ents []ecs.Entity
		C    []b24
	}:
		return b.Ents, func(i int) byte { return readBytes(b.C[i][:]) }
	}
	panic("another slice")
}

// compare holds the groups against the maps: members, and that members of inner groups come first.
func (k *kinsfolk) compare() {
	m := k.m
	check := func(name string, fixed, with, without []int, members []ecs.Entity, n int) {
		want := 0
		for e := range m.alive {
			if m.member(e, fixed, with, without) {
				want++
			}
		}
		wrong := slices.ContainsFunc(members, func(e ecs.Entity) bool { return !m.member(e, fixed, with, without) })
		if wrong || len(members) != want || n != want {
			m.failf("group %s has members %v and counts %d, want %d", name, members, n, want)
		}
	}
	var inner []ecs.Entity
	for _, g := range slices.Backward(k.groups) {
		if g.group == nil {
			continue
		}
		got := g.group.Members(nil)
		check(g.name, g.fixed, g.with, g.without, got, g.group.Len())
		if !slices.Equal(got[:len(inner)], inner) {
			m.failf("group %s: %v does not begin with the members of the one within, %v", g.name, got, inner)
		}
		inner = got
	}
	if m.duos != nil {
		check("duo", []int{2, 3}, nil, nil, m.duos.Members(nil), m.duos.Len())
	}
	if m.trios != nil {
		check("trio", []int{0, 4, 5}, nil, nil, m.trios.Members(nil), m.trios.Len())
	}
}
